"""Somebody at another address who asks as usual, and notes how long each answer takes."""

import socket
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.campaigns.phones import head_of

ADDRESS = "127.0.0.1"
_PAUSE_S = 0.01
_PATIENCE_S = 30.0


@dataclass(frozen=True)
class Ask:
    """A question, as it goes out."""

    method: str
    path: str
    token: str = ""
    body: bytes = b""

    def request(self, host: str) -> bytes:
        """The whole request."""
        headers = {"Host": host, "Connection": "close"}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if self.body:
            headers |= {
                "Content-Type": "application/json",
                "Content-Length": str(len(self.body)),
            }
        return head_of(self.method, self.path, headers) + self.body


@dataclass
class Answers:
    """How long answers took, and what else came."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def median_ms(self) -> float:
        """Half of the answers took no longer."""
        return statistics.median(self.seconds) * 1e3

    @property
    def late_ms(self) -> float:
        """95 % of the answers took no longer."""
        return sorted(self.seconds)[int(len(self.seconds) * 0.95)] * 1e3

    def __str__(self) -> str:
        return f"{self.median_ms:.1f} ms, 95 % within {self.late_ms:.1f} ms"


def ask_for_a_while(url: str, asks: Sequence[Ask], seconds: float, answers: Answers) -> None:
    """Ask one after the other, each by a connection of its own; note what comes of it."""
    where = urlsplit(url)
    assert where.port is not None
    requests = [ask.request(where.netloc) for ask in asks]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for request in requests:
            begun = time.perf_counter()
            try:
                status = _status((str(where.hostname), where.port), request)
            except OSError as error:
                answers.failures.append(repr(error))
            else:
                if status != 200:
                    answers.failures.append(f"{request.split(b'?')[0][:60]!r}: {status}")
            answers.seconds.append(time.perf_counter() - begun)
            time.sleep(_PAUSE_S)


def _status(address: tuple[str, int], request: bytes) -> int:
    with socket.create_connection(address, _PATIENCE_S, source_address=(ADDRESS, 0)) as line:
        line.sendall(request)
        answer = line.recv(65_536)
        while piece := line.recv(65_536):
            answer += piece
    return int(answer.split(b" ", 2)[1])
