"""Killed at any moment, a service has lost nothing that it said was done."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
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

OPERATIONS = 300
KILLS = 8
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
            yield
        finally:
            self.kill()


class Player:
    """Sends trays and corrections, each until it is answered, and notes what was said."""

    def __init__(self, service: Mortal, table: str, token: str, name: str) -> None:
        self._service, self._table, self.name = service, table, name
        self._headers = {"Authorization": f"Bearer {token}"}
        self._chance = Random(name)
        self.done: list[dict[str, Any]] = []

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
        url = f"http://127.0.0.1:{self._service.port}/v1/tables/{self._table}"
        headers = {**self._headers, "Idempotency-Key": key}
        for _ in range(100):
            self._service.alive.wait(120)
            try:
                answer = httpx2.request(
                    url=f"{url}/rounds/1/trays/{self.name}", headers=headers, timeout=60, **asked
                )
            except httpx2.HTTPError:
                time.sleep(0.05)
                continue
            if answer.status_code == 422:  # a colour too many
                return
            assert answer.status_code < 300, answer.text
            self.done.append({**answer.json(), "key": key, "method": asked["method"]})
            return
        raise AssertionError(f"{key} was never answered")


def test_nothing_acknowledged_is_lost(tmp_path: Path, database_url: str | None) -> None:
    directory = tmp_path / "data"
    service = Mortal(directory, database_url)
    with service.running():
        base = f"http://127.0.0.1:{service.port}/v1/tables"
        opened = httpx2.post(base, json={"players": PLAYERS}, timeout=60).json()
        host = {"Authorization": f"Bearer {opened['host_token']}"}
        assert httpx2.post(
            f"{base}/{opened['id']}/rounds", json={}, headers=host, timeout=60
        ).is_success
        players = [Player(service, opened["id"], opened["host_token"], name) for name in PLAYERS]
        _play_and_kill(service, players)
        bundle = tmp_path / "evidence.zip"
        answer = httpx2.get(f"{base}/{opened['id']}/evidence.zip", headers=host, timeout=120)
        bundle.write_bytes(answer.content)
        ledger = httpx2.get(f"{base}/{opened['id']}/ledger", headers=host, timeout=60).json()
    assert verify(bundle).problems == ()
    _all_done_is_there(players, ledger["entries"])
    _no_orphans(Store(directory, database_url))


def _play_and_kill(service: Mortal, players: list[Player]) -> None:
    chance = Random(9)
    with ThreadPoolExecutor(len(players)) as threads:
        futures = [
            threads.submit(_act_often, player, OPERATIONS // len(players)) for player in players
        ]
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.2, 3.0))
            service.kill()
            service.start()
        for future in futures:
            future.result()


def _act_often(player: Player, times: int) -> None:
    for number in range(times):
        player.act(number)


def _all_done_is_there(players: list[Player], entries: list[dict[str, Any]]) -> None:
    assert sum(len(player.done) for player in players) > OPERATIONS // 2
    for player in players:
        own = [entry for entry in entries if entry["body"].get("player") == player.name]
        for done in player.done:
            newest = [entry for entry in own if entry["sequence"] <= done["version"]][-1]
            told = newest["body"].get("after") or newest["body"]["layout"]
            assert told == done["tray"]["layout"], done["key"]
        sent = [entry["sequence"] for entry in own if entry["kind"] == "tray_submitted"]
        assert sent == [done["version"] for done in player.done if done["method"] == "POST"]


def _no_orphans(store: Store) -> None:
    store.open()
    with store.database.reading() as connection:
        wanted = tables.all_files(connection)
    assert {path.stem for path in store.files.all()} == wanted
    store.close()
