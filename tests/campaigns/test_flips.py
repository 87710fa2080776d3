"""Bits flip in the database, in photos and in backups: each flip is found, or harms nothing."""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from api.storage import schema, tables
from api.storage.backup import take_backup
from api.storage.backup_file import BackupError
from api.storage.check import check_store
from api.storage.database import DatabaseError
from api.storage.restore import restore_backup
from api.storage.store import Store
from tests.api.tables.played import played
from tests.campaigns.sizes import size

DATABASE_FLIPS, PHOTO_FLIPS, BACKUP_FLIPS = size(25, 500), size(10, 200), size(15, 300)
_TRANSIENT = ("pin_tries", "pin_rests_until")
"""How often a wrong PIN was given lately: a count that nobody misses."""

pytestmark = pytest.mark.slow


def flip(path: Path, chance: Random) -> int:
    """Where one bit of the file was flipped; every second time where something is written."""
    content = bytearray(path.read_bytes())
    written = [place for place, byte in enumerate(content) if byte]
    place = chance.choice(written) if chance.random() < 0.5 else chance.randrange(len(content))
    content[place] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    return place


def all_rows(directory: Path) -> dict[str, list[Any]]:
    """All that the service would read there: rows as values, histories as entries."""
    store = Store(directory)
    with store.database.reading() as connection:
        rows: dict[str, list[Any]] = {
            table.name: [
                {str(name): value for name, value in row.items() if name not in _TRANSIENT}
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
                .mappings()
                .all()
            ]
            for table in schema.metadata.sorted_tables
            if table not in (schema.entries, schema.identity)
        }
        ids = [row["id"] for row in rows["tables"]]
        rows["entries"] = [tables.entries(connection, table) for table in ids]
    store.close()
    return rows


def photos(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.glob("photos/*/*")}


def is_found(directory: Path) -> bool:
    """Whether a check tells that something is wrong, or cannot even look."""
    try:
        return not check_store(directory, None).sound
    except DatabaseError:
        return True


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory whose database is one file: no log of writes beside it."""
    played(tmp_path / "home")
    assert not is_found(tmp_path / "home")
    assert [path.name for path in (tmp_path / "home").glob("trayscore.db*")] == ["trayscore.db"]
    return tmp_path / "home"


def test_flips_in_the_database(home: Path, tell: Callable[[str], None]) -> None:
    chance, seen = Random(1), Counter[str]()
    before, sound = all_rows(home), (home / "trayscore.db").read_bytes()
    for _ in range(DATABASE_FLIPS):
        for path in home.glob("trayscore.db*"):
            path.unlink()
        (home / "trayscore.db").write_bytes(sound)
        place = flip(home / "trayscore.db", chance)
        if is_found(home):
            seen["found"] += 1
        else:
            assert all_rows(home) == before, f"a flip at byte {place} changed something unseen"
            seen["harmless"] += 1
    tell(f"{DATABASE_FLIPS} bits flipped in a database of {len(sound)} bytes: {dict(seen)}")
    assert seen["found"]


def test_flips_in_photos(home: Path, tell: Callable[[str], None]) -> None:
    chance = Random(2)
    files = sorted(home.glob("photos/*/*"))
    for _ in range(PHOTO_FLIPS):
        path = chance.choice(files)
        before = path.read_bytes()
        flip(path, chance)
        found = check_store(home, None)
        assert found.damaged == (path.name,)
        path.write_bytes(before)
    tell(f"{PHOTO_FLIPS} bits flipped in photos: all found and named")


def test_flips_in_backups(home: Path, tmp_path: Path, tell: Callable[[str], None]) -> None:
    chance, seen = Random(3), Counter[str]()
    file, target = tmp_path / "all.backup", tmp_path / "target"
    take_backup(home, None, file)
    whole = file.read_bytes()
    restore_backup(file, target, None)
    rows, pictures = all_rows(target), photos(target)
    for _ in range(BACKUP_FLIPS):
        shutil.rmtree(target, ignore_errors=True)
        file.write_bytes(whole)
        place = flip(file, chance)
        try:
            restored = restore_backup(file, target, None)
        except BackupError:
            seen["refused"] += 1
            assert not target.exists(), place
        else:
            assert restored.whole
            assert (all_rows(target), photos(target)) == (rows, pictures), place
            seen["harmless"] += 1
    tell(f"{BACKUP_FLIPS} bits flipped in a backup of {len(whole)} bytes: {dict(seen)}")
    assert seen["refused"]
