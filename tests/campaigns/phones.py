"""Phones that send their photos all at once, in a process of their own and with little work.

Phones have processors of their own, and the service's machine none to spare: so whole requests are
made before the clock starts, and what sends them is one thread without an HTTP library. Run as
``python -m tests.campaigns.phones PLAN.json``: it says ``ready``, waits for a line, sends, and
prints what came of it.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.campaigns.companion import Companion

_BOUNDARY = "----trayscore-campaign"


@dataclass(frozen=True)
class Sending:
    """A photo to be sent, and where to."""

    path: str
    token: str
    photo: str

    def request(self, host: str) -> bytes:
        """The whole request, as it goes out."""
        head = f'Content-Disposition: form-data; name="photos"; filename="{Path(self.photo).name}"'
        before = f"--{_BOUNDARY}\r\n{head}\r\nContent-Type: image/jpeg\r\n\r\n".encode()
        body = before + Path(self.photo).read_bytes() + f"\r\n--{_BOUNDARY}--\r\n".encode()
        headers = {
            "Host": host,
            "Authorization": f"Bearer {self.token}",
            "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        return head_of("POST", self.path, headers) + body


@dataclass(frozen=True)
class Sent:
    """What came of it: a status a photo, when each was answered, and the processor's time."""

    statuses: list[int]
    seconds: list[float]
    cpu_s: float


class Phones(Companion):
    """The process, which is ready to send."""

    def __init__(self, url: str, sendings: Sequence[Sending], plan: Path) -> None:
        super().__init__(__name__, {"url": url, "sendings": [*map(asdict, sendings)]}, plan)

    def send(self) -> Sent:
        """What came of it, once everybody has been answered."""
        return Sent(**self.asked("send"))


def head_of(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    """The head of a request."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _answered(address: tuple[str, int], request: bytes, begun: float) -> tuple[int, float]:
    """The status that a request is answered with, and when."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1]), time.perf_counter() - begun


async def _everybody(address: tuple[str, int], requests: Sequence[bytes]) -> Sent:
    begun = time.perf_counter()
    told = await asyncio.gather(*(_answered(address, one, begun) for one in requests))
    times = os.times()
    return Sent([one for one, _ in told], [when for _, when in told], times.user + times.system)


def _main(plan: Path) -> None:
    told = json.loads(plan.read_text())
    where = urlsplit(told["url"])
    assert where.hostname is not None
    assert where.port is not None
    requests = [Sending(**one).request(where.netloc) for one in told["sendings"]]
    print("ready", flush=True)  # noqa: T201 - this is how it talks
    sys.stdin.readline()
    before = os.times()
    sent = asdict(asyncio.run(_everybody((where.hostname, where.port), requests)))
    sent["cpu_s"] -= before.user + before.system
    print(json.dumps(sent), flush=True)  # noqa: T201


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
