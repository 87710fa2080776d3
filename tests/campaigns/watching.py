"""Looks at a service from outside while it works, in a process of its own and with little work.

Asks ``/v1/health``, and just as often a process that has nothing to do: what that takes, the
machine takes and not the service. Listens to the news of some tables. Run as ``python -m
tests.campaigns.watching PLAN.json``: it says ``ready``, is told for how many news to wait, and
tells what it saw.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.campaigns.companion import Companion
from tests.campaigns.phones import head_of

_FIRST_S, _LONGER = 0.02, 1.02
"""Between two askings: often at first, when everybody sends, and then less and less often, for the
askings too take something of the machine."""
_LATEST_S = 30.0
"""News that have not come by then never will."""
_ECHO = """
import asyncio

async def answer(reader, writer):
    while line := await reader.readline():
        writer.write(line)
    writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@dataclass
class Seen:
    """What was seen, in seconds."""

    health_s: list[float] = field(default_factory=list)
    echo_s: list[float] = field(default_factory=list)
    """What the idle process took, asked at the same moments."""
    news_s: list[float] = field(default_factory=list)
    """How long after it happened each of the news arrived."""
    cpu_s: float = 0.0


class Watch(Companion):
    """The process, which looks until it is told to stop."""

    def __init__(self, url: str, streams: Sequence[tuple[str, str]], plan: Path) -> None:
        """``streams``: paths of tables' events, each with a token."""
        super().__init__(__name__, {"url": url, "streams": streams}, plan)

    def seen(self, news: int) -> Seen:
        """All that was seen until so many news had come; it looks no more."""
        return Seen(**self.asked(str(news)))


@dataclass(frozen=True)
class _Place:
    host: str
    port: int

    @property
    def headers(self) -> dict[str, str]:
        return {"Host": f"{self.host}:{self.port}"}


async def _moments() -> AsyncIterator[None]:
    """The moments at which the service, and the idle process, are asked."""
    wait = _FIRST_S
    while True:
        yield
        await asyncio.sleep(wait)
        wait *= _LONGER


async def _told(reader: asyncio.StreamReader) -> bytes:
    """The body of an answer whose length is told; it says that all is well."""
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return await reader.readexactly(int(lengths[0].partition(b":")[2]))


async def _health(place: _Place, seen: Seen) -> None:
    reader, writer = await asyncio.open_connection(place.host, place.port)
    request = head_of("GET", "/v1/health", place.headers)
    async for _ in _moments():
        begun = time.perf_counter()
        writer.write(request)
        await _told(reader)
        seen.health_s.append(time.perf_counter() - begun)


async def _echo(port: int, seen: Seen) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    async for _ in _moments():
        begun = time.perf_counter()
        writer.write(b"are you there?\n")
        await reader.readline()
        seen.echo_s.append(time.perf_counter() - begun)


async def _news(place: _Place, path: str, token: str, seen: Seen, open_: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection(place.host, place.port)
    headers = {**place.headers, "Authorization": f"Bearer {token}"}
    writer.write(head_of("GET", path, headers))
    while line := await reader.readline():
        if line.startswith(b"retry:"):
            open_.set()
        if line.startswith(b"data:"):
            event = json.loads(line.removeprefix(b"data:"))
            seen.news_s.append(time.time() - event["at"])


async def _until_told(opened: Sequence[asyncio.Event], seen: Seen) -> None:
    """Says that it looks, and returns when it was told to stop and the awaited news have come."""
    await asyncio.gather(*(event.wait() for event in opened))
    print("ready", flush=True)  # noqa: T201 - this is how it talks
    wanted = int(await asyncio.to_thread(sys.stdin.readline))
    until = time.monotonic() + _LATEST_S
    while len(seen.news_s) < wanted and time.monotonic() < until:
        await asyncio.sleep(_FIRST_S)


async def _look(place: _Place, streams: Sequence[tuple[str, str]]) -> Seen:
    seen = Seen()
    command = [sys.executable, "-c", _ECHO]
    echo = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        assert echo.stdout is not None
        port = int(await echo.stdout.readline())
        listening = [(path, token, asyncio.Event()) for path, token in streams]
        tasks = [_news(place, path, token, seen, open_) for path, token, open_ in listening]
        looking = asyncio.gather(_health(place, seen), _echo(port, seen), *tasks)
        told = _until_told([open_ for *_, open_ in listening], seen)
        both: list[asyncio.Future[Any]] = [looking, asyncio.ensure_future(told)]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if looking.done():
            looking.result()  # what went wrong
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
    finally:
        echo.kill()
        await echo.wait()
    times = os.times()
    seen.cpu_s = times.user + times.system
    return seen


def _main(plan: Path) -> None:
    told = json.loads(plan.read_text())
    where = urlsplit(told["url"])
    assert where.hostname is not None
    assert where.port is not None
    seen = asyncio.run(_look(_Place(where.hostname, where.port), told["streams"]))
    print(json.dumps(asdict(seen)), flush=True)  # noqa: T201


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
