"""An address that asks for more than its share, in a process of its own and with little work.

It comes from another loopback address than everybody else. Run as ``python -m
tests.campaigns.attacking PLAN.json``: it says ``ready``, and then on every ``attack`` begins and
says ``attacking`` once all of it has been sent, on every ``rest`` lets go of everything.
"""

import asyncio
import json
import os
import struct
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.campaigns.companion import Companion
from tests.campaigns.phones import head_of

ATTACKER = "127.0.0.2"
_AGAIN_S = 0.5
"""An attacker who was cut off or refused comes back after so long."""
_DRIP_S = 2.0
_BEGUN_S = 15.0
"""What has not been sent by then waits for the service, which takes no more."""
_QUESTION = {
    "cards": ["exactly:2O", "touch:OK", "touch:BG", "apart:BW", "touch:GK", "more:OK"],
    "from": "OKBGGWB/K.B.O./K",
    "moves": 3,
}

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Attack:
    """What the attacker does, and how often at a time."""

    kind: str
    count: int
    path: str = ""
    token: str = ""


class Attacker(Companion):
    """The process, which rests until it is told to attack."""

    def __init__(self, url: str, attack: Attack, plan: Path) -> None:
        super().__init__(__name__, {"url": url, "attack": asdict(attack)}, plan)

    def attack(self) -> None:
        """Begin; returns when all has been sent."""
        assert self.asked("attack") == "attacking"

    def rest(self) -> dict[str, int]:
        """Let go of everything; how often the service answered what, so far."""
        told: dict[str, int] = self.asked("rest")
        return told


class _Attack:
    """One attack under way: so many tasks, each of which comes back when it is cut off."""

    def __init__(self, host: str, port: int, attack: Attack) -> None:
        self._host, self._port = host, port
        self._attack = attack
        self._once = _KINDS[attack.kind]
        self.answers: dict[str, int] = {}
        self.begun = 0

    @property
    def base(self) -> dict[str, str]:
        """The headers that every request has."""
        token = {"Authorization": f"Bearer {self._attack.token}"} if self._attack.token else {}
        return {"Host": f"{self._host}:{self._port}", **token}

    @property
    def path(self) -> str:
        """Where it goes, if the kind does not say."""
        return self._attack.path

    async def run(self) -> None:
        """Attack until it is cancelled."""
        await asyncio.gather(*(self._one() for _ in range(self._attack.count)))

    async def whole(self) -> None:
        """Returns when all has been sent for the first time."""
        for _ in range(int(_BEGUN_S / 0.05)):
            if self.begun >= self._attack.count:
                return
            await asyncio.sleep(0.05)

    async def _one(self) -> None:
        first = True
        while True:
            writer = None
            try:
                async with asyncio.timeout(_BEGUN_S):
                    reader, writer = await asyncio.open_connection(
                        self._host, self._port, local_addr=(ATTACKER, 0)
                    )
                    await self._once(self, (reader, writer))
                self.begun += first
                first = False
                await self._end(reader)
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                self._count(type(error).__name__)
                self.begun += first
                first = False
            finally:
                if writer is not None:
                    writer.transport.abort()
            await asyncio.sleep(_AGAIN_S)

    async def _end(self, reader: asyncio.StreamReader) -> None:
        """Wait for an answer, which may be long and never end."""
        line = await reader.readline()
        self._count(line.split(b" ")[1].decode() if line.startswith(b"HTTP") else "cut off")
        while await reader.read(65_536):
            pass

    def _count(self, what: str) -> None:
        self.answers[what] = self.answers.get(what, 0) + 1


async def _connect(attack: _Attack, streams: Streams) -> None:
    """Only that."""


async def _slow_body(attack: _Attack, streams: Streams) -> None:
    """A body that comes byte by byte."""
    headers = {**attack.base, "Content-Type": "application/json", "Content-Length": "100000"}
    streams[1].write(head_of("POST", "/v1/scores", headers))
    drip = asyncio.create_task(_drip(streams[1]))
    _DRIPS.add(drip)
    drip.add_done_callback(_DRIPS.discard)


_DRIPS: set["asyncio.Task[None]"] = set()


async def _drip(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while not writer.is_closing():
            writer.write(b" ")
            await asyncio.sleep(_DRIP_S)


async def _slow_head(attack: _Attack, streams: Streams) -> None:
    """A head that comes byte by byte."""
    streams[1].write(head_of("GET", "/v1/deck", attack.base)[:-2] + b"X-Slow: ")
    drip = asyncio.create_task(_drip(streams[1]))
    _DRIPS.add(drip)
    drip.add_done_callback(_DRIPS.discard)


async def _get(attack: _Attack, streams: Streams) -> None:
    """A stream of events, or whatever there is."""
    streams[1].write(head_of("GET", attack.path, attack.base))


async def _flood(attack: _Attack, streams: Streams) -> None:
    """The same question again and again, as fast as it is answered."""
    reader, writer = streams
    request = head_of("GET", attack.path, attack.base)
    for _ in range(1000):
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        attack._count(head.split(b" ")[1].decode())
        length = head.partition(b"content-length:")[2].split(b"\r\n")[0]
        await reader.readexactly(int(length))


async def _upload(attack: _Attack, streams: Streams) -> None:
    """A photo of 95 MB, of which most is nothing."""
    photo = _photo()
    headers = {
        **attack.base,
        "Content-Type": "multipart/form-data; boundary=x",
        "Content-Length": str(len(photo)),
    }
    streams[1].write(head_of("POST", "/v1/readings", headers))
    with suppress(OSError):
        for start in range(0, len(photo), 1 << 20):
            if streams[0]._buffer:  # type: ignore[attr-defined]  # it was answered already
                return
            streams[1].write(photo[start : start + (1 << 20)])
            await streams[1].drain()


_PHOTOS: list[memoryview] = []


def _photo() -> memoryview:
    if not _PHOTOS:
        name = b'Content-Disposition: form-data; name="photos"; filename="a.jpg"'
        start = b"--x\r\n" + name + b"\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff"
        part = start + bytes(31_600_000) + b"\r\n"
        _PHOTOS.append(memoryview(part * 3 + b"--x--\r\n"))
    return _PHOTOS[0]


async def _solve(attack: _Attack, streams: Streams) -> None:
    """The hardest question for the solver."""
    body = json.dumps(_QUESTION).encode()
    headers = {
        **attack.base,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    streams[1].write(head_of("POST", "/v1/solutions", headers) + body)


async def _camera(attack: _Attack, streams: Streams) -> None:
    """A live camera that greets and then sends nothing."""
    headers = {
        **attack.base,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    }
    reader, writer = streams
    writer.write(head_of("GET", "/v1/live", headers))
    head = await reader.readuntil(b"\r\n\r\n")
    attack._count(head.split(b" ")[1].decode())
    writer.write(struct.pack("!BB4s", 0x81, 0x80 | 2, bytes(4)) + b"{}")


_KINDS: dict[str, Callable[[_Attack, Streams], Awaitable[None]]] = {
    "idle connections": _connect,
    "slow heads": _slow_head,
    "slow bodies": _slow_body,
    "event streams": _get,
    "idle cameras": _camera,
    "large uploads": _upload,
    "solver calls": _solve,
    "flood": _flood,
}


async def _obey(host: str, port: int, attack: Attack) -> None:
    answers: dict[str, int] = {}
    while order := (await asyncio.to_thread(sys.stdin.readline)).strip():
        assert order == "attack"
        under_way = _Attack(host, port, attack)
        doing = asyncio.create_task(under_way.run())
        await under_way.whole()
        print(json.dumps("attacking"), flush=True)  # noqa: T201 - this is how it talks
        assert (await asyncio.to_thread(sys.stdin.readline)).strip() == "rest"
        for task in (doing, *_DRIPS):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await doing
        for name, count in under_way.answers.items():
            answers[name] = answers.get(name, 0) + count
        times = os.times()
        told = {**answers, "cpu_ms": int((times.user + times.system) * 1000)}
        print(json.dumps(told), flush=True)  # noqa: T201


def _main(plan: Sequence[str]) -> None:
    told: dict[str, Any] = json.loads(Path(plan[0]).read_text())
    where = urlsplit(told["url"])
    assert where.hostname is not None
    assert where.port is not None
    os.nice(5)  # an attacker has a computer of their own
    print("ready", flush=True)  # noqa: T201
    asyncio.run(_obey(where.hostname, where.port, Attack(**told["attack"])))


if __name__ == "__main__":
    _main(sys.argv[1:])
