"""A data directory and its database know each other: a wrong database never costs a photo."""

import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete

from api.cli import main
from api.storage import schema
from api.storage.database import Database, DatabaseError
from api.storage.store import Store
from api.storage.trash import KEPT_S, Trash
from tests.api.tables.house import house
from tests.api.tables.played import played


def opened(directory: Path, database_url: str | None = None, adopt: bool = False) -> None:
    """The service starts there, and stops."""
    store = Store(directory, database_url)
    store.open(adopt)
    store.close()


def files_under(directory: Path) -> dict[str, bytes]:
    """All that somebody could miss, by its name."""
    ours = [directory / "photos", directory / "trash"]
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for folder in ours
        for path in folder.rglob("*")
        if path.is_file()
    }


def refused(directory: Path, database_url: str | None, code: str) -> str:
    """What is said when the service cannot start; nothing is missing afterwards."""
    before = files_under(directory)
    with pytest.raises(DatabaseError) as caught:
        Store(directory, database_url).open()
    assert caught.value.code == code
    assert files_under(directory) == before
    return caught.value.text


def emptied(directory: Path, database_url: str | None) -> None:
    """All rows are gone, the database's id too."""
    database = Store(directory, database_url).database
    with database.writing() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            connection.execute(delete(table))
    database.close()


def without_ids(directory: Path, database_url: str | None) -> None:
    """As an older version left it."""
    (directory / "id").unlink()
    database = Store(directory, database_url).database
    with database.writing() as connection:
        connection.execute(delete(schema.identity))
    database.close()


def _deleted(directory: Path) -> None:
    for path in directory.glob("trayscore.db*"):
        path.unlink()


def _zero_bytes(directory: Path) -> None:
    _deleted(directory)
    (directory / "trayscore.db").touch()


@pytest.mark.parametrize("lose", [_deleted, _zero_bytes, lambda path: emptied(path, None)])
def test_a_lost_database_costs_no_photo(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    played(tmp_path)
    lose(tmp_path)
    text = refused(tmp_path, None, "database_lost")
    for told in ("Nothing was changed", "trayscore restore", "trayscore adopt", str(tmp_path)):
        assert told in text
    refused(tmp_path, None, "database_lost")  # nor does the second start


def test_an_emptied_database_costs_no_photo(tmp_path: Path, database_url: str | None) -> None:
    played(tmp_path, database_url)
    emptied(tmp_path, database_url)
    refused(tmp_path, database_url, "database_lost")


def test_another_database_costs_no_photo(tmp_path: Path, database_url: str | None) -> None:
    """The URL names an empty database, or that of another service."""
    played(tmp_path / "one")
    other = database_url or f"sqlite:///{tmp_path / 'other.db'}"
    refused(tmp_path / "one", other, "database_lost")
    played(tmp_path / "two", other)
    assert "--data" in refused(tmp_path / "one", other, "other_database")


def test_a_fresh_directory_is_not_that_of_an_old_database(
    tmp_path: Path, database_url: str | None
) -> None:
    played(tmp_path / "one", database_url)
    url = database_url or f"sqlite:///{tmp_path / 'one/trayscore.db'}"
    refused(tmp_path / "two", url, "other_database")
    opened(tmp_path / "one", database_url)


def test_a_pair_of_an_older_version_is_adopted_once(
    tmp_path: Path, database_url: str | None
) -> None:
    played(tmp_path, database_url)
    without_ids(tmp_path, database_url)
    before = files_under(tmp_path)
    opened(tmp_path, database_url)
    assert (tmp_path / "id").read_text("ascii")
    assert files_under(tmp_path) == before


def test_photos_without_their_tables_are_not_adopted(
    tmp_path: Path, database_url: str | None
) -> None:
    """Neither with a new database nor with one that knows none of them."""
    played(tmp_path / "one")
    (tmp_path / "one/id").unlink()
    _deleted(tmp_path / "one")
    url = database_url or f"sqlite:///{tmp_path / 'other.db'}"
    refused(tmp_path / "one", url, "database_lost")
    database = Database(url)
    database.open()
    database.close()
    refused(tmp_path / "one", url, "database_lost")


def test_tables_without_their_photos_are_not_adopted(
    tmp_path: Path, database_url: str | None
) -> None:
    played(tmp_path, database_url)
    without_ids(tmp_path, database_url)
    shutil.rmtree(tmp_path / "photos")
    refused(tmp_path, database_url, "other_database")


def test_a_power_cut_while_ids_are_given_harms_nothing(tmp_path: Path) -> None:
    played(tmp_path)
    (tmp_path / "id").rename(tmp_path / "id.draft")
    opened(tmp_path)
    assert not (tmp_path / "id.draft").exists()
    (tmp_path / "new").mkdir()
    (tmp_path / "new/id.draft").write_text("ab")
    opened(tmp_path / "new")


def test_adopting_begins_anew_and_keeps_the_photos_in_the_trash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(tmp_path)
    kept = {Path(name).name for name in files_under(tmp_path)}
    _deleted(tmp_path)
    assert main(["adopt", "--data", str(tmp_path)]) == 0
    names = files_under(tmp_path)
    assert {Path(name).name for name in names} == kept
    assert all(name.startswith("trash/") and "-orphans/" in name for name in names)
    opened(tmp_path)


def test_adopting_takes_a_directory_from_another(tmp_path: Path, database_url: str | None) -> None:
    played(tmp_path / "one", database_url)
    shutil.copytree(tmp_path / "one", tmp_path / "moved")
    (tmp_path / "moved/id").unlink()
    url = database_url or f"sqlite:///{tmp_path / 'one/trayscore.db'}"
    refused(tmp_path / "moved", url, "other_database")
    opened(tmp_path / "moved", url, adopt=True)
    assert not list((tmp_path / "moved").glob("trash/*"))
    refused(tmp_path / "one", url, "other_database")


def test_the_service_says_in_words_why_it_does_not_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(tmp_path)
    _deleted(tmp_path)
    assert main(["serve", "--data", str(tmp_path), "--port", "0", "--host", "127.0.0.1"]) == 1
    told = capsys.readouterr().err
    assert "is empty" in told
    assert "Traceback" not in told
    assert not (tmp_path / "trayscore.db").exists()


def test_a_database_that_is_none(tmp_path: Path) -> None:
    played(tmp_path)
    (tmp_path / "trayscore.db").write_bytes(b"nonsense" * 1000)
    assert "cannot be opened" in refused(tmp_path, None, "bad_database")


def test_the_trash_keeps_for_thirty_days(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    trash = Trash(tmp_path / "trash", lambda: now[0])
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(b"x")
        trash.put([tmp_path / name], "orphans", tmp_path)
    (tmp_path / "trash/notes-of-mine").mkdir()
    now[0] += KEPT_S - 1
    assert trash.purge() == 0
    assert set(trash.files()) == {"a", "b"}
    now[0] += 2
    assert trash.purge() == 2
    assert [path.name for path in (tmp_path / "trash").iterdir()] == ["notes-of-mine"]


def test_a_deleted_table_leaves_nothing_in_the_trash(tmp_path: Path) -> None:
    host = played(tmp_path)
    with house(tmp_path) as at:
        path, _ = at.store.files.directory.rglob("*.jpg")
        content = path.read_bytes()
        path.write_bytes(b"damaged")
        at.store.files.write(content, "jpg")
        assert path.stem in at.store.trash.files()
        host.at(at).ask("DELETE")
        assert not at.store.trash.files()


def test_nobody_else_reads_what_is_kept(tmp_path: Path) -> None:
    """Those who ran an older version too: its files are taken from everybody else."""
    data = tmp_path / "data"
    played(data)
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (data / "of-mine.txt").touch(0o644)
    with house(data) as at:
        at.open("Ben").reveal()
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (data, *data.rglob("*"))}
        folders = {path.name for path in (data, *data.rglob("*")) if path.is_dir()}
    assert modes.pop("of-mine.txt") == 0o644
    assert {"trayscore.db", "trayscore.db-wal", "trayscore.db-shm", "id"} <= set(modes)
    for name, mode in modes.items():
        assert mode == (0o700 if name in folders else 0o600), name
    assert main(["backup", str(tmp_path / "all.backup"), "--data", str(data)]) == 0
    assert stat.S_IMODE((tmp_path / "all.backup").stat().st_mode) == 0o600
