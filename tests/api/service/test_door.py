"""Connections: how many there may be, how long they may wait, and what is no HTTP at all."""

import asyncio
import json
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from api.http import protocols
from api.http.addresses import listen
from api.http.certificates import local_certificate
from api.http.door import Door, Room, open_files
from api.http.protocols import LONGEST_HEAD, GuardedHttp, GuardedWebSocket, Times
from api.limits.refusals import Refusals
from tests.api.conftest import quiet_settings

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
QUICK = Times(head_s=0.2, stalled_s=0.2)
GET = b"GET /%b HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "_LINGER_S", 0.2)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says hello; ``/large`` says much, ``/body`` how much was said, ``/wait`` waits a while."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "bytes": bytes(1_000_000)})
        return
    size, more = 0, scope["path"] == "/body"
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    if scope["path"] == "/wait":
        await asyncio.sleep(0.5)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    pieces = 200 if scope["path"] == "/large" else 1
    for left in range(pieces, 0, -1):
        body = bytes(100_000) if pieces > 1 else str(size).encode()
        await send({"type": "http.response.body", "body": body, "more_body": left > 1})


@dataclass
class House:
    """A door with people who come to it."""

    door: Door
    port: int
    people: list[asyncio.StreamWriter] = field(default_factory=list)

    async def connect(self, source: str = "127.0.0.1", **options: Any) -> Streams:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(source, 0), **options
        )
        self.people.append(writer)
        return reader, writer

    async def told(self, request: bytes) -> bytes:
        """All that is answered, until the connection is closed."""
        reader, writer = await self.connect()
        writer.write(request)
        async with asyncio.timeout(10):
            return await reader.read()


@asynccontextmanager
async def house(
    room: Room, times: Times = QUICK, secure: ssl.SSLContext | None = None
) -> AsyncIterator[House]:
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        app, log_config=None, ws=GuardedWebSocket, h11_max_incomplete_event_size=LONGEST_HEAD
    )
    state, refusals = ServerState(), Refusals()

    def protocol() -> GuardedHttp:
        return GuardedHttp(times, refusals, config, state, {})

    tls = None if secure is None else (secure, times.head_s)
    door = Door(listener, room, protocol, refusals, tls)
    door.open()
    home = House(door, listener.getsockname()[1])
    try:
        yield home
    finally:
        door.close()
        for transport in (one.transport for one in [*state.connections, *home.people]):
            transport.abort()
        await asyncio.sleep(0.01)


def living(test: Callable[[House], Awaitable[None]], room: Room | None = None, **how: Any) -> None:
    """Run a test in a house."""

    async def run() -> None:
        async with house(room or Room(100, 100), **how) as home, asyncio.timeout(30):
            await test(home)

    asyncio.run(run())


async def is_let_in(connection: Streams) -> bool:
    """Whether a connection is answered."""
    reader, writer = connection
    try:
        writer.write(GET % b"")
        return (await reader.readline()).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


async def soon(condition: Callable[[], bool]) -> None:
    """Returns once something is so."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


def test_an_address_has_its_share_and_others_have_theirs() -> None:
    async def test(home: House) -> None:
        attackers = [await home.connect("127.0.0.2") for _ in range(5)]
        assert [await is_let_in(one) for one in attackers] == [True] * 3 + [False] * 2
        assert await is_let_in(await home.connect())
        attackers[0][1].close()
        await soon(lambda: home.door.inside == 3)
        assert await is_let_in(await home.connect("127.0.0.2"))  # who goes makes room

    living(test, Room(in_all=10, per_address=3), times=Times(5, 5))


def test_there_is_room_for_so_many_in_all() -> None:
    async def test(home: House) -> None:
        people = [await home.connect(f"127.0.0.{number}") for number in range(2, 6)]
        assert [await is_let_in(one) for one in people] == [True] * 3 + [False]

    living(test, Room(in_all=3, per_address=2), times=Times(5, 5))


def test_a_named_proxy_may_have_all_connections() -> None:
    async def test(home: House) -> None:
        people = [await home.connect("127.0.0.2") for _ in range(4)]
        assert [await is_let_in(one) for one in people] == [True] * 4

    living(test, Room(10, 1, [ip_network("127.0.0.2/32")]), times=Times(5, 5))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        GET % b"" + b"GET / HTTP/1.1\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx",
    ],
    ids=["nothing", "half a head", "a second request", "a body that nobody reads"],
)
def test_a_connection_that_does_not_go_on_is_closed(said: bytes) -> None:
    async def test(home: House) -> None:
        _, writer = await home.connect()
        writer.write(said)
        for _ in range(10):  # byte by byte is no progress either
            await asyncio.sleep(0.05)
            if home.door.inside == 0:
                break
            writer.write(b"x")
        await soon(lambda: home.door.inside == 0)

    living(test)


def test_an_answer_may_take_longer_than_a_head() -> None:
    async def test(home: House) -> None:
        reader, writer = await home.connect()
        writer.write(GET % b"wait")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")

    living(test)


@pytest.mark.parametrize("path", [b"large", b"socket"])
def test_an_answer_that_nobody_fetches_is_given_up(path: bytes) -> None:
    key = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    upgrade, message = (GET % path)[:-2] + key, b"\x82\x80\0\0\0\0"

    async def test(home: House) -> None:
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.setblocking(False)
            await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", home.port))
            line.send(upgrade if path == b"socket" else GET % path)
            await soon(lambda: home.door.inside == 1)
            if path == b"socket":
                await asyncio.get_running_loop().sock_recv(line, 10)
                line.send(20 * message)
            await soon(lambda: home.door.inside == 0)

    living(test)


def test_a_handshake_that_does_not_end_counts_and_is_given_up(tmp_path: Path) -> None:
    made = local_certificate(tmp_path, [], ["localhost"])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)
    trust = ssl.create_default_context(cafile=str(tmp_path / "authority.pem"))

    async def test(home: House) -> None:
        await home.connect("127.0.0.2")
        await soon(lambda: home.door.inside == 1)
        await soon(lambda: home.door.inside == 0)
        assert await is_let_in(await home.connect(ssl=trust, server_hostname="localhost"))
        await soon(lambda: home.door.inside == 1)

    living(test, secure=context)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: x\r\n\r\n", 400),
        (b"POST /body HTTP/1.1\r\nHost: l\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: " + b"a" * 100_000, 431),
        (b"GET /" + b"a" * 100_000, 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 20_000, 431),
        (b"\x16\x03\x01" + bytes(300), 400),
    ],
)
def test_what_is_no_http_is_refused_as_a_problem(
    request_: bytes, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(home: House) -> None:
        head, _, body = (await home.told(request_)).partition(b"\r\n\r\n")
        assert int(head.split(b" ")[1]) == status, head
        assert b"application/problem+json" in head
        assert json.loads(body)["status"] == status

    with caplog.at_level(logging.WARNING):
        living(test, times=Times(5, 5))
    assert not any(record.exc_info for record in caplog.records)


def test_a_body_that_breaks_after_the_answer_is_no_mistake_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def test(home: House) -> None:
        head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        reader, writer = await home.connect()
        writer.write(head + b"1\r\nx\r\n")
        await reader.readline()
        writer.write(b"nonsense\r\n")
        await soon(lambda: home.door.inside == 0)

    with caplog.at_level(logging.WARNING):
        living(test, times=Times(5, 5))
    assert not any(record.exc_info for record in caplog.records)


def test_a_body_that_nobody_wants_is_not_read_to_its_end() -> None:
    async def test(home: House) -> None:
        reader, writer = await home.connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99000000\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        sent = 0
        with suppress(OSError):  # it is cut off
            while sent < 99_000_000:
                writer.write(bytes(1_000_000))
                await writer.drain()
                sent += 1_000_000
        assert sent < 50_000_000

    living(test)


def test_connections_leave_files_for_everything_else(tmp_path: Path) -> None:
    settings = quiet_settings(tmp_path)
    assert Room.of(settings, files=1024) == Room(824, 256)
    assert Room.of(settings, files=128) == Room(64, 64)
    assert Room.of(settings, files=65_536).in_all == settings.connections
    assert open_files() >= 256
