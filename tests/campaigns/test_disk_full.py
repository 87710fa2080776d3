"""The disk fills up and the database goes away, again and again, while people play.

All that was refused is done later by the same request, nothing that was said to be done is lost,
and the service says by itself when it is ready again. Thirty outages with
``TRAYSCORE_CAMPAIGN=full``. A disk of its own takes root; without, only the database goes away.
"""

import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx2
import psycopg
import pytest

from api.evidence.verify import verify
from api.storage.store import Store
from tests.api.tables import postgres
from tests.api.tables.test_kill import (
    PLAYERS,
    Mortal,
    Player,
    all_done_is_there,
    no_orphans,
    open_table,
)
from tests.campaigns.sizes import size

pytestmark = pytest.mark.slow

OUTAGES = size(small=4, full=30)
DISK_MB = 120
"""Photos want 50 MB to be free, so a disk that is not full has more."""


class Outage(Protocol):
    """Something that stops the service from keeping things, and its end."""

    @property
    def code(self) -> str: ...
    def begin(self) -> None: ...
    def end(self) -> None: ...


@dataclass(frozen=True)
class Ballast:
    """A file that takes all the room there is."""

    file: Path
    code: str = "disk_full"

    def begin(self) -> None:
        with suppress(OSError), self.file.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1_000_000))
        with suppress(OSError), self.file.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(512))

    def end(self) -> None:
        self.file.unlink()


@dataclass(frozen=True)
class Stopped:
    """A database server that is stopped."""

    server: postgres.Server
    code: str = "database_away"

    def begin(self) -> None:
        self.server.stop()

    def end(self) -> None:
        self.server.start()


@dataclass(frozen=True)
class Place:
    """Where a service keeps its things, and what can happen to it there."""

    directory: Path
    database_url: str | None
    outages: list[Outage]


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """A disk that can be filled up; None if one may not have one."""
    place = Path(tempfile.mkdtemp(prefix="ts-disk-", dir="/tmp"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=755", "tmpfs", str(place)]
    mounted = os.getuid() == 0 and subprocess.run(mount, check=False).returncode == 0
    try:
        yield place if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(place)], check=True)
        shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A service's directory and database, on a disk of their own where that is possible."""
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk())
        directory = (disk or tmp_path) / "data"
        ballast: list[Outage] = [] if disk is None else [Ballast(disk / "ballast")]
        if request.param == "sqlite":
            if disk is None:
                pytest.skip("a disk that can be filled up takes root")
            yield Place(directory, None, ballast)
            return
        if postgres.binaries() is None:
            pytest.skip(postgres.MISSING)
        server = stack.enter_context(postgres.mortal_server())
        _make_database(server, disk)
        yield Place(directory, server.url.format("campaign"), [*ballast, Stopped(server)])


def _make_database(server: postgres.Server, disk: Path | None) -> None:
    """A database whose tables lie on the small disk."""
    url = server.url.format("postgres").replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as database:
        where = b""
        if disk is not None:
            space = disk / "tables"
            space.mkdir()
            shutil.chown(space, server.user)
            database.execute(f"CREATE TABLESPACE small LOCATION '{space}'".encode())
            where = b" TABLESPACE small"
        database.execute(b"CREATE DATABASE campaign" + where)


def await_health(service: Mortal, status: int, code: str | None = None) -> float:
    """The seconds until the service says this of itself."""
    begun = time.monotonic()
    while time.monotonic() < begun + 30:
        answer = httpx2.get(f"http://127.0.0.1:{service.port}/v1/health", timeout=30)
        if answer.status_code == status and answer.json().get("code") == code:
            return time.monotonic() - begun
        time.sleep(0.05)
    raise AssertionError(f"{answer.status_code}: {answer.text}")


def test_what_was_refused_is_done_later_and_nothing_is_lost(
    place: Place, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    chance, service = random.Random(11), Mortal(place.directory, place.database_url)
    with service.running():
        base = f"http://127.0.0.1:{service.port}/v1/tables"
        played: list[tuple[str, list[Player]]] = []
        slowest = 0.0
        for number in range(OUTAGES):
            outage = place.outages[number % len(place.outages)]
            table, token = open_table(base)
            players = [Player(service, table, token, name) for name in PLAYERS]
            played.append((token, players))
            with ThreadPoolExecutor(len(players)) as threads:
                futures = [threads.submit(_act, player) for player in players]
                time.sleep(chance.uniform(0, 1))
                outage.begin()
                try:
                    await_health(service, 503, outage.code)
                    time.sleep(chance.uniform(0, 2))
                finally:
                    outage.end()
                slowest = max(slowest, await_health(service, 200))
                for future in futures:
                    future.result()
        for token, players in played:
            _check(base, token, players, tmp_path / "evidence.zip")
    no_orphans(Store(place.directory, place.database_url))
    everybody = [player for _, players in played for player in players]
    done, put_off = (sum(len(p.done) for p in everybody), sum(p.put_off for p in everybody))
    assert put_off
    told = f"{OUTAGES} outages, {done} done, {put_off} put off, ready again within {slowest:.1f} s"
    tell(f"{told}: nothing lost")


def _act(player: Player) -> None:
    for number in range(25):
        player.act(number)
        time.sleep(0.05)


def _check(base: str, token: str, players: list[Player], bundle: Path) -> None:
    """The table's history holds all that its players were told, and its evidence holds."""
    host, table = {"Authorization": f"Bearer {token}"}, players[0].table
    answer = httpx2.get(f"{base}/{table}/evidence.zip", headers=host, timeout=120)
    bundle.write_bytes(answer.content)
    assert verify(bundle).problems == ()
    ledger = httpx2.get(f"{base}/{table}/ledger", headers=host, timeout=60).json()
    all_done_is_there(players, ledger["entries"])
