"""Photos are what they were when they were kept, or it is said that they are not."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from api.cli import main
from api.storage.check import check_store
from api.storage.photos import state_of
from api.storage.store import Condition, Store
from api.storage.watch import PROGRESS, Watch
from tests.api.tables.house import A, B, House, form, house, photo, refused
from tests.api.tables.played import played
from tests.vision.dimension.readings import make_reading


def damage(path: Path) -> bytes:
    """What was in the file before one bit of it was flipped."""
    before = path.read_bytes()
    changed = bytearray(before)
    changed[len(changed) // 2] ^= 4
    path.write_bytes(changed)
    return before


def sent_photo(at: House, number: int) -> tuple[Any, str, Path]:
    """A table to which a photo was sent, the photo's hash, and where it lies."""
    host = at.open("Ada")
    host.reveal()
    host.photographed(1, "Ada", A, photo(number))
    digest = host.state()["rounds"][0]["trays"]["Ada"]["photos"][0]["sha256"]
    return host, digest, at.store.files.path(digest, "jpg")


def test_a_damaged_photo_is_told_and_healed_by_the_same_photo(at: House) -> None:
    host, digest, path = sent_photo(at, 501)
    before = damage(path)
    refused(host.ask("GET", f"/photos/{digest}"), 410, "photo_damaged")
    host.photographed(1, "Ada", A, photo(501))
    assert host.ask("GET", f"/photos/{digest}").content == before
    path.unlink()
    refused(host.ask("GET", f"/photos/{digest}"), 410, "photo_missing")
    host.photographed(1, "Ada", A, photo(501))
    assert host.ask("GET", f"/photos/{digest}").content == before


def test_a_photo_heals_though_its_round_is_locked(at: House) -> None:
    host, digest, path = sent_photo(at, 502)
    host.lock(1)
    before = damage(path)
    assert host.send(1, "Ada", photo(502)).status_code == 409
    assert host.ask("GET", f"/photos/{digest}").content == before


def test_a_photo_heals_in_a_dispute(at: House) -> None:
    host = at.open("Ada", "Ben")
    host.reveal()
    host.photographed(1, "Ada", A, photo(503))
    host.submit(1, "Ben", B)
    host.lock(1)
    host.do("/disputes", {"round": 1, "player": "Ada", "seat": "A"})
    digest = host.state()["rounds"][0]["trays"]["Ada"]["photos"][0]["sha256"]
    damage(at.store.files.path(digest, "jpg"))
    more = at.readers.show(photo(504), make_reading(A))
    answer = host.ask("POST", "/disputes/1/photos", files=form(more))
    refused(answer, 410, "photo_damaged")
    host.ask("POST", "/disputes/1/photos", files=form(photo(503)))
    assert host.ask("POST", "/disputes/1/photos", files=form(more)).status_code == 200


def test_what_the_disk_does_not_keep_is_not_taken(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that loses bytes at once is found out before anybody is told that all is well."""

    def forgetful(path: Path, content: bytes) -> None:
        path.write_bytes(content[:-1])

    monkeypatch.setattr("api.storage.photos.write_whole", forgetful)
    with pytest.raises(OSError, match="does not give back"):
        at.store.files.write(photo(505), "jpg")


def findings(directory: Path, capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    status = main(["check", "--data", str(directory), "--json", *options])
    told = json.loads(capsys.readouterr().out)
    assert status == (0 if told["sound"] else 3)
    return told


def test_all_is_sound(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    if database_url is not None:
        monkeypatch.setenv("TRAYSCORE_DATABASE_URL", database_url)
    played(tmp_path, database_url)
    told = findings(tmp_path, capsys)
    assert told["sound"]
    assert (told["tables"], told["photos"], told["orphans"]) == (2, 4, [])
    assert set(told["versions"]) > {"program", "database"}
    assert main(["check", "--data", str(tmp_path)]) == 0
    assert "All is sound" in capsys.readouterr().out


def test_damaged_missing_and_left_over_photos_are_named(tmp_path: Path, capsys: Any) -> None:
    played(tmp_path)
    first, second = sorted(tmp_path.glob("photos/*/*.jpg"))
    damage(first)
    second.unlink()
    orphan = first.with_name(f"{'0' * 64}.jpg")
    orphan.write_bytes(b"x")
    assert findings(tmp_path, capsys)["orphans"] == []  # perhaps it is just being sent
    os.utime(orphan, (0, 0))
    told = findings(tmp_path, capsys)
    assert (told["damaged"], told["missing"]) == ([first.name], [second.name])
    assert told["orphans"] == [orphan.name]
    assert main(["check", "--data", str(tmp_path)]) == 3
    words = capsys.readouterr().out
    assert f"The photo {first.name} is damaged." in words
    assert f"The photo {second.name} is missing." in words


def test_repair_does_what_is_safe(tmp_path: Path, capsys: Any) -> None:
    """Copies heal; what has no copy is left as it is, for it may still be looked at."""
    played(tmp_path)
    first, second = sorted(tmp_path.glob("photos/*/*.jpg"))
    copy = tmp_path / "trash/20260101T000000Z-orphans/photos" / first.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(damage(first))
    damage(second)
    changed = second.read_bytes()
    (first.parent / ".abc.part").write_bytes(b"half")
    told = findings(tmp_path, capsys, "--repair")
    assert (told["damaged"], told["missing"], told["orphans"]) == ([second.name], [], [])
    assert state_of(first, first.stem) == "sound"
    assert second.read_bytes() == changed
    assert len(told["repaired"]) == 1
    with house(tmp_path):
        assert main(["check", "--data", str(tmp_path), "--repair"]) == 1  # in use
        assert main(["check", "--data", str(tmp_path)]) == 3


CHANGES = {
    "entry": "UPDATE entries SET actor = 'player:Eve' WHERE sequence = 2",
    "entry gone": "DELETE FROM entries WHERE sequence = 3",
    "last entry gone": "DELETE FROM entries WHERE sequence = (SELECT max(sequence) FROM entries)",
    "host": "UPDATE tables SET host_hash = '0'",
    "code": "UPDATE tables SET code = 'X' || substr(code, 2)",
    "seed": "UPDATE tables SET seed = '7'",
    "player": "UPDATE players SET pin_hash = 'x'",
    "player gone": "DELETE FROM players WHERE name = 'Ben'",
    "file": "UPDATE files SET suffix = 'png' WHERE suffix = 'jpg'",
    "file gone": "DELETE FROM files WHERE suffix = 'jpg'",
    "solo game": "UPDATE solo_games SET total = total + 1",
    "answer": "UPDATE answers SET body = '{}'",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_in_the_database_is_found(
    tmp_path: Path, database_url: str | None, change: str
) -> None:
    played(tmp_path, database_url)
    store = Store(tmp_path, database_url)
    with store.database.writing() as connection:
        assert connection.execute(text(CHANGES[change])).rowcount
    store.close()
    assert check_store(tmp_path, database_url).database


def test_there_is_nothing_to_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--data", str(tmp_path / "none")]) == 1
    assert "Nothing is kept" in capsys.readouterr().err


def checked(store: Store) -> Condition:
    """What a check without rests says of the store."""
    Watch(store, bytes_per_s=1e12).check()
    return store.condition


def test_the_service_checks_itself(
    tmp_path: Path, database_url: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    table = played(tmp_path, database_url)
    store = Store(tmp_path, database_url)
    store.open()
    assert checked(store) == "sound"
    (tmp_path / PROGRESS).unlink()
    path = next(tmp_path.glob("photos/*/*.jpg"))
    damage(path)
    stray = path.with_name(f"{'0' * 64}.jpg")
    stray.write_bytes(b"x")
    os.utime(stray, (0, 0))
    old = tmp_path / "trash/20200101T000000Z-orphans"
    old.mkdir(parents=True)
    assert checked(store) == "damaged"
    store.close()
    assert f"the photo {path.name} is damaged" in caplog.text
    assert not stray.exists()
    assert stray.stem in store.trash.files()
    assert not old.exists()
    assert table.token not in caplog.text


def test_the_check_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    played(tmp_path)
    photos = sorted(path for path in tmp_path.glob("photos/*/*"))
    damage(photos[0])
    store = Store(tmp_path)
    store.open()
    progress = {"after": photos[0].stem, "wrong": 0, "ended_at": 0.0}
    (tmp_path / PROGRESS).write_text(json.dumps(progress))
    assert checked(store) == "sound"  # the first was looked at before
    (tmp_path / PROGRESS).write_text(json.dumps({**progress, "after": ""}))
    assert checked(store) == "damaged"
    store.close()


def test_the_check_stops_at_once(tmp_path: Path) -> None:
    played(tmp_path)
    store = Store(tmp_path)
    store.open()
    watch = Watch(store, first_s=0.0, bytes_per_s=1.0)  # a photo would take minutes
    watch.start()
    time.sleep(0.3)
    begun = time.monotonic()
    watch.stop()
    store.close()
    assert time.monotonic() - begun < 2
