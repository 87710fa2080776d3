"""A game that the service has never heard of, registered by this test, from opening to evidence."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import api.games.registry
import rules.games
from api.evidence.verify import verify, verify_ledger
from api.ledger.chain import Entry
from api.storage.check import check_store
from tests.api.evidence.recorded import relinked
from tests.api.games.coins import CoinRules
from tests.api.tables.devices import Device
from tests.api.tables.house import A, At, House, form, house, photo, refused

HERE = "tests.api.games.coins"


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    parts = {"table": f"{HERE}:TABLE", "evidence": f"{HERE}:EVIDENCE"}
    monkeypatch.setitem(api.games.registry._PARTS, "coins", parts)
    monkeypatch.setitem(rules.games._GAMES, "coins", CoinRules)
    with house(tmp_path / "house") as running:
        yield running


def play_round(host: At, number: int, **tosses: str) -> Any:
    shown = host.do("/rounds", {"side": "H"} if number == 1 else {})
    assert shown["side"] in ("H", "T")
    for player, coins in tosses.items():
        told = host.do(f"/rounds/{number}/entries/{player}", {"coins": coins})
        assert told["score"] == told["submission"]["score"] == coins.count(shown["side"])
    return host.do(f"/rounds/{number}/lock")


def disputed(host: At, ben: At) -> Any:
    asked = {"round": 1, "player": "Ada", "coin": 3, "text": "It was tails."}
    opened = host.do("/disputes", asked)
    assert (opened["coins_before"], opened["points_before"]) == ("HHH", 3)
    assert opened["hangs_on"] == ["3"]
    refused(
        host.ask("POST", "/disputes/1/resolve", json={"outcome": "corrected"}),
        409,
        "consent_missing",
    )
    ada = host.joined("Ada")
    refused(ada.ask("POST", "/disputes/1/consent", json={"coins": "HHX"}), 422, "bad_coins")
    ada.do("/disputes/1/consent", {"coins": "HHT"})
    ben.do("/disputes/1/consent", {"coins": "HHT"})
    return host.do("/disputes/1/resolve", {"outcome": "corrected"})


@pytest.fixture
def played(at: House) -> At:
    """A finished game with a correction, a dispute and a seal that a device took part in."""
    host = at.open("Ada", "Ben", game="coins", seed=3)
    ben, device = host.joined("Ben"), Device(host)
    device.commit(1)
    locked = play_round(host, 1, Ada="HHH", Ben="TTH")
    device.tell(1)
    assert locked["points"] == {"Ada": 3, "Ben": 1}
    settled = disputed(host, ben)
    assert (settled["status"], settled["coins_after"], settled["points_after"]) == (
        "corrected",
        "HHT",
        2,
    )
    host.do("/rounds", {})
    host.do("/rounds/2/trays/Ada", {"coins": "HTT"})  # the older name
    fixed = host.do("/rounds/2/entries/Ada", {"coins": "TTT", "reason": "misread"}, method="PATCH")
    assert fixed["submission"]["corrections"][0]["before"] == "HTT"
    host.do("/rounds/2/entries/Ben", {"coins": "HHH"})
    host.do("/rounds/2/lock")
    host.do("/finish")
    return host


def test_a_whole_game_of_a_game_from_elsewhere(played: At) -> None:
    shown = played.state()
    assert shown["settings"]["game"] == "coins"
    assert shown["points"] == shown["result"]["points"]
    assert shown["rounds"][0]["submissions"]["Ada"]["coins"] == "HHT"
    assert shown["seal"]["sequence"] == shown["version"]
    kinds = [entry["kind"] for entry in played.do("/ledger", method="GET")["entries"]]
    assert {"round_revealed", "position_submitted", "position_corrected"} < set(kinds)


def test_its_evidence_verifies(played: At, tmp_path: Path) -> None:
    file = tmp_path / "evidence.zip"
    file.write_bytes(played.ask("GET", "/evidence.zip").content)
    found = verify(file)
    assert found.whole, found.problems
    assert [seal.of_what for seal in found.words] == ["Round 1", "Round 2", "The end of the game"]
    assert "three coins a round" in found.page
    assert "coin 3 of Ada" in found.page


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("table_opened", "game", "dimension"),
        ("table_opened", "game", "chess"),
        ("position_submitted", "coins", "TTT"),
        ("round_locked", "scores", {}),
        ("dispute_opened", "coin", 9),
        ("dispute_resolved", "points", 3),
    ],
)
def test_a_forged_history_is_found_out(played: At, kind: str, key: str, value: object) -> None:
    ledger = played.do("/ledger", method="GET")
    rows = ledger["entries"]
    assert verify_ledger(json.dumps(ledger)).intact
    next(row for row in rows if row["kind"] == kind)["body"][key] = value
    rows = relinked(played.id, rows)
    told = {"format": ledger["format"], "table": played.id, "entries": rows}
    assert Entry.from_json(rows[-1]).hash != ledger["head"]
    assert not verify_ledger(json.dumps(told)).intact


def test_what_it_cannot_do_is_refused(at: House) -> None:
    host = at.open("Ada", "Ben", game="coins")
    host.do("/rounds", {})
    wrong = host.ask("POST", "/rounds/1/entries/Ada", json={"layout": A})
    assert "coins" in refused(wrong, 422, "bad_request")["detail"]
    refused(host.ask("POST", "/rounds/1/entries/Ada", json={"coins": "H"}), 422, "bad_coins")
    refused(host.ask("POST", "/rounds/1/hourglass", json={"action": "start"}), 409, "other_game")
    refused(host.ask("POST", "/tray", json={"tray": "disc"}), 409, "no_profiles")
    refused(host.ask("POST", "/rounds/1/entries/Ada", files=form(photo(1))), 422, "no_reader")
    refused(host.ask("POST", "/rounds/1/lock"), 409, "coins_missing")


def test_solo_games_are_compared_within_their_game(at: House) -> None:
    for _ in range(2):
        host = at.open("Cleo", game="coins", seed=2)
        for number in (1, 2):
            play_round(host, number, Cleo="HHT")
        over = host.do("/finish")
    assert over["result"]["solo"]["games"] == 2
    other = at.open("Cleo")
    assert other.do("/solo", method="GET")["games"] == []
    assert len(host.do("/solo", method="GET")["games"]) == 2


def test_the_check_finds_a_table_whose_game_was_changed(at: House, played: At) -> None:
    with at.store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE tables SET game = 'dimension'")
    found = check_store(at.store.directory, None).database
    assert any("another game" in text for text in found)
    assert any("of tables" in text for text in found)


@pytest.mark.parametrize("game", ["chess", "high score", ""])
def test_an_unknown_game_is_refused(at: House, game: str) -> None:
    asked = {"players": ["Ada"], "game": game}
    problem = refused(at.client.post("/v1/tables", json=asked), 422, "bad_game")
    assert "dimension" in problem["detail"]


def test_a_game_without_a_name_is_dimension(at: House) -> None:
    host = at.open("Ada")
    assert host.state()["settings"]["game"] == "dimension"
    assert host.do("/ledger", method="GET")["entries"][0]["body"]["game"] == "dimension"
