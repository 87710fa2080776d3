"""Live cameras over WebSockets: the newest frame is read, those that come meanwhile are not.

The first message is JSON: ``{"token": …}`` (at a table), and ``"tray"``: a tray's name, if it is
known; at a table ``"player"``: whose tray the camera looks at. Then each binary message is a frame
(JPEG or WebP); each answer is the light reading of one of them, with ``frame``, its number from 1.
Frames that came while another was read are skipped: nothing queues up, however fast a camera sends.
"""

import asyncio
import json
from contextlib import suppress

from fastapi import APIRouter, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from api.dependencies import CurrentSettings, KnownTrays, LiveCameras
from api.live import Camera, LivePool
from api.problems import Problem
from api.trays import Trays
from calibration.dimension.profile import TrayProfile

router = APIRouter()

GREETING_S = 10.0
POLICY, TOO_BIG, TRY_AGAIN = 1008, 1009, 1013


@router.websocket("/v1/live")
async def live(
    socket: WebSocket, cameras: LiveCameras, trays: KnownTrays, settings: CurrentSettings
) -> None:
    """A camera that belongs to no table."""
    await socket.accept()
    with suppress(WebSocketDisconnect):
        try:
            profile = await run_in_threadpool(named_profile, await greet(socket), trays)
            await follow(socket, profile, cameras, int(settings.frame_kb * 1e3))
        except Problem as problem:
            await refuse(socket, problem)


async def greet(socket: WebSocket) -> dict[str, object]:
    """The first message; raises ``Problem`` if it does not come or is none."""
    try:
        greeting = json.loads(await asyncio.wait_for(socket.receive_text(), GREETING_S))
    except (TimeoutError, ValueError, RecursionError, KeyError):
        greeting = None
    if not isinstance(greeting, dict):
        raise Problem(400, "bad_greeting", 'The first message is JSON: {"token": …}.')
    return greeting


def named_profile(greeting: dict[str, object], trays: Trays) -> TrayProfile | None:
    """The profile that the first message names; raises ``Problem`` if nobody knows it."""
    name = greeting.get("tray")
    return trays.get(str(name)) if name else None


async def follow(
    socket: WebSocket, profile: TrayProfile | None, cameras: LivePool, most_bytes: int
) -> None:
    """Read frames until the camera goes; raises ``Problem`` for what cannot be followed."""
    camera = await cameras.open(profile)
    newest = Newest(most_bytes)
    reading = asyncio.create_task(_answer(socket, camera, newest))
    try:
        await newest.take_from(socket)
    finally:
        reading.cancel()
        await cameras.close(camera)


class Newest:
    """The newest frame of a camera: each new one takes the place of the one before."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._frame: tuple[int, bytes] | None = None
        self._came = asyncio.Event()

    async def take_from(self, socket: WebSocket) -> None:
        """Take all that a camera sends, until it goes."""
        number = 0
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            content = message.get("bytes")
            if not content:
                raise Problem(415, "not_a_frame", "After the first message, send frames.")
            if len(content) > self._most:
                raise Problem(413, "too_large", f"A frame may have {self._most / 1e3:g} kB.")
            number += 1
            self._frame = (number, content)
            self._came.set()

    async def get(self) -> tuple[int, bytes]:
        """The newest frame with its number, once there is one that was not given before."""
        await self._came.wait()
        self._came.clear()
        assert self._frame is not None
        return self._frame


async def _answer(socket: WebSocket, camera: Camera, newest: Newest) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # gone while its frame was read
        while True:
            number, content = await newest.get()
            reading = await camera.frame(content)
            if reading is not None:
                await socket.send_text(json.dumps({"frame": number, **reading}))


async def refuse(socket: WebSocket, problem: Problem) -> None:
    """Say why, and close."""
    codes = {413: TOO_BIG, 503: TRY_AGAIN}
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"problem": problem.to_json()}))
        await socket.close(codes.get(problem.status, POLICY), problem.code)
