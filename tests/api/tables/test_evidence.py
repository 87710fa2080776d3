"""Evidence: what is kept, what a bundle holds, and that no change of it goes unseen."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from api.cli import main
from api.evidence.archive import archive
from api.evidence.missing import declaration
from api.evidence.verify import Verification, verify
from api.ledger.chain import Entry, linked
from api.storage.photos import PhotoFiles
from calibration.photo_header import read_header
from tests.api.evidence.photos import SECRET, telling_photo
from tests.api.tables.devices import Device
from tests.api.tables.house import A, At, B, House, form, house, photo, refused
from tests.vision.dimension.readings import make_reading


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bytes]:
    """The evidence of a game with photos, a correction and a dispute."""
    with house(tmp_path_factory.mktemp("evidence")) as at:
        host = at.open("Ada <b>", "Ben")
        ada, ben = host.joined("Ada <b>"), host.joined("Ben")
        devices = [Device(one) for one in (host, ben)]
        for number in range(1, 7):
            for device in devices:
                device.commit(number)
            host.reveal(None)
            if number == 1:
                ada.photographed(1, "Ada <b>", A, photo(1), doubts={"A": 0.7})
            else:
                ada.submit(number, "Ada <b>", A)
            ben.submit(number, "Ben", B)
            ben.do(f"/rounds/{number}/trays/Ben", {"seats": {"C": "W"}}, method="PATCH")
            host.lock(number)
            for device in devices:
                device.tell(number)
        ben.do("/disputes", {"round": 1, "player": "Ada <b>", "seat": "A"})
        more = at.readers.show(photo(2), make_reading(A))
        ada.ask("POST", "/disputes/1/photos", files=form(more))
        for player in (ada, ben):
            player.do("/disputes/1/consent", {"layout": A[:-1] + "."})
        ben.do("/disputes/1/resolve", {"outcome": "corrected"})
        host.do("/finish")
        yield ben.ask("GET", "/evidence.zip").content


@pytest.fixture
def file(tmp_path: Path, bundle: bytes) -> Path:
    path = tmp_path / "evidence.zip"
    path.write_bytes(bundle)
    return path


def contents(bundle: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(bundle)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def verified(path: Path, files: dict[str, bytes]) -> Verification:
    """What is found in a bundle of these files, packed as ours are."""
    path.write_bytes(b"".join(archive(files.items())))
    return verify(path)


def test_a_bundle_is_intact(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = verify(file)
    assert (found.problems, found.notes, found.files) == ((), (), 3)
    assert [number for number, _ in found.seals] == [1, 2, 3, 4, 5, 6]
    assert main(["verify", str(file)]) == 0
    assert found.fingerprint in capsys.readouterr().out


def test_the_words_are_those_that_devices_showed(
    at: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the page of the bundle and by ``trayscore verify``, with how many devices took part."""
    host = at.open("Ada")
    tablet, phone = Device(host), Device(host)
    shown = []
    for number, devices in ((1, [tablet, phone]), (2, [tablet]), (3, [])):
        for device in devices:
            device.commit(number)
        host.play_round(number, Ada=A)
        for device in devices[:1]:
            device.tell(number)
        at.clock.at += 10
        shown.append(host.do(f"/seals/{number}/words")["words"])
    path = tmp_path / "evidence.zip"
    path.write_bytes(host.ask("GET", "/evidence.zip").content)
    assert [(seal.words, seal.devices, seal.told) for seal in verify(path).words] == [
        (shown[0], 2, 1),
        (shown[1], 1, 1),
        (shown[2], 0, 0),
    ]
    page = contents(path.read_bytes())["index.html"].decode()
    assert main(["verify", str(path), "--fingerprint", shown[0]]) == 0
    told = capsys.readouterr().out
    for text in (page, told):
        assert all(words in text for words in shown)
        assert "1 of 2 devices took part." in text
        assert "One device took part." in text
        assert "No device took part" in text
    assert "by host for Ada" in page


def test_any_program_opens_it(file: Path, bundle: bytes) -> None:
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
        assert packed.namelist()[:2] == ["index.html", "ledger.json"]
    page = contents(bundle)["index.html"].decode()
    for told in ("Round 6", "Dispute 1", "corrected", "Ada &lt;b&gt;", "locked"):
        assert told in page
    assert "Ada <b>" not in page
    assert "://" not in page


def test_no_changed_byte_goes_unseen(file: Path, bundle: bytes) -> None:
    chance = Random(5)
    places = [*range(0, 60, 9), *chance.sample(range(len(bundle)), 30), len(bundle) - 1]
    for place in places:
        changed = bytearray(bundle)
        changed[place] ^= 1 << chance.randrange(8)
        file.write_bytes(changed)
        assert not verify(file).intact, place


def test_nothing_cut_off_or_added_goes_unseen(file: Path, bundle: bytes) -> None:
    for changed in (bundle[:-1], bundle[: len(bundle) // 2], bundle + b"\0", b"\0" + bundle, b""):
        file.write_bytes(changed)
        assert not verify(file).intact


Rows = list[dict[str, Any]]


def _swap(rows: Rows) -> None:
    rows[3], rows[4] = rows[4], rows[3]


def _relink(rows: Rows) -> None:
    """Hashes made right again from the beginning, as a forger would."""
    previous = rows[0]["previous"]
    for number, row in enumerate(rows, 1):
        bound = linked(Entry.from_json({**row, "sequence": number}), previous)
        row.update(bound.to_json())
        previous = bound.hash


def _other_points(rows: Rows) -> None:
    lock = next(row for row in rows if row["kind"] == "round_locked")
    lock["body"]["scores"]["Ben"]["points"] += 1
    _relink(rows)


def _other_cards(rows: Rows) -> None:
    first = next(row for row in rows if row["kind"] == "cards_revealed")
    first["body"]["event"]["cards"] = [*reversed(first["body"]["event"]["cards"])]
    _relink(rows)


def _other_seed(rows: Rows) -> None:
    rows[-1]["body"]["seed"] = "1"
    _relink(rows)


def _other_layout(rows: Rows) -> None:
    tray = next(row for row in rows if row["kind"] == "tray_submitted")
    tray["body"]["event"]["layout"] = "X"
    _relink(rows)


def _photo_forgotten(rows: Rows) -> None:
    tray = next(row for row in rows if row["kind"] == "tray_submitted")
    tray["files"] = []
    _relink(rows)


def _last_dropped(rows: Rows) -> None:
    del rows[-1]


@pytest.mark.parametrize(
    "forge",
    [
        _swap,
        _other_points,
        _other_cards,
        _other_seed,
        _other_layout,
        _photo_forgotten,
        _last_dropped,
        lambda rows: rows.pop(2),
        lambda rows: rows.insert(2, dict(rows[2])),
        lambda rows: rows[5].update(at=1.0),
        lambda rows: rows[5].update(actor="host"),
        lambda rows: rows[5]["body"].update(reason="another"),
        lambda rows: rows[5].update(extra=1),
        lambda rows: rows.clear(),
    ],
)
def test_no_forged_row_goes_unseen(
    file: Path, bundle: bytes, forge: Callable[[Rows], object]
) -> None:
    files = contents(bundle)
    ledger = json.loads(files["ledger.json"])
    forge(ledger["entries"])
    files["ledger.json"] = json.dumps(ledger).encode()
    assert not verified(file, files).intact


@pytest.mark.parametrize("kind", ["photo", "page", "missing", "more", "renamed"])
def test_no_forged_file_goes_unseen(file: Path, bundle: bytes, kind: str) -> None:
    files = contents(bundle)
    name = next(name for name in files if name.endswith(".jpg"))
    if kind == "photo":
        files[name] = photo(77)
    elif kind == "page":
        files["index.html"] = files["index.html"].replace(b"points", b"Points", 1)
    elif kind == "missing":
        del files[name]
    elif kind == "more":
        files["files/extra.txt"] = b"hello"
    else:
        files = {
            (one.replace(".jpg", ".png") if one == name else one): c for one, c in files.items()
        }
    assert not verified(file, files).intact


def test_a_history_rewritten_with_care_has_other_words(file: Path, bundle: bytes) -> None:
    """Whoever rewrites everything consistently is caught by the words that devices showed."""
    words = verify(file).seals[0][1]
    assert main(["verify", str(file), "--fingerprint", words.upper()]) == 0
    files = contents(bundle)
    ledger = json.loads(files["ledger.json"])
    rows = ledger["entries"]
    body = next(row for row in rows if row["kind"] == "tray_corrected")["body"]
    body["reason"] = body["event"]["reason"] = "forged"
    _relink(rows)
    path = file.with_name("ledger.json")
    path.write_text(json.dumps(ledger))
    assert verify(path).intact
    assert main(["verify", str(path), "--fingerprint", words]) == 1


def test_a_ledger_alone_is_verified(file: Path, bundle: bytes) -> None:
    path = file.with_name("ledger.json")
    text = contents(bundle)["ledger.json"].decode()
    path.write_text(text)
    assert "Photos" in verify(path).notes[0]
    path.write_text(text.replace("Ben", "Bea", 1))
    assert main(["verify", str(path), "--json"]) == 1


def test_the_ledgers_answer_is_verified(at: House, tmp_path: Path) -> None:
    host = at.open("Ada")
    host.reveal()
    path, told = tmp_path / "ledger.json", host.do("/ledger", method="GET")
    path.write_text(json.dumps(told))
    assert verify(path).intact
    del told["entries"][-1]
    path.write_text(json.dumps(told))
    assert verify(path).problems == ("The history does not end with the entry that it says.",)


def test_what_is_no_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "x.zip"
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("a.txt", "hello")
    assert main(["verify", str(other)]) == 1
    other.write_bytes(b"\xff\xfe")
    assert main(["verify", str(other)]) == 1
    assert main(["verify", str(tmp_path / "none.zip")]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_photos_are_kept_without_their_place(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    sent = telling_photo("JPEG")
    host.photographed(1, "Ada", A, sent)
    digest = host.state()["rounds"][0]["trays"]["Ada"]["photos"][0]["sha256"]
    kept = host.ask("GET", f"/photos/{digest}").content
    assert SECRET in sent
    assert SECRET not in kept
    assert read_header(kept) == read_header(sent)
    refused(host.ask("GET", f"/photos/{'0' * 64}"), 404, "no_photo")
    refused(host.ask("GET", "/photos/..%2Fsecret"), 404, "not_found")
    other = at.open("Ben")
    refused(other.ask("GET", f"/photos/{digest}"), 404, "no_photo")


def test_a_photo_lost_on_disk_is_said_to_be(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    host.photographed(1, "Ada", A, photo(301))
    digest = host.state()["rounds"][0]["trays"]["Ada"]["photos"][0]["sha256"]
    at.store.files.path(digest, "jpg").unlink()
    refused(host.ask("GET", f"/photos/{digest}"), 410, "photo_missing")
    host.lock(1)
    assert host.do("/ledger", method="GET")["entries"][-1]["body"]["overlays"] == {}


@pytest.mark.parametrize("lost", ["missing", "damaged"])
def test_evidence_says_which_photos_it_lacks(
    at: House, tmp_path: Path, lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    host = at.open("Ada")
    host.reveal()
    host.photographed(1, "Ada", A, photo(310))
    digest = host.state()["rounds"][0]["trays"]["Ada"]["photos"][0]["sha256"]
    path, file = at.store.files.path(digest, "jpg"), tmp_path / "evidence.zip"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + b"\0") if lost == "damaged" else path.unlink()
    file.write_bytes(host.ask("GET", "/evidence.zip").content)
    found = verify(file)
    assert (found.problems, found.missing, found.whole) == ((), (digest,), False)
    assert f"it was {lost}" in found.notes[0]
    assert digest in contents(file.read_bytes())["index.html"].decode()
    assert main(["verify", str(file)]) == 3
    assert digest in capsys.readouterr().out
    at.store.files.write(content, "jpg")
    file.write_bytes(host.ask("GET", "/evidence.zip").content)
    assert verify(file).whole


@pytest.mark.parametrize("kind", ["dropped", "more", "nonsense", "not of it", "empty"])
def test_no_forged_declaration_goes_unseen(file: Path, bundle: bytes, kind: str) -> None:
    """What is declared missing is told; what is not missing, or not of it, is a forgery."""
    files = contents(bundle)
    name = next(name for name in files if name.endswith(".jpg"))
    digest = Path(name).stem
    if kind == "dropped":  # and its page shows it still
        del files[name]
        files["missing.json"] = declaration({digest: "missing"})
    elif kind == "more":
        files["missing.json"] = declaration({digest: "missing"})
    elif kind == "nonsense":
        files["missing.json"] = b"[]"
    elif kind == "not of it":
        files["missing.json"] = declaration({"0" * 64: "missing"})
    else:
        files["missing.json"] = declaration({})
    assert not verified(file, files).intact


def test_a_photo_that_goes_while_it_is_packed_breaks_no_connection(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = at.open("Ada")
    host.reveal()
    host.photographed(1, "Ada", A, photo(311))
    monkeypatch.setattr(PhotoFiles, "lost", lambda *_: {})
    digest = host.state()["rounds"][0]["trays"]["Ada"]["photos"][0]["sha256"]
    at.store.files.path(digest, "jpg").unlink()
    assert "missing.json" in contents(host.ask("GET", "/evidence.zip").content)


def test_evidence_that_no_archive_can_hold_is_refused_before_it_is_sent(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = at.open("Ada")
    host.reveal()
    host.photographed(1, "Ada", A, photo(312))
    monkeypatch.setattr("api.evidence.archive._MOST", 200_000_500)
    refused(host.ask("GET", "/evidence.zip"), 422, "too_large")


def test_evidence_tells_who_read(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    host.photographed(1, "Ada", A, photo(300))
    entry = host.do("/ledger", method="GET")["entries"][-1]
    assert entry["actor"] == "host"
    assert entry["body"]["reading"]["photo"] == entry["files"][0]
    assert set(entry["body"]["reader"]) == {"program", "models", "deck", "trays"}
    assert set(entry["body"]["reader"]["trays"]) == {"disc", "pentagon"}


def test_a_tampered_database_is_not_played_on(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as before:
        host = before.open("Ada")
        host.reveal()
        with before.store.database.writing() as connection:
            connection.exec_driver_sql("UPDATE entries SET actor = 'player:Eve' WHERE sequence = 2")
    with house(tmp_path, database_url) as after:
        at = At(after, host.id, host.code, host.token)
        refused(at.ask("GET"), 500, "ledger_broken")
        refused(at.ask("POST", "/rounds/1/lock"), 500, "ledger_broken")
