"""What is kept on disk: photos, room for them, backups, and what a crash leaves behind."""

from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from PIL import Image

from api.photos.cleaning import cleaned
from api.storage.database import Database, DatabaseError
from api.storage.schema import metadata
from api.storage.store import Store
from tests.api.tables.house import A, At, B, House, house, photo, refused
from tests.vision.dimension.readings import make_reading


def files_in(store: Store) -> set[str]:
    return {path.stem for path in store.files.all()}


def test_the_migrations_make_the_schema(database_url: str | None, tmp_path: Path) -> None:
    database = Database(database_url or f"sqlite:///{tmp_path / 'x.db'}")
    database.open()
    database.open()
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


def test_what_sqlite_is_told(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'x.db'}")
    database.open()
    with database.reading() as connection:
        told = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert told == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    database.close()


@pytest.mark.parametrize("url", ["nonsense", "mysql://x", "sqlite:////nowhere/at/all.db"])
def test_databases_that_cannot_be_used(url: str) -> None:
    with pytest.raises(DatabaseError):
        Database(url).open()


def test_one_process_has_a_directory(tmp_path: Path) -> None:
    first, second = Store(tmp_path), Store(tmp_path)
    first.open()
    with pytest.raises(DatabaseError, match="Another Trayscore"):
        second.open()
    first.close()
    second.open()
    second.close()


def test_secrets_are_nowhere_on_disk(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        keyed = {"Idempotency-Key": "0123"}
        opened = at.client.post("/v1/tables", json={"players": ["Ada"]}, headers=keyed).json()
        host = At(at, opened["id"], opened["code"], opened["host_token"])
        join = f"/v1/tables/{host.code}/join"
        token = at.client.post(join, json={"player": "Ada"}, headers=keyed).json()["player_token"]
        host.do("/players/Ada/pin", {"pin": "97531864"}, headers=keyed)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert host.id.encode() in kept
    for secret in (host.token, token, "97531864", sha256(b"97531864").hexdigest()):
        assert secret.encode() not in kept


def test_a_photo_is_there_once_and_goes_with_its_last_table(
    tmp_path: Path, database_url: str | None
) -> None:
    with house(tmp_path, database_url) as at:
        tables = [at.open("Ada"), at.open("Ada")]
        for table in tables:
            table.reveal()
            table.photographed(1, "Ada", A, photo(1))
        tables[0].photographed(1, "Ada", A, photo(2))
        assert len(files_in(at.store)) == 2
        tables[0].ask("DELETE")
        (kept,) = files_in(at.store)
        assert tables[1].ask("GET", f"/photos/{kept}").status_code == 200
        tables[1].ask("DELETE")
        assert not files_in(at.store)
        with at.store.database.reading() as connection:
            for name in metadata.tables.keys() - {"identity"}:
                assert connection.exec_driver_sql(f"SELECT 1 FROM {name}").first() is None, name


def test_what_a_crash_left_goes_to_the_trash(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        host = at.open("Ada")
        host.reveal()
        host.photographed(1, "Ada", A, photo(1))
        (kept,) = files_in(at.store)
        orphan = at.store.files.write(b"not pointed to", "jpg")
        part = at.store.files.path(orphan, "jpg").with_name(".abc.part")
        part.write_bytes(b"half")
    with house(tmp_path) as at:
        assert files_in(at.store) == {kept}
        assert {orphan, ".abc"} == set(at.store.trash.files())


def test_a_refused_submission_leaves_no_photo(at: House) -> None:
    host = at.open("Ada", "Ben")
    before = files_in(at.store)
    host.reveal()
    at.readers.show(photo(400), make_reading(A))
    answer = host.send(1, "Ada", photo(400), headers={"If-Match": '"1"'})
    refused(answer, 412, "stale")
    assert files_in(at.store) == before


def large_photo(seed: int, kilobytes: int = 400) -> bytes:
    """A photo of about this size."""
    side = int((kilobytes * 1000 / 2.7) ** 0.5)
    noise = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
    out = BytesIO()
    Image.fromarray(noise).save(out, "JPEG", quality=95, subsampling=0)
    assert 0.8 <= len(out.getvalue()) / kilobytes / 1000 <= 1.2
    return out.getvalue()


def test_there_is_a_limit_on_photos(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url, disk_limit_mb=1) as at:
        host, other = at.open("Ada", "Ben"), at.open("Cleo", "Dan")
        for table, player, seed in ((host, "Ada", 1), (other, "Cleo", 2)):
            table.reveal()
            table.photographed(1, player, A, large_photo(seed))
        at.readers.show(third := large_photo(3), make_reading(A))
        version = host.state()["version"]
        refused(host.send(1, "Ben", third), 507, "disk_full")
        assert host.state()["version"] == version
        assert len(files_in(at.store)) == 2
        host.submit(1, "Ben", B)
        assert other.ask("DELETE").status_code == 204  # makes room
        assert host.send(1, "Ben", third).status_code == 201


def test_the_limit_counts_what_was_there_before_a_restart(tmp_path: Path) -> None:
    with house(tmp_path, disk_limit_mb=1) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        host.photographed(1, "Ada", A, large_photo(1, 900))
    with house(tmp_path, disk_limit_mb=1) as at:
        again = At(at, host.id, host.code, host.token)
        at.readers.show(second := large_photo(2), make_reading(A))
        refused(again.send(1, "Ben", second), 507, "disk_full")


def test_a_full_disk_holds_up_no_game(tmp_path: Path) -> None:
    """A round is locked without the drawings of its photos, for which there is no room."""
    with house(tmp_path, disk_limit_mb=1) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        content = large_photo(1, 900)
        host.photographed(1, "Ada", A, content)
        host.submit(1, "Ben", B)
        at.readers.drawing = bytes(200_000)
        host.lock(1)
        (entry,) = [
            e for e in host.do("/ledger", method="GET")["entries"] if e["kind"] == "round_locked"
        ]
        assert (entry["files"], entry["body"]["overlays"]) == ([], {})
        assert files_in(at.store) == {sha256(cleaned(content).content).hexdigest()}
