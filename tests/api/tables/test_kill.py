"""Killed at any moment, a service has lost nothing that it said was done.

Fifty kills with ``TRAYSCORE_CAMPAIGN=full``.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import httpx2
import pytest

from api.evidence.verify import verify
from api.storage import tables
from api.storage.store import Store
from tests.api.tables.house import A, B, C, form, photo
from tests.campaigns.sizes import size

TABLES = size(small=1, full=6)
OPERATIONS = 300 * TABLES
KILLS = size(small=8, full=50)
PLAYERS = ("Ada", "Ben", "Cleo", "Dan")

pytestmark = pytest.mark.slow


class Mortal:
    """A service that can be killed and started again."""

    def __init__(self, directory: Path, database_url: str | None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._arguments = [
            str(directory),
            str(self.port),
            *([database_url] if database_url else []),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self.alive = Event()
        self.client = httpx2.Client(timeout=60)  # one for all: making one takes longest

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [sys.executable, "-m", "tests.api.tables.mortal", *self._arguments]
        self._process = subprocess.Popen(command)
        for _ in range(600):
            try:
                httpx2.get(f"http://127.0.0.1:{self.port}/v1/deck", timeout=5)
            except httpx2.HTTPError:
                assert self._process.poll() is None, "the service did not start"
                time.sleep(0.1)
            else:
                self.alive.set()
                return
        raise AssertionError("the service does not answer")

    def kill(self) -> None:
        """Kill it as a power cut would."""
        assert self._process is not None
        self.alive.clear()
        self._process.kill()
        self._process.wait()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Start now, and kill in the end."""
        self.start()
        try:
            with self.client:
                yield
        finally:
            self.kill()


class Player:
    """Sends trays and corrections, each until it is answered, and notes what was said."""

    def __init__(self, service: Mortal, table: str, token: str, name: str) -> None:
        self._service, self.table, self.name = service, table, name
        self._headers = {"Authorization": f"Bearer {token}"}
        self._chance = Random(f"{name} at {table}")
        self.done: list[dict[str, Any]] = []
        self.put_off = 0

    def act(self, number: int) -> None:
        """One submission or correction."""
        if not self.done or self._chance.random() < 0.5:
            asked: dict[str, Any] = {"method": "POST"}
            if self._chance.random() < 0.6:
                asked["files"] = form(photo(self._chance.randrange(5000)))
            else:
                asked["json"] = {"layout": self._chance.choice((A, B, C))}
        else:
            color = self._chance.choice(("O", "B", "G", "K", "W"))
            asked = {"method": "PATCH", "json": {"seats": {"R0": color}, "reason": str(number)}}
        self._until_answered(f"{self.name} {number}", asked)

    def _until_answered(self, key: str, asked: dict[str, Any]) -> None:
        url = f"http://127.0.0.1:{self._service.port}/v1/tables/{self.table}"
        headers = {**self._headers, "Idempotency-Key": key}
        until = time.monotonic() + 300
        while time.monotonic() < until:
            self._service.alive.wait(120)
            try:
                answer = self._service.client.request(
                    url=f"{url}/rounds/1/trays/{self.name}", headers=headers, **asked
                )
            except httpx2.HTTPError:
                time.sleep(0.05)
                continue
            if answer.status_code == 422:  # a colour too many
                return
            if answer.status_code in (503, 507):  # no room, or no database, for now
                assert int(answer.headers["retry-after"]) > 0
                self.put_off += 1
                time.sleep(0.05)
                continue
            assert answer.status_code < 300, answer.text
            self.done.append({**answer.json(), "key": key, "method": asked["method"]})
            return
        raise AssertionError(f"{key} was never answered")


def test_nothing_acknowledged_is_lost(
    tmp_path: Path, database_url: str | None, tell: Callable[[str], None]
) -> None:
    directory = tmp_path / "data"
    service = Mortal(directory, database_url)
    with service.running():
        base = f"http://127.0.0.1:{service.port}/v1/tables"
        tokens = dict(open_table(base) for _ in range(TABLES))
        groups = [
            [Player(service, table, token, name) for name in PLAYERS]
            for table, token in tokens.items()
        ]
        _play_and_kill(service, groups)
        for table, players in zip(tokens, groups, strict=True):
            host = {"Authorization": f"Bearer {tokens[table]}"}
            bundle = tmp_path / "evidence.zip"
            answer = httpx2.get(f"{base}/{table}/evidence.zip", headers=host, timeout=120)
            bundle.write_bytes(answer.content)
            assert verify(bundle).problems == ()
            ledger = httpx2.get(f"{base}/{table}/ledger", headers=host, timeout=60).json()
            all_done_is_there(players, ledger["entries"])
    done = sum(len(player.done) for players in groups for player in players)
    assert done > OPERATIONS // 2
    no_orphans(Store(directory, database_url))
    tell(f"{KILLS} kills, {done} of {OPERATIONS} operations done: nothing lost")


def open_table(base: str) -> tuple[str, str]:
    """A table with a round under way, and its host's token."""
    opened = httpx2.post(base, json={"players": PLAYERS}, timeout=60).json()
    host = {"Authorization": f"Bearer {opened['host_token']}"}
    rounds = f"{base}/{opened['id']}/rounds"
    assert httpx2.post(rounds, json={}, headers=host, timeout=60).is_success
    return opened["id"], opened["host_token"]


def _play_and_kill(service: Mortal, groups: list[list[Player]]) -> None:
    """The players of each table play it, one table after the other, while the service dies."""
    chance, often = Random(9), OPERATIONS // TABLES // len(PLAYERS)
    with ThreadPoolExecutor(len(PLAYERS)) as threads:
        futures = [
            threads.submit(_act_often, list(seat), often) for seat in zip(*groups, strict=True)
        ]
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.2, 3.0))
            service.kill()
            service.start()
        for future in futures:
            future.result()


def _act_often(at_tables: list[Player], times: int) -> None:
    for player in at_tables:
        for number in range(times):
            player.act(number)


def all_done_is_there(players: list[Player], entries: list[dict[str, Any]]) -> None:
    for player in players:
        own = [entry for entry in entries if entry["body"].get("player") == player.name]
        for done in player.done:
            newest = [entry for entry in own if entry["sequence"] <= done["version"]][-1]
            told = newest["body"].get("after") or newest["body"]["layout"]
            assert told == done["tray"]["layout"], done["key"]
        sent = [entry["sequence"] for entry in own if entry["kind"] == "tray_submitted"]
        assert sent == [done["version"] for done in player.done if done["method"] == "POST"]


def no_orphans(store: Store) -> None:
    store.open()
    with store.database.reading() as connection:
        wanted = tables.all_files(connection)
    assert {path.stem for path in store.files.all()} == wanted
    store.close()
