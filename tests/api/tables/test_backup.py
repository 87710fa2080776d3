"""Backups: whole or refused, and what they replace is kept until they stand in its place."""

import json
import shutil
import tarfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from api.cli import main
from api.ledger.chain import canonical
from api.storage import restore, restoring
from api.storage.backup import take_backup
from api.storage.backup_file import RECORD, Record
from api.storage.check import check_store
from api.storage.checksums import changed_rows
from api.storage.database import Database, DatabaseError
from api.storage.restore import restore_backup
from api.storage.store import Store
from tests.api.tables.house import A, At, B, house, photo, refused
from tests.api.tables.played import Played, played

DATA = Path(__file__).parent / "data"


def told(host: At) -> Any:
    return {**host.state(), "server_now": 0}, host.do("/ledger", method="GET")


def kept(directory: Path) -> dict[str, bytes]:
    """Everything in a directory but what opening a database leaves beside it."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


@pytest.fixture
def source(tmp_path: Path) -> Path:
    played(tmp_path / "source")
    return tmp_path / "source"


@pytest.fixture
def file(tmp_path: Path, source: Path) -> Path:
    """A backup of the source."""
    take_backup(source, None, tmp_path / "all.backup")
    return tmp_path / "all.backup"


def photos_in(directory: Path) -> list[Path]:
    return sorted((directory / "photos").rglob("*.jpg"))


def test_a_backup_is_taken_while_the_service_runs_and_restored(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, target = tmp_path / "all.backup", tmp_path / "target"
    if database_url is not None:
        monkeypatch.setenv("TRAYSCORE_DATABASE_URL", database_url)
    with house(tmp_path / "source", database_url) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        host.photographed(1, "Ada", A, photo(1))
        host.submit(1, "Ben", B)
        host.lock(1)
        (tmp_path / "source/trays").mkdir()
        (tmp_path / "source/trays/mine.json").write_text("{}")
        assert main(["backup", str(file), "--data", str(tmp_path / "source")]) == 0
        expected = told(host)
        assert main(["backup", str(file), "--data", str(tmp_path / "source")]) == 1
    monkeypatch.delenv("TRAYSCORE_DATABASE_URL", raising=False)
    # Into SQLite, wherever it came from.
    assert main(["restore", str(file), "--data", str(target)]) == 0
    assert (target / "trays/mine.json").read_text() == "{}"
    with house(target) as at:
        restored = At(at, host.id, host.code, host.token)
        assert told(restored) == expected
        digest = expected[0]["rounds"][0]["trays"]["Ada"]["photos"][0]["sha256"]
        assert restored.ask("GET", f"/photos/{digest}").status_code == 200
        assert main(["restore", str(file), "--data", str(target), "--force"]) == 1  # in use
        other = at.open("Cleo")
    assert main(["restore", str(file), "--data", str(target)]) == 1
    assert main(["restore", str(file), "--data", str(target), "--force"]) == 0
    with house(target) as at:
        refused(At(at, other.id, other.code, other.token).ask("GET"), 404, "no_table")
        assert told(At(at, host.id, host.code, host.token)) == expected


def test_what_is_no_backup_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, source = tmp_path / "all.backup", tmp_path / "source"
    with house(source) as at:
        host = at.open("Ada")
        host.reveal()
        host.photographed(1, "Ada", A, photo(1))
    assert main(["backup", str(file), "--data", str(source)]) == 0
    whole = file.read_bytes()
    place = whole.index(b"\xff\xd8\xff")
    for damaged in (whole[:place] + b"\xff\xd9" + whole[place + 2 :], whole[:1000], b"none"):
        file.write_bytes(damaged)
        assert main(["restore", str(file), "--data", str(source), "--force"]) == 1
    with tarfile.open(file, "w") as tar:
        tar.add(source / "lock", "../../escape")
    assert main(["restore", str(file), "--data", str(source), "--force"]) == 1
    assert main(["backup", str(tmp_path / "x"), "--data", str(tmp_path / "nothing")]) == 1
    assert "Nothing is kept" in capsys.readouterr().err
    with house(source) as at:
        assert At(at, host.id, host.code, host.token).state()["rounds"]


def repacked(file: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """The same archive after a change, packed as ours are; its record stays what it was."""
    with tarfile.open(file) as tar:
        files = {name: tar.extractfile(name).read() for name in tar.getnames()}  # type: ignore[union-attr]
    change(files)
    with tarfile.open(file, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, BytesIO(content))


def recorded(files: dict[str, bytes]) -> None:
    """Write the record anew, as a forger would."""
    record = Record.from_bytes(files.pop(RECORD))
    members = {name: (len(c), sha256(c).hexdigest()) for name, c in files.items()}
    files[RECORD] = Record(members, record.counts, record.lost, record.broken).to_bytes()


def test_no_truncated_backup_is_restored(file: Path, source: Path) -> None:
    """Wherever it ends: between files, within one, just before the record."""
    whole = file.read_bytes()
    with tarfile.open(file) as tar:
        ends = [member.offset for member in tar] + [member.offset_data + 1 for member in tar]
    before = kept(source)
    for end in (*ends, 0, 100):
        file.write_bytes(whole[:end])
        assert main(["restore", str(file), "--data", str(source), "--force"]) == 1, end
    assert kept(source) == before


def _less_entries(files: dict[str, bytes]) -> None:
    lines = files["rows/entries.jsonl"].splitlines(keepends=True)
    files["rows/entries.jsonl"] = b"".join(lines[:-1])


def _other_entry(files: dict[str, bytes]) -> None:
    files["rows/entries.jsonl"] = files["rows/entries.jsonl"].replace(b"host", b"Host", 1)


def _other_host(files: dict[str, bytes]) -> None:
    row = json.loads(files["rows/tables.jsonl"].splitlines()[0])
    rest = files["rows/tables.jsonl"].splitlines(keepends=True)[1:]
    row["host_hash"] = sha256(b"mine").hexdigest()
    files["rows/tables.jsonl"] = b"".join([canonical(row).encode() + b"\n", *rest])


def _photo_dropped(files: dict[str, bytes]) -> None:
    del files[next(name for name in files if name.endswith(".jpg"))]


def _no_players(files: dict[str, bytes]) -> None:
    files["rows/players.jsonl"] = b""


@pytest.mark.parametrize("record", [lambda _: None, recorded], ids=["found", "forged"])
@pytest.mark.parametrize(
    "change", [_less_entries, _other_entry, _other_host, _photo_dropped, _no_players]
)
def test_no_tampered_backup_is_restored(
    file: Path,
    tmp_path: Path,
    change: Callable[[dict[str, bytes]], None],
    record: Callable[[dict[str, bytes]], None],
) -> None:
    """Even if its record was made to fit: chains, checksums and photos are looked at too."""
    repacked(file, lambda files: (change(files), record(files)))  # type: ignore[arg-type, func-returns-value]
    assert main(["restore", str(file), "--data", str(tmp_path / "target")]) == 1
    assert not (tmp_path / "target").exists()


def test_a_refused_restore_of_another_version_changes_nothing(file: Path, source: Path) -> None:
    def newer(files: dict[str, bytes]) -> None:
        files["manifest.json"] = files["manifest.json"].replace(b'"000', b'"999')
        recorded(files)

    before = kept(source)
    repacked(file, newer)
    assert main(["restore", str(file), "--data", str(source), "--force"]) == 1
    assert kept(source) == before


@pytest.fixture
def broken_photo(source: Path, request: pytest.FixtureRequest) -> Path:
    """One photo of the source, with a bit flipped or gone."""
    path = photos_in(source)[0]
    if request.param == "gone":
        path.unlink()
    else:
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    return path


@pytest.mark.parametrize("broken_photo", ["flipped", "gone"], indirect=True)
def test_one_broken_photo_does_not_keep_the_rest_from_being_saved(
    source: Path, tmp_path: Path, broken_photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = tmp_path / "all.backup", tmp_path / "target"
    assert main(["backup", str(file), "--data", str(source)]) == 3
    assert broken_photo.name in capsys.readouterr().err
    assert main(["restore", str(file), "--data", str(target)]) == 3
    assert broken_photo.name in capsys.readouterr().err
    assert [path.name for path in photos_in(target)] == [photos_in(source)[-1].name]
    assert check_store(target, None).missing == (broken_photo.name,)


def test_a_restore_takes_lost_photos_from_where_it_restores_to(
    source: Path, tmp_path: Path
) -> None:
    file, target = tmp_path / "all.backup", tmp_path / "target"
    shutil.copytree(source, target)
    photos_in(source)[0].unlink()
    assert main(["backup", str(file), "--data", str(source)]) == 3
    assert main(["restore", str(file), "--data", str(target), "--force"]) == 0
    assert check_store(target, None).sound


def test_a_restore_heals_damaged_photos(file: Path, source: Path) -> None:
    photos_in(source)[0].write_bytes(b"damaged")
    assert main(["restore", str(file), "--data", str(source), "--force"]) == 0
    assert check_store(source, None).sound


def test_what_was_replaced_is_kept(
    file: Path, tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By files in the directory, or as a backup of a database that is elsewhere."""
    target = tmp_path / "target"
    if database_url is not None:
        monkeypatch.setenv("TRAYSCORE_DATABASE_URL", database_url)
    with house(target, database_url) as at:
        host = at.open("Dan")
        host.reveal()
        host.photographed(1, "Dan", A, photo(77))
        before = told(host)
    restored = restore_backup(file, target, database_url, overwrite=True)
    assert restored.replaced is not None
    assert check_store(target, database_url).sound
    if database_url is None:
        old = Store(restored.replaced)
        assert (old.directory / "trayscore.db").exists()
    else:
        again = str(restored.replaced / "tables.backup")
        assert main(["restore", again, "--data", str(target), "--force"]) == 0
        with house(target, database_url) as at:
            assert told(At(at, host.id, host.code, host.token)) == before
        assert check_store(target, database_url).sound


def test_a_lost_database_is_brought_back(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The case that backups are made for: the directory is there, its database is not."""
    source, file = tmp_path / "source", tmp_path / "all.backup"
    table = played(source, None)
    assert take_backup(source, None, file).whole
    (source / "trayscore.db").unlink()
    with pytest.raises(DatabaseError):
        Store(source, database_url).open()
    assert restore_backup(file, source, database_url, overwrite=True).whole
    with house(source, database_url) as at:
        assert table.at(at).state()["rounds"]


def test_the_database_of_another_directory_is_not_overwritten(
    file: Path, tmp_path: Path, database_url: str | None
) -> None:
    url = database_url or f"sqlite:///{tmp_path / 'elsewhere.db'}"
    other = played(tmp_path / "theirs", url)
    with pytest.raises(DatabaseError, match="do not belong together"):
        restore_backup(file, tmp_path / "fresh", url, overwrite=True)
    with house(tmp_path / "theirs", url) as at:
        assert other.at(at).state()["rounds"]


class PowerCut(BaseException):
    """The moment at which everything stops."""


def cuts(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Have each move of a swap be the last, one after the other."""
    move = Path.replace
    for number in range(15):
        left = [number]

        def replace(path: Path, target: Path, left: list[int] = left) -> Path:
            if path.parent.name == "restoring" or "-replaced" in str(target):
                left[0] -= 1
                if left[0] < 0:
                    raise PowerCut
            return move(path, target)

        monkeypatch.setattr(Path, "replace", replace)
        yield number
        monkeypatch.undo()


@pytest.mark.slow
def test_a_power_cut_while_restoring_leaves_the_old_or_the_new(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    with house(tmp_path / "old") as at:
        host = at.open("Dan")
        host.reveal()
        host.photographed(1, "Dan", A, photo(77))
    for number in cuts(monkeypatch):
        target = tmp_path / str(number)
        shutil.copytree(tmp_path / "old", target)
        try:
            restore_backup(file, target, None, overwrite=True)
        except PowerCut:
            cut = True
        else:
            cut = False
        monkeypatch.undo()
        store = Store(target)
        store.open()
        with store.database.reading() as connection:
            tables = connection.exec_driver_sql("SELECT count(*) FROM tables").scalar_one()
        store.close()
        assert check_store(target, None).sound
        assert not (target / "restoring").exists()
        seen.add((cut, tables))
        if not cut:
            break
    assert seen == {(True, 1), (True, 2), (False, 2)}


def test_what_a_power_cut_left_of_an_unready_restore_is_set_aside(source: Path) -> None:
    (source / "restoring/photos").mkdir(parents=True)
    (source / "restoring/photos/x.jpg").write_bytes(b"half")
    store = Store(source)
    store.open()
    store.close()
    assert not (source / "restoring").exists()
    assert "x" in store.trash.files()
    assert check_store(source, None).sound


def test_a_restore_that_cannot_be_opened_is_undone(
    file: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos_in(source)[0].write_bytes(b"the old one")
    before = kept(source)

    def no(*_: object) -> None:
        raise DatabaseError("bad_database", "It does not open.")

    monkeypatch.setattr(restore, "refuse_strangers", no)
    assert main(["restore", str(file), "--data", str(source), "--force"]) == 1
    after = kept(source)
    assert {name: content for name, content in after.items() if "trash" not in name} == before
    assert restoring.RESTORING not in {path.name for path in source.iterdir()}


def test_a_backup_of_the_first_format_is_restored(tmp_path: Path, database_url: str | None) -> None:
    """Made by the program before backups had a record."""
    facts = json.loads((DATA / "format-1.backup.json").read_text())
    restored = restore_backup(DATA / "format-1.backup", tmp_path, database_url)
    assert (restored.tables, restored.photos, restored.whole) == (2, 4, True)
    assert check_store(tmp_path, database_url).sound
    with house(tmp_path, database_url) as at:
        host = Played(facts["id"], facts["code"], facts["token"]).at(at)
        assert told(host)[1]["head"] == facts["head"]
        assert (tmp_path / "trays/mine.json").read_text() == "{}"


def test_a_backup_from_before_there_were_games_is_restored(
    tmp_path: Path, database_url: str | None
) -> None:
    """Its rows get their game, and checksums that cover it."""
    facts = json.loads((DATA / "without-game.backup.json").read_text())
    restored = restore_backup(DATA / "without-game.backup", tmp_path, database_url)
    assert (restored.tables, restored.photos, restored.whole) == (2, 4, True)
    assert check_store(tmp_path, database_url).sound
    with house(tmp_path, database_url) as at:
        host = Played(facts["id"], facts["code"], facts["token"]).at(at)
        assert host.state()["settings"]["game"] == "dimension"
        host.play_round(3, Ada=A, Ben=B)
        alone = at.open("Cleo")
        (before,) = alone.do("/solo", method="GET")["games"]
        assert before["table"] != alone.id
    assert check_store(tmp_path, database_url).sound


def test_a_row_changed_before_there_were_games_is_still_found(tmp_path: Path) -> None:
    """A new checksum would hide what the old one told."""
    database = Database(f"sqlite:///{tmp_path / 'old.db'}")
    database.open("0002")
    row = "INSERT INTO tables VALUES (?, ?, 1.5, 'h', '7', 0, '', ?)"
    with database.writing() as connection:
        for name, told in (("sound", "sound"), ("changed", "another")):
            covered = ["tables", told, name.upper(), 1.5, "h", "7"]
            held = sha256(canonical(covered).encode()).hexdigest()
            connection.exec_driver_sql(row, (name, name.upper(), held))
    database.open()
    with database.reading() as connection:
        found = list(changed_rows(connection))
    database.close()
    assert found == ["Row 1 of tables, of table changed, was changed."]


def test_a_truncated_backup_of_the_first_format_is_refused(tmp_path: Path) -> None:
    whole = (DATA / "format-1.backup").read_bytes()
    for end in range(0, len(whole), 512 * 7):
        (tmp_path / "cut.backup").write_bytes(whole[:end])
        assert main(["restore", str(tmp_path / "cut.backup"), "--data", str(tmp_path / "x")]) == 1
    assert not (tmp_path / "x").exists()


def test_a_broken_history_is_saved_as_it_is(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is somebody's evidence: named, but never dropped."""
    store = Store(source)
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE entries SET actor = 'player:Eve' WHERE sequence = 2")
    store.close()
    file = tmp_path / "all.backup"
    assert main(["backup", str(file), "--data", str(source)]) == 3
    assert "Entry 2 (cards_revealed) was changed" in capsys.readouterr().err
    assert main(["restore", str(file), "--data", str(tmp_path / "target")]) == 3
