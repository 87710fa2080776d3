"""One start photo a tray: each player's photos are read by their own tray's profile."""

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.evidence.bundle import ledger_text, parse_ledger
from api.evidence.verify import verify, verify_ledger
from api.ledger.chain import genesis, linked
from api.profiles import profile_version
from api.tables.record import Record
from calibration.dimension.profile import TrayProfile, load_profile
from tests.api.evidence.photos import SECRET, telling_photo
from tests.api.tables.house import A, At, B, House, form, house, photo, refused
from tests.vision.dimension.readings import make_reading

DISC = load_profile("disc")
WIDE = replace(DISC, pitch_mm=DISC.pitch_mm + 0.3)
NARROW = replace(DISC, pitch_mm=DISC.pitch_mm - 0.3)
OLD = Path(__file__).parent / "data" / "ledger-before-start-photos.json"


def started(at: At, player: str | None, tray: TrayProfile, content: bytes) -> Any:
    """The answer to a start photo of which this tray is measured; nobody's: for all."""
    at.house.readers.start(content, tray)
    answer = at.ask("POST", place(player), files=form(content))
    assert answer.status_code == 200, answer.text
    return answer.json()


def place(player: str | None) -> str:
    return "/tray" if player is None else f"/players/{player}/tray"


def pitch_read_by(at: At, player: str, content: bytes) -> float | None:
    """The pitch of the tray by which a photo in round one is read; None: the built-in ones."""
    at.photographed(1, player, A, content)
    tray = at.house.readers.read_by[-1]
    return None if tray is None else tray.pitch_mm


def in_use(at: At, player: str) -> Any:
    return next(one["tray"] for one in at.state()["players"] if one["name"] == player)


def last_entry(at: At) -> Any:
    return at.do("/ledger", method="GET")["entries"][-1]


def test_every_player_has_a_tray_of_their_own(at: House) -> None:
    host = at.open("Ada", "Ben", "Cleo")
    ada = host.joined("Ada")
    started(ada, "Ada", WIDE, photo(601))
    started(host, "Ben", NARROW, photo(602))
    host.reveal()
    assert pitch_read_by(host, "Ada", photo(603)) == WIDE.pitch_mm
    assert pitch_read_by(host, "Ben", photo(604)) == NARROW.pitch_mm
    assert pitch_read_by(host, "Cleo", photo(605)) is None


def test_what_was_measured_is_told_and_can_be_drawn(at: House) -> None:
    host = at.open("Ada", "Ben")
    told = started(host, "Ada", WIDE, photo(610))
    assert told["player"] == "Ada"
    assert told["profile"]["pitch_mm"] == WIDE.pitch_mm
    assert told["profile"]["warnings"] == ["The light is dim."]
    assert {"C", "R0", "A"} <= set(told["reading"]["seats"])
    assert len(told["reading"]["storage"]) == 15
    assert told["tray"] == in_use(host, "Ada")
    assert told["version"] == host.state()["version"]
    (kept,) = told["tray"]["start_photos"]
    assert host.ask("GET", f"/photos/{kept['sha256']}").status_code == 200
    others = in_use(host, "Ben")
    assert (others["name"], others["own"], others["start_photos"]) == (None, False, [])


def test_the_history_says_who_when_and_by_what(at: House) -> None:
    host = at.open("Ada", "Ben")
    ada = host.joined("Ada")
    told = started(ada, "Ada", WIDE, telling_photo("JPEG"))
    entry = last_entry(host)
    assert (entry["kind"], entry["actor"]) == ("tray_set", "player:Ada")
    assert entry["at"] == told["tray"]["set_at"]
    assert entry["files"] == [told["tray"]["start_photos"][0]["sha256"]]
    assert SECRET not in host.ask("GET", f"/photos/{entry['files'][0]}").content
    profile = TrayProfile.from_json(entry["body"]["profile"])
    assert profile == replace(WIDE, name=profile.name)
    assert entry["body"]["version"] == told["tray"]["version"] == profile_version(profile)
    host.reveal()
    host.photographed(1, "Ada", A, photo(621))
    assert last_entry(host)["body"]["reader"]["trays"] == {profile.name: told["tray"]["version"]}


def test_all_trays_are_alike(at: House) -> None:
    """One photo for all: what was set for a player before no longer holds; set later, it does."""
    host = at.open("Ada", "Ben", tray="pentagon")
    assert in_use(host, "Ada")["name"] == "pentagon"
    started(host, "Ada", NARROW, photo(630))
    told = started(host, None, WIDE, photo(631))
    assert told["player"] is None
    assert in_use(host, "Ada") == in_use(host, "Ben") == told["tray"]
    host.reveal()
    assert pitch_read_by(host, "Ada", photo(632)) == WIDE.pitch_mm
    started(host, "Ben", NARROW, photo(633))
    assert pitch_read_by(host, "Ben", photo(634)) == NARROW.pitch_mm
    assert pitch_read_by(host, "Ada", photo(635)) == WIDE.pitch_mm


def test_it_can_be_taken_again_and_taken_back(at: House) -> None:
    host = at.open("Ada", tray="pentagon")
    started(host, "Ada", WIDE, photo(640))
    started(host, "Ada", NARROW, photo(641))
    host.reveal()
    assert pitch_read_by(host, "Ada", photo(642)) == NARROW.pitch_mm
    back = host.do("/players/Ada/tray", {"tray": None})
    assert (back["tray"]["name"], back["tray"]["own"]) == ("pentagon", False)
    assert (back["profile"], back["reading"]) == (None, None)
    assert pitch_read_by(host, "Ada", photo(643)) == load_profile("pentagon").pitch_mm
    host.do("/tray", {"tray": None})
    assert pitch_read_by(host, "Ada", photo(644)) is None


def test_a_profile_is_set_by_name(at: House) -> None:
    host = at.open("Ada", "Ben")
    told = host.do("/players/Ada/tray", {"tray": "pentagon"})
    assert told["profile"]["name"] == told["tray"]["name"] == "pentagon"
    assert told["tray"]["start_photos"] == []
    host.reveal()
    assert pitch_read_by(host, "Ada", photo(650)) == load_profile("pentagon").pitch_mm


def test_further_photos_in_a_dispute_are_read_by_the_owners_tray(at: House) -> None:
    host = at.open("Ada", "Ben")
    told = started(host, "Ada", WIDE, photo(660))
    started(host, "Ben", NARROW, photo(661))
    host.reveal()
    host.photographed(1, "Ada", A, photo(662))
    host.submit(1, "Ben", B)
    host.lock(1)
    host.joined("Ben").do("/disputes", {"round": 1, "player": "Ada", "seat": "A"})
    more = at.readers.show(photo(663), make_reading(A))
    assert host.ask("POST", "/disputes/1/photos", files=form(more)).status_code == 200
    tray = at.readers.read_by[-1]
    assert tray is not None
    assert tray.pitch_mm == WIDE.pitch_mm
    assert last_entry(host)["body"]["reader"]["trays"] == {tray.name: told["tray"]["version"]}


def live_tray(at: At, **greeting: str) -> TrayProfile | None:
    """The profile by which a live camera is followed."""
    with at.house.client.websocket_connect(f"/v1/tables/{at.id}/live") as socket:
        socket.send_json({"token": at.token, **greeting})
        assert socket.receive_json()["problem"]["code"] == "busy"
    return at.house.cameras.asked_for[-1]


def test_live_frames_are_read_by_the_players_tray(at: House) -> None:
    host = at.open("Ada", "Ben")
    ada = host.joined("Ada")
    started(host, "Ada", WIDE, photo(670))
    started(host, "Ben", NARROW, photo(671))
    for eye, greeting, wanted in (
        (host, {"player": "Ada"}, WIDE),
        (host, {"player": "Ben"}, NARROW),
        (ada, {}, WIDE),
        (ada, {"player": "Ben"}, NARROW),
        (host, {"player": "Ada", "tray": "pentagon"}, load_profile("pentagon")),
    ):
        tray = live_tray(eye, **greeting)
        assert tray is not None
        assert tray.pitch_mm == wanted.pitch_mm
    assert live_tray(host) is None
    with at.client.websocket_connect(f"/v1/tables/{host.id}/live") as socket:
        socket.send_json({"token": host.token, "player": "Eve"})
        assert socket.receive_json()["problem"]["code"] == "unknown_player"


def test_who_may_not(at: House) -> None:
    host = at.open("Ada", "Ben")
    ben = host.joined("Ben")
    start = form(at.readers.start(photo(680), WIDE))
    refused(ben.ask("POST", "/players/Ada/tray", files=start), 403, "not_your_tray")
    refused(ben.ask("POST", "/players/Ada/tray", json={"tray": "disc"}), 403, "not_your_tray")
    refused(ben.ask("POST", "/tray", files=start), 403, "host_only")
    stranger = At(at, host.id, host.code, at.open("Ada").token)
    refused(stranger.ask("POST", "/players/Ada/tray", files=start), 403, "wrong_token")
    assert in_use(host, "Ada")["name"] is None


def test_what_cannot_be(at: House) -> None:
    host = at.open("Ada", "Ben")
    path = "/players/Ada/tray"
    refused(host.ask("POST", path, json={"tray": "of-nobody"}), 404, "no_such_tray")
    refused(host.ask("POST", path, json={"tray": "../secret"}), 404, "no_such_tray")
    refused(host.ask("POST", path, json={}), 422, "bad_request")
    refused(host.ask("POST", path, content=b"{", headers=_JSON), 400, "bad_json")
    refused(host.ask("POST", "/players/Eve/tray", json={"tray": "disc"}), 404, "unknown_player")
    refused(host.ask("POST", path, files=form(photo(690))), 422, "tray_refused")
    refused(host.ask("POST", path, files=form(b"no photo")), 415, "not_an_image")
    refused(host.ask("POST", path, files=form(*map(photo, range(5)))), 422, "bad_count")
    refused(host.ask("POST", path, content=b"x"), 415, "unsupported_media_type")
    assert last_entry(host)["kind"] == "table_opened"


_JSON = {"Content-Type": "application/json"}


def test_not_while_its_photos_are_disputed_nor_after_the_game(at: House) -> None:
    host = at.open("Ada", "Ben")
    ben = host.joined("Ben")
    for number in range(1, 7):
        host.play_round(number, Ada=A, Ben=B)
    ben.do("/disputes", {"round": 1, "player": "Ada", "seat": "A"})
    refused(host.ask("POST", "/players/Ada/tray", json={"tray": "disc"}), 409, "dispute_open")
    refused(host.ask("POST", "/tray", json={"tray": "disc"}), 409, "dispute_open")
    host.do("/players/Ben/tray", {"tray": "disc"})
    ben.do("/disputes/1/resolve", {"outcome": "upheld"})
    host.do("/players/Ada/tray", {"tray": "disc"})
    host.do("/finish")
    refused(host.ask("POST", "/players/Ada/tray", json={"tray": "disc"}), 409, "finished")


def test_it_is_done_once(at: House) -> None:
    host = at.open("Ada")
    start = form(at.readers.start(photo(700), WIDE))
    again = {"Idempotency-Key": "start-1"}
    first = host.ask("POST", "/players/Ada/tray", files=start, headers=again)
    measured = len(at.readers.asked)
    second = host.ask("POST", "/players/Ada/tray", files=start, headers=again)
    assert first.json() == second.json()
    assert len(at.readers.asked) == measured
    assert host.state()["version"] == 2


def test_a_restart_forgets_nothing(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as before:
        host = before.open("Ada")
        told = started(host, "Ada", WIDE, photo(710))
    with house(tmp_path, database_url) as after:
        at = At(after, host.id, host.code, host.token)
        assert in_use(at, "Ada") == told["tray"]
        at.reveal()
        assert pitch_read_by(at, "Ada", photo(711)) == WIDE.pitch_mm


@pytest.fixture
def bundle(at: House, tmp_path: Path) -> Path:
    """The evidence of a table with a start photo, and a photo read by it."""
    host = at.open("Ada", "Ben")
    started(host, None, NARROW, photo(720))
    started(host, "Ada", WIDE, photo(721))
    host.reveal()
    host.photographed(1, "Ada", A, photo(722))
    path = tmp_path / "evidence.zip"
    path.write_bytes(host.ask("GET", "/evidence.zip").content)
    return path


def test_the_bundle_holds_start_photos_and_versions(bundle: Path) -> None:
    found = verify(bundle)
    assert (found.problems, found.files) == ((), 3)
    with zipfile.ZipFile(io.BytesIO(bundle.read_bytes())) as packed:
        page, ledger = packed.read("index.html").decode(), packed.read("ledger.json").decode()
    sent = next(row for row in json.loads(ledger)["entries"] if row["kind"] == "tray_submitted")
    ((name, version),) = sent["body"]["reader"]["trays"].items()
    shown = f"Profile <code>{name}</code> (<code>{version}</code>)"
    assert page.count(shown) == 2  # where it was set, and where a photo was read by it
    assert "<h3>All others</h3>" in page


def test_a_profile_of_another_version_is_found_out(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as packed:
        ledger = parse_ledger(packed.read("ledger.json"))
    forged, previous = [], genesis(ledger.table)
    for entry in ledger.entries:
        body = dict(entry.body)
        if entry.kind == "tray_set":
            body["profile"] = {**body["profile"], "pitch_mm": 30.0}
        forged.append(linked(replace(entry, body=body), previous))
        previous = forged[-1].hash
    problems = verify_ledger(ledger_text(replace(ledger, entries=forged))).problems
    assert "Entry 2 (tray_set by host) says version is" in problems[0]
    assert "Entry 3 (tray_set by" in problems[1]
    assert "a tray profile that this table never set" in problems[2]


def test_tables_from_before_there_were_start_photos_still_load() -> None:
    """The ledger was kept when a table had one profile for all, by its name."""
    text = OLD.read_text("utf-8")
    assert verify_ledger(text).intact
    ledger = parse_ledger(text)
    record = Record(ledger.table, 7, head=genesis(ledger.table)).after_all(ledger.entries)
    for player in ("Ada", "Ben"):
        choice = record.tray_of(player)
        assert choice is not None
        assert (choice.name, choice.profile, choice.photos) == ("disc", None, ())
    assert record.own_trays == {}
