"""Live cameras: the newest frame wins, nothing queues up, what cannot be followed is refused."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from api.http.app import create_app
from api.http.routes.live import Frames, follow
from api.problems import Problem
from api.workers.live import LivePool
from tests.api.conftest import quiet_settings

Message = dict[str, Any]
FRAMES = Frames(most_bytes=1000, within_s=30)


class Slow:
    """A camera's worker that takes its time, and remembers what it was given."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.go_on = asyncio.Event()
        self.at_once = self.most_at_once = 0
        self.open_cameras = 0

    async def frame(self, content: bytes) -> Message:
        self.frames.append(content)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.go_on.wait()
        self.at_once -= 1
        return {"state": "tracking"}

    async def open(self, _tray: object = None, _game: str = "") -> "Slow":
        self.open_cameras += 1
        return self

    async def close(self, _camera: object) -> None:
        self.open_cameras -= 1


class Socket:
    """A browser's end that sends what it is told to, and keeps what it gets."""

    def __init__(self) -> None:
        self.sending: asyncio.Queue[Message] = asyncio.Queue()
        self.got: list[Message] = []

    async def receive(self) -> Message:
        return await self.sending.get()

    async def send_text(self, text: str) -> None:
        self.got.append(json.loads(text))

    def send_frame(self, content: bytes) -> None:
        self.sending.put_nowait({"type": "websocket.receive", "bytes": content})

    def go(self) -> None:
        self.sending.put_nowait({"type": "websocket.disconnect", "code": 1000})


def test_the_newest_frame_wins_and_nothing_queues_up(tmp_path: Path) -> None:
    async def test() -> None:
        socket, worker = Socket(), Slow()
        following = asyncio.create_task(
            follow(socket, None, worker, FRAMES)  # type: ignore[arg-type]
        )
        for number in range(1, 101):
            socket.send_frame(b"%d" % number)
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        assert socket.sending.empty()  # all are taken off the line,
        assert worker.frames == [b"1"]  # but only one is read at a time
        worker.go_on.set()
        await asyncio.sleep(0.05)
        assert worker.frames == [b"1", b"100"]
        assert [message["frame"] for message in socket.got] == [1, 100]
        assert worker.most_at_once == 1
        socket.go()
        await asyncio.wait_for(following, 5)
        assert worker.open_cameras == 0

    asyncio.run(test())


def test_a_camera_that_goes_while_its_frame_is_read(tmp_path: Path) -> None:
    async def test() -> None:
        socket, worker = Socket(), Slow()
        socket.send_frame(b"1")
        socket.go()
        await asyncio.wait_for(
            follow(socket, None, worker, FRAMES),  # type: ignore[arg-type]
            5,
        )
        assert (worker.open_cameras, socket.got) == (0, [])

    asyncio.run(test())


def test_a_camera_that_sends_nothing_is_closed_but_not_one_that_waits_for_us() -> None:
    async def test() -> None:
        socket, worker = Socket(), Slow()
        quick = Frames(most_bytes=1000, within_s=0.05)
        following = asyncio.create_task(
            follow(socket, None, worker, quick)  # type: ignore[arg-type]
        )
        socket.send_frame(b"1")
        await asyncio.sleep(0.2)
        assert not following.done()  # its frame is being read
        worker.go_on.set()
        with pytest.raises(Problem) as closed:
            await asyncio.wait_for(following, 5)
        assert (closed.value.code, worker.open_cameras) == ("idle", 0)
        assert len(socket.got) == 1

    asyncio.run(test())


def test_one_address_leaves_cameras_for_others(tmp_path: Path) -> None:
    proxy = "10.0.0.1"
    settings = quiet_settings(tmp_path, live_connections=3, live_per_address=2, proxies=[proxy])
    app = create_app(settings)
    app.state.live = worker = Slow()
    worker.go_on.set()
    client = TestClient(app, client=(proxy, 1))
    with ExitStack() as stack:

        def greeted(address: str) -> Any:
            headers = {"X-Forwarded-For": address}
            socket = stack.enter_context(client.websocket_connect("/v1/live", headers=headers))
            socket.send_json({})
            socket.send_bytes(b"no frame at all")
            return socket.receive_json()

        assert greeted("192.0.2.1")["frame"] == 1
        assert greeted("192.0.2.1")["problem"]["code"] == "too_many_at_once"
        assert greeted("192.0.2.2")["frame"] == 1


def test_cameras_at_a_time(tmp_path: Path) -> None:
    async def test() -> None:
        async with LivePool(quiet_settings(tmp_path, live_connections=1)) as pool:
            camera = await pool.open()
            with pytest.raises(Problem) as refused:
                await pool.open()
            assert (refused.value.status, refused.value.code) == (503, "busy")
            closing = asyncio.create_task(pool.close(camera))
            await asyncio.sleep(0)
            assert pool.cameras == 0
            closing.cancel()

    asyncio.run(test())


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = quiet_settings(tmp_path_factory.mktemp("live"), frame_kb=300, live_connections=2)
    with TestClient(create_app(settings)) as client:
        yield client


def test_frames_are_read(client: TestClient, sample: bytes) -> None:
    with client.websocket_connect("/v1/live") as socket:
        socket.send_json({"tray": "pentagon"})
        socket.send_bytes(sample)
        told = socket.receive_json()
        assert told["frame"] == 1
        assert told["layout"] == "KGKOWGB/W..O../."
        assert told["state"] == "tracking"
        socket.send_bytes(b"no frame at all")
        assert socket.receive_json()["status"] == "bad_image"
        socket.send_bytes(sample)  # and it goes on
        assert socket.receive_json()["frame"] == 3


@pytest.mark.parametrize(
    ("greeting", "code"),
    [
        ("{}{", "bad_greeting"),
        ("[]", "bad_greeting"),
        ("7", "bad_greeting"),
        ('{"tray": "hexagon"}', "no_such_tray"),
        ('{"tray": "../disc"}', "no_such_tray"),
    ],
)
def test_greetings_that_are_none(client: TestClient, greeting: str, code: str) -> None:
    with client.websocket_connect("/v1/live") as socket:
        socket.send_text(greeting)
        assert socket.receive_json()["problem"]["code"] == code
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1008


def test_a_frame_before_the_greeting(client: TestClient) -> None:
    with client.websocket_connect("/v1/live") as socket:
        socket.send_bytes(b"frame")
        assert socket.receive_json()["problem"]["code"] == "bad_greeting"


def test_a_frame_that_is_too_large_and_one_that_is_none(client: TestClient) -> None:
    with client.websocket_connect("/v1/live") as socket:
        socket.send_json({})
        socket.send_bytes(b"\xff" * 300_001)
        assert socket.receive_json()["problem"]["code"] == "too_large"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1009
    with client.websocket_connect("/v1/live") as socket:
        socket.send_json({})
        socket.send_text("text")
        assert socket.receive_json()["problem"]["code"] == "not_a_frame"


def test_a_camera_too_many_is_told_so_and_one_that_left_makes_room(client: TestClient) -> None:
    with client.websocket_connect("/v1/live") as one, client.websocket_connect("/v1/live") as two:
        one.send_json({})
        two.send_json({})
        one.send_bytes(b"x")
        two.send_bytes(b"x")
        one.receive_json()
        two.receive_json()
        assert client.get("/v1/health").json()["cameras"] == 2
        with client.websocket_connect("/v1/live") as three:
            three.send_json({})
            assert three.receive_json()["problem"]["code"] == "busy"
    with client.websocket_connect("/v1/live") as again:
        again.send_json({})
        again.send_bytes(b"x")
        assert again.receive_json()["frame"] == 1
