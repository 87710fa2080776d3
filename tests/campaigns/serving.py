"""The service as its users run it: ``trayscore serve`` in a process of its own."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Self

import httpx2
from PIL import Image

from tests.api.usage import children

SAMPLES = Path(__file__).parents[2] / "sample_images"
CARDS = ["sum4:WO", "exactly:2O", "touch:OK", "touch:BB", "apart:BW", "touch:GK"]
_STARTS_IN_S = 600.0
"""Much longer than it takes: machines that test are shared."""


@dataclass
class Serving:
    """A service on a data directory; it can be killed and started again."""

    data: Path
    settings: dict[str, str] = field(default_factory=dict)
    files: int | None = None
    """How many files it may have open; None: as many as we may."""
    url: str = ""
    _process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Run it, and wait until it answers and can read."""
        port = self.url.rpartition(":")[2] or "0"
        log = (self.data.parent / f"{self.data.name}.log").open("ab")
        free = {"RATE_PER_MINUTE": "1e9", "ADDRESS_RATE_PER_MINUTE": "1e9", **self.settings}
        environment = {f"TRAYSCORE_{name}": value for name, value in free.items()}
        command = [sys.executable, "-m", "api.cli", "serve", "--host", "127.0.0.1"]
        with log:
            place = log.tell()
            self._process = subprocess.Popen(
                [*command, "--port", port, "--data", str(self.data)],
                stdout=log,
                stderr=log,
                env={**os.environ, **environment},
            )
            if self.files is not None:
                resource.prlimit(
                    self._process.pid, resource.RLIMIT_NOFILE, (self.files, self.files)
                )
        try:
            self._await(Path(log.name), place)
        except BaseException:
            self.kill()
            raise

    def _await(self, log: Path, place: int) -> None:
        until = time.monotonic() + _STARTS_IN_S
        while time.monotonic() < until:
            assert self._process is not None
            said = log.read_bytes()[place:].decode(errors="replace")
            assert self._process.poll() is None, said
            told = re.search(r"http://localhost:(\d+)/", said)
            if told:
                self.url = f"http://127.0.0.1:{told[1]}"
                if httpx2.get(f"{self.url}/v1/health", timeout=30).json()["readers"] > 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the service does not start")

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Tell it to stop, and wait until it did."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=60)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        if self._process.poll() is None:
            self.kill()

    def pids(self) -> list[int]:
        """The numbers of its process and of all that it started."""
        return [self.pid, *children(self.pid)]


@dataclass(frozen=True)
class Table:
    """A table with a round under way, and its host's token."""

    id: str
    token: str
    players: tuple[str, ...]

    @property
    def headers(self) -> dict[str, str]:
        """What says who asks."""
        return {"Authorization": f"Bearer {self.token}"}

    def tray(self, player: str) -> str:
        """Where a player's tray goes."""
        return f"/v1/tables/{self.id}/rounds/1/trays/{player}"


def open_table(client: httpx2.Client, players: tuple[str, ...]) -> Table:
    """A new table whose first round has begun."""
    opened = done(client.post("/v1/tables", json={"players": players})).json()
    table = Table(opened["id"], opened["host_token"], players)
    rounds = f"/v1/tables/{table.id}/rounds"
    done(client.post(rounds, json={"cards": CARDS}, headers=table.headers))
    return table


def done(answer: httpx2.Response) -> httpx2.Response:
    """The answer, which says that it was done."""
    assert answer.status_code in (200, 201), f"{answer.status_code}: {answer.text}"
    return answer


def as_upload(photo: bytes) -> list[tuple[str, Any]]:
    """A photo as the service takes it."""
    return [("photos", ("tray.jpg", photo, "image/jpeg"))]


def photos(count: int, size: tuple[int, int], names: tuple[str, ...]) -> list[bytes]:
    """So many different photos of trays."""
    made = []
    for number in range(count):
        with Image.open(SAMPLES / names[number % len(names)]) as image:
            file = BytesIO()
            small = image if image.size == size else image.resize(size)
            small.save(file, "JPEG", quality=95 - number // len(names))
            made.append(file.getvalue())
    return made


@contextmanager
def client(url: str) -> Iterator[httpx2.Client]:
    """Somebody who asks the service, and is patient."""
    with httpx2.Client(base_url=url, timeout=900) as asking:
        yield asking
