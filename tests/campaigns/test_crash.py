"""Killed at any moment, the service loses nothing that it said it had, and keeps nothing else.

Fifty kills amid 1,800 deeds with ``TRAYSCORE_CAMPAIGN=full``.
"""

import json
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import httpx2
import pytest
from sqlalchemy import Connection

from api.evidence.verify import verify
from api.ledger.chain import Entry, breaks
from api.photos.cleaning import cleaned
from api.storage.store import Store
from rules.dimension.board import seats_in, shapes
from rules.dimension.layout import COLORS, PER_COLOR, Layout
from tests.campaigns.serving import Serving, Table, as_upload, client, done, open_table, photos
from tests.campaigns.sizes import size

TABLES = size(small=3, full=18)
SUBMISSIONS = 100 * TABLES
KILLS = size(small=8, full=50)
DEVICES = 4
PLAYERS = ("Ada", "Ben", "Cleo")
NAMES = ("01211.jpg", "01006.jpg", "02414.jpg")


@dataclass(frozen=True)
class Deed:
    """Something a device does: a tray by hand or by photo, or a correction of one."""

    key: str
    table: Table
    player: str
    kind: str
    layout: str = ""
    photo: bytes = b""
    seats: dict[str, str] = field(default_factory=dict, hash=False)

    def ask(self, asking: httpx2.Client) -> httpx2.Response:
        """The service's answer."""
        headers = {**self.table.headers, "Idempotency-Key": self.key}
        place = self.table.tray(self.player)
        if self.kind == "photo":
            return asking.post(place, files=as_upload(self.photo), headers=headers)
        if self.kind == "hand":
            return asking.post(place, json={"layout": self.layout}, headers=headers)
        asked = {"seats": self.seats, "reason": self.key}
        return asking.patch(place, json=asked, headers=headers)

    def is_in(self, entries: list[dict[str, Any]]) -> bool:
        """Whether the last of these entries is this deed, or it was a correction of nothing."""
        newest = entries[-1]
        told = json.dumps(newest["body"])
        if self.kind == "correct":
            corrected = newest["kind"] == "tray_corrected" and newest["body"]["reason"] == self.key
            return corrected or self._was_so_before(entries)
        submitted = newest["kind"] == "tray_submitted" and newest["body"]["player"] == self.player
        if self.kind == "photo":
            return bool(submitted and sha256(cleaned(self.photo).content).hexdigest() in told)
        return bool(submitted and self.layout in told)

    def _was_so_before(self, entries: list[dict[str, Any]]) -> bool:
        own = [entry["body"] for entry in entries if entry["body"].get("player") == self.player]
        layout = Layout.parse(own[-1].get("after") or own[-1]["layout"])
        return all(layout[seat] == color for seat, color in self.seats.items())


@dataclass
class Devices:
    """Phones that do deeds, and do again what was not answered, until all is done."""

    serving: Serving
    deeds: "Queue[Deed]"
    recorded: dict[str, tuple[Deed, int]] = field(default_factory=dict)
    """By key: the deed that was done, and the table's version after it."""
    refused: dict[str, Deed] = field(default_factory=dict)
    """Corrections that no tray can hold, photos in which no tray was found: nothing is recorded."""
    problems: list[str] = field(default_factory=list)
    again: int = 0

    @property
    def answered(self) -> int:
        """How many deeds the service answered for good."""
        return len(self.recorded) + len(self.refused)

    def work(self) -> None:
        """What one device does."""
        while True:
            try:
                deed = self.deeds.get_nowait()
            except Empty:
                return
            while not self._done(deed):
                self.again += 1
                time.sleep(0.05)

    def _done(self, deed: Deed) -> bool:
        try:
            with client(self.serving.url) as asking:
                answer = deed.ask(asking)
        except httpx2.TransportError:
            return False  # it was killed meanwhile: nobody knows whether it was done
        if answer.status_code == 503:
            return False
        if answer.status_code == (200 if deed.kind == "correct" else 201):
            self.recorded[deed.key] = deed, answer.json()["version"]
        elif answer.status_code == (422 if deed.kind == "correct" else 200):
            self.refused[deed.key] = deed
        else:
            self.problems.append(f"{deed.kind}: {answer.status_code} {answer.text}")
        return True


def any_layout(chance: random.Random) -> str:
    colors = chance.sample(COLORS * PER_COLOR, len(COLORS) * PER_COLOR)
    return str(Layout.of(dict(zip(seats_in(chance.choice(shapes())), colors, strict=False))))


def any_deed(number: int, chance: random.Random, tables: list[Table], shown: list[bytes]) -> Deed:
    kind = chance.choice(("hand", "photo", "correct"))
    return Deed(
        key=f"deed-{number:03d}",
        table=chance.choice(tables),
        player=chance.choice(PLAYERS),
        kind=kind,
        layout=any_layout(chance),
        photo=shown[number % len(shown)],
        seats={f"R{chance.randrange(6)}": chance.choice(COLORS)},  # sometimes one too many
    )


def ledger(asking: httpx2.Client, table: Table) -> dict[str, Any]:
    told = done(asking.get(f"/v1/tables/{table.id}/ledger", headers=table.headers)).json()
    assert isinstance(told, dict)
    return told


def check_ledgers(serving: Serving, devices: Devices, tables: list[Table]) -> None:
    """Every chain holds, and all that was answered is there, where the answer said."""
    recorded = list(devices.recorded.values())
    with client(serving.url) as asking:
        for table in tables:
            told = ledger(asking, table)
            assert not list(breaks(table.id, [Entry.from_json(row) for row in told["entries"]]))
            for deed, version in recorded:
                if deed.table == table:
                    assert deed.is_in(told["entries"][:version]), deed


def check_exactly_once(asking: httpx2.Client, devices: Devices, table: Table) -> None:
    """However often a deed was sent, it was done once; nothing else was."""
    entries = ledger(asking, table)["entries"]
    deeds = [deed for deed, _ in devices.recorded.values() if deed.table == table]
    reasons = [entry["body"]["reason"] for entry in entries if entry["kind"] == "tray_corrected"]
    assert len(reasons) == len(set(reasons))
    assert set(reasons) <= {deed.key for deed in deeds if deed.kind == "correct"}
    submitted = sum(entry["kind"] == "tray_submitted" for entry in entries) - len(PLAYERS)
    assert submitted == sum(deed.kind != "correct" for deed in deeds)


def check_nothing_is_left_over(data: Path, database_url: str | None) -> None:
    """Files and rows belong to what the histories tell, one to one."""
    store = Store(data, database_url)
    with store.database.reading() as database:
        told = {
            digest
            for (files,) in database.exec_driver_sql("select files from entries")
            for digest in json.loads(files)
        }
        rows = {tuple(row) for row in database.exec_driver_sql("select sha256, suffix from files")}
        lengths = _pairs(database, "select id, length from tables")
        counts = _pairs(database, "select table_id, count(*) from entries group by 1")
        strangers = [
            name
            for name in ("entries", "players", "files", "answers")
            for _ in database.exec_driver_sql(
                f"select 1 from {name} where table_id not in (select id from tables)"
            )
        ]
    store.database.close()
    files = [file for file in (data / "photos").rglob("*") if file.is_file()]
    on_disk = {(file.stem, file.suffix[1:]) for file in files}
    assert on_disk == rows
    assert {digest for digest, _ in rows} == told
    assert counts == lengths
    assert not strangers


def _pairs(database: Connection, query: str) -> dict[str, int]:
    return {row[0]: row[1] for row in database.exec_driver_sql(query)}


@pytest.mark.slow
def test_killed_amid_submissions_and_corrections(
    tmp_path: Path, database_url: str | None, tell: Callable[[str], None]
) -> None:
    chance = random.Random(5)
    data = tmp_path / "data"
    shown = photos(90, (512, 384), NAMES)
    settings = {} if database_url is None else {"DATABASE_URL": database_url}
    with Serving(data, {"WORKERS": "2", **settings}) as serving:
        with client(serving.url) as asking:
            tables = [open_table(asking, PLAYERS) for _ in range(TABLES)]
            for table in tables:
                for player in PLAYERS:
                    layout = {"layout": any_layout(chance)}
                    done(asking.post(table.tray(player), json=layout, headers=table.headers))
        deeds: Queue[Deed] = Queue()
        for number in range(SUBMISSIONS):
            deeds.put(any_deed(number, chance, tables, shown))
        devices = Devices(serving, deeds)
        threads = [threading.Thread(target=devices.work, daemon=True) for _ in range(DEVICES)]
        for thread in threads:
            thread.start()
        for number in range(1, KILLS + 1):
            goal = number * SUBMISSIONS // (KILLS + 1)
            while devices.answered < goal and not devices.problems:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.2))
            serving.kill()
            serving.start()
            check_ledgers(serving, devices, tables)
        for thread in threads:
            thread.join()
        assert not devices.problems
        assert devices.answered == SUBMISSIONS
        assert len(devices.recorded) > SUBMISSIONS / 2
        check_ledgers(serving, devices, tables)
        with client(serving.url) as asking:
            for table in tables:
                check_exactly_once(asking, devices, table)
                bundle = asking.get(f"/v1/tables/{table.id}/evidence.zip", headers=table.headers)
                (tmp_path / "evidence.zip").write_bytes(done(bundle).content)
                assert verify(tmp_path / "evidence.zip").intact
        serving.stop()
    check_nothing_is_left_over(data, database_url)
    told = f"{KILLS} kills amid {SUBMISSIONS} deeds, {len(devices.refused)} refused, "
    told += f"{devices.again} times sent again"
    tell(f"{told}: nothing lost, nothing done twice, nothing left over")
