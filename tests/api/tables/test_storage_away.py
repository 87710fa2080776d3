"""A full disk or a database that is away: refused with the reason, nothing lost, back by itself."""

import errno
import logging
import os
import shutil
import subprocess
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from api.http import readiness
from api.http.logs import JsonLines
from api.storage.database import Database, DatabaseError
from api.storage.failures import StorageAway, StorageMistake
from api.storage.photos import PhotoFiles
from tests.api.tables import postgres
from tests.api.tables.house import A, At, B, House, house, photo, refused
from tests.vision.dimension.readings import make_reading

PASSWORD = "open-sesame-42"
NAME = "Wilhelmina"


@pytest.fixture(autouse=True)
def _always_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "FRESH_S", 0.0)


@contextmanager
def full(at: House) -> Iterator[None]:
    """The database finds no room for another row; SQLite and PostgreSQL say so themselves."""
    database = at.store.database
    if not database.is_sqlite:
        with database.writing() as connection:
            connection.exec_driver_sql(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
            )
            connection.exec_driver_sql(
                "CREATE TRIGGER full_disk BEFORE INSERT ON entries EXECUTE FUNCTION full_disk()"
            )
        yield
        with database.writing() as connection:
            connection.exec_driver_sql("DROP TRIGGER full_disk ON entries")
        return

    limit = _on_checkout("PRAGMA max_page_count=1")  # as many as there are: no more
    engine = database._engine
    event.listen(engine, "checkout", limit)
    yield
    event.remove(engine, "checkout", limit)
    engine.dispose()


def test_a_database_without_room_refuses_and_loses_nothing(
    tmp_path: Path, database_url: str | None
) -> None:
    with house(tmp_path, database_url) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        host.submit(1, "Ada", A)
        before = host.state()["version"]
        with full(at):
            for number in range(200):  # until the last page is full
                asked = {"seats": {"R0": "BK"[number % 2]}, "reason": "x" * 300}
                answer = host.ask("PATCH", "/rounds/1/trays/Ada", json=asked)
                if answer.status_code != 200:
                    break
                before = answer.json()["version"]
            problem = refused(answer, 507, "disk_full")
            assert "full" in problem["detail"]
            assert int(answer.headers["retry-after"]) > 0
            assert host.state()["version"] == before
        host.submit(1, "Ben", B)
        assert host.state()["version"] == before + 1


def test_a_photo_without_room_leaves_nothing_behind(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = PhotoFiles.write

    def no_room(files: PhotoFiles, content: bytes, suffix: str) -> str:
        if content == second:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(files, content, suffix)

    with house(tmp_path, database_url) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        first, second = photo(1), photo(2)
        at.readers.show(second, make_reading(A))
        monkeypatch.setattr(PhotoFiles, "write", no_room)
        answer = host.send(1, "Ada", first, second)
        refused(answer, 507, "disk_full")
        assert int(answer.headers["retry-after"]) > 0
        assert at.store.files.all() == []
        monkeypatch.setattr(PhotoFiles, "write", write)
        assert host.send(1, "Ada", first, second).status_code == 201


@pytest.mark.parametrize(
    ("number", "status", "code"),
    [
        (errno.ENOSPC, 507, "disk_full"),
        (errno.EDQUOT, 507, "disk_full"),
        (errno.EROFS, 503, "storage_read_only"),
    ],
)
def test_whatever_file_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, status: int, code: str
) -> None:
    def fails(*_: object) -> str:
        raise OSError(number, os.strerror(number))

    with house(tmp_path) as at:
        host = at.open("Ada")
        host.reveal()
        at.readers.show(photo(1), make_reading(A))
        monkeypatch.setattr(PhotoFiles, "write", fails)
        answer = host.send(1, "Ada", photo(1))
        refused(answer, status, code)
        assert int(answer.headers["retry-after"]) > 0


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_health_says_that_the_disk_is_full_while_it_is(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path, database_url) as at:
        assert at.client.get("/v1/health").json()["status"] == "ready"
        with monkeypatch.context() as scarce:
            scarce.setattr(shutil, "disk_usage", lambda _: _Usage(10**9, 10**9, 1000))
            answer = at.client.get("/v1/health")
            assert "disk is full" in refused(answer, 503, "disk_full")["detail"]
            assert int(answer.headers["retry-after"]) > 0
        assert at.client.get("/v1/health").json()["status"] == "ready"


def test_health_is_not_asked_of_the_disk_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "FRESH_S", 60.0)
    with house(tmp_path) as at:
        assert at.client.get("/v1/health").status_code == 200
        monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10**9, 10**9, 1000))
        assert at.client.get("/v1/health").status_code == 200


def test_a_database_file_that_was_moved_away_takes_nothing_in(tmp_path: Path) -> None:
    """SQLite itself would go on writing to a file that nobody finds again."""
    file, aside = tmp_path / "trayscore.db", tmp_path / "aside.db"
    with house(tmp_path) as at:
        host = at.open("Ada")
        host.reveal()
        file.rename(aside)
        answer = host.ask("POST", "/rounds/1/trays/Ada", json={"layout": A})
        refused(answer, 503, "database_gone")
        refused(at.client.get("/v1/health"), 503, "database_gone")
        aside.rename(file)
        host.submit(1, "Ada", A)
        assert at.client.get("/v1/health").status_code == 200


def _mounted(place: Path, options: str) -> bool:
    place.mkdir()
    asked = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    return subprocess.run(asked, check=False, capture_output=True).returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of four megabytes, where one may have one."""
    place = tmp_path / "disk"
    if os.getuid() != 0 or not _mounted(place, "size=4m"):
        pytest.skip("a disk of its own takes root; the tests above do without one")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def _fill(ballast: Path) -> None:
    """Let the file take all the room there is."""
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(512))


def test_a_disk_that_is_really_full(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ballast = small_disk / "ballast"
    with house(small_disk / "data") as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        host.submit(1, "Ada", A)
        version = host.state()["version"]
        _fill(ballast)
        asked = {"seats": {"R0": "B"}, "reason": "x" * 300}
        answers = [host.ask("PATCH", "/rounds/1/trays/Ada", json=asked) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {507}
        refused(at.client.get("/v1/health"), 503, "disk_full")
        assert host.state()["version"] == version
        ballast.unlink()
        host.submit(1, "Ben", B)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10**9, 0, 10**9))
        assert at.client.get("/v1/health").status_code == 200


@contextmanager
def read_only(at: House) -> Iterator[None]:
    """The database takes nothing in any more."""
    database = at.store.database
    for on in (True, False):
        if database.is_sqlite:
            file = f"PRAGMA query_only={int(on)}"
            limit = _on_checkout(file)
            event.listen(database._engine, "checkout", limit)
        else:
            with psycopg.connect(_plain_url(database), autocommit=True) as connection:
                name = database.url.database
                setting = f"default_transaction_read_only = {'on' if on else 'off'}"
                connection.execute("SET default_transaction_read_only = off")
                connection.execute(f"ALTER DATABASE {name} SET {setting}".encode())
            database.close()
        if on:
            yield


def _on_checkout(statement: str) -> Callable[[Any, object, object], None]:
    def told(connection: Any, _record: object, _proxy: object) -> None:
        connection.execute(statement)

    return told


def _plain_url(database: Database) -> str:
    return database.url.set(drivername="postgresql").render_as_string(hide_password=False)


def test_a_database_that_can_only_be_read(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        with read_only(at):
            answer = host.ask("POST", "/rounds/1/trays/Ada", json={"layout": A})
            refused(answer, 503, "storage_read_only")
            refused(at.client.get("/v1/health"), 503, "storage_read_only")
            assert host.state()["rounds"]
        host.submit(1, "Ada", A)
        assert at.client.get("/v1/health").status_code == 200


@pytest.mark.slow
def test_a_server_that_is_stopped_and_started_again(tmp_path: Path) -> None:
    if postgres.binaries() is None:
        pytest.skip(postgres.MISSING)
    with postgres.mortal_server() as server, house(tmp_path, server.url.format("postgres")) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        host.submit(1, "Ada", A)
        told = host.do("/ledger", method="GET")
        at.readers.show(photo(1), make_reading(B))
        for _ in range(2):
            server.stop()
            asked: list[Callable[[], Any]] = [
                lambda: host.ask("GET"),
                lambda: host.ask("POST", "/rounds/1/trays/Ben", json={"layout": B}),
                lambda: host.send(1, "Ben", photo(1)),
                lambda: at.client.post("/v1/tables", json={"players": ["Eve"]}),
                lambda: at.client.get(f"/v1/tables/{host.code}/lobby"),
                lambda: host.ask("GET", "/events"),
                lambda: at.client.get("/v1/health"),
            ]
            for ask in asked:
                answer = ask()
                refused(answer, 503, "database_away")
                assert int(answer.headers["retry-after"]) > 0
            server.start()
            assert at.client.get("/v1/health").json()["status"] == "ready"
            assert host.do("/ledger", method="GET") == told
        assert host.send(1, "Ben", photo(1)).status_code == 201


def _spoil(at: House) -> None:
    """Every entry is refused by the database, with a message that quotes it."""
    with at.store.database.writing() as connection:
        if at.store.database.is_sqlite:
            connection.exec_driver_sql(
                "CREATE TRIGGER spoiled BEFORE INSERT ON entries WHEN NEW.kind = 'tray_submitted' "
                "BEGIN SELECT RAISE(ABORT, 'spoiled'); END"
            )
        else:
            connection.exec_driver_sql(
                "ALTER TABLE entries ADD CHECK (kind <> 'tray_submitted') NOT VALID"
            )


def _lose(at: House) -> None:
    with at.store.database.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE entries RENAME TO elsewhere")


@pytest.mark.parametrize("breaking", [_spoil, _lose])
def test_nothing_that_was_sent_is_in_the_log(
    tmp_path: Path,
    database_url: str | None,
    breaking: Callable[[House], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with house(tmp_path, database_url) as at:
        host = at.open(NAME)
        host.reveal()
        breaking(at)
        with pytest.raises(DatabaseError) as error:
            host.ask("POST", f"/rounds/1/trays/{NAME}", json={"layout": A})
        client = TestClient(at.client.app, "http://localhost", raise_server_exceptions=False)
        asked = {"layout": A}
        headers = {"Authorization": f"Bearer {host.token}"}
        path = f"/v1/tables/{host.id}/rounds/1/trays/{NAME}"
        answer = client.post(path, json=asked, headers=headers)
        assert refused(answer, 500, "internal")
    record = logging.LogRecord(
        "uvicorn.error", 40, "", 1, "in ASGI", (), (type(error.value), error.value, error.tb)
    )
    ours = [one for one in caplog.records if one.name != "httpx2"]  # the client's own log
    lines = [JsonLines().format(one) for one in [*ours, record]]
    lines.append("".join(traceback.format_exception(error.value)))
    logged = "\n".join(lines)
    assert "entries" in logged or "INSERT" in logged  # it helps whoever looks for the cause
    for secret in (NAME, A, host.token, host.code):
        assert secret not in logged


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ada:{PASSWORD}@",
        f"postgresql://ada:{PASSWORD}@localhost:1/x",
        f"postgresql://ada:{PASSWORD}@localhost:port/x",
        f"postgresql://ada@localhost:1/x?password={PASSWORD}",
        f"postgresql://ada@localhost:1/x?pasword={PASSWORD}",
        f"mysql://ada:{PASSWORD}@localhost/x",
        f"ada:{PASSWORD}",
    ],
)
def test_the_password_of_the_database_is_told_to_nobody(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(DatabaseError) as error:
        Database(url).open()
    logged = "".join(traceback.format_exception(error.value)) + caplog.text
    assert PASSWORD not in logged


def test_mistakes_and_outages_are_told_apart() -> None:
    assert not issubclass(StorageMistake, StorageAway)
    assert issubclass(StorageAway, DatabaseError)


def test_old_tables_are_as_they_were_after_an_outage(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        host = at.open("Ada")
        host.reveal()
        with full(at):
            for number in range(200):
                asked = {"layout": (A, B)[number % 2]}
                if host.ask("POST", "/rounds/1/trays/Ada", json=asked).status_code == 507:
                    break
        told = host.do("/ledger", method="GET")
    with house(tmp_path) as at:
        again = At(at, host.id, host.code, host.token)
        assert again.do("/ledger", method="GET") == told
