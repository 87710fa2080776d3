"""Which program wrote a history is in it; what older ones left out is not held against them."""

import json
from pathlib import Path
from typing import Any

import pytest

from api.evidence.bundle import parse_ledger
from api.evidence.replay import replayed
from api.evidence.verify import verify, verify_ledger
from api.ledger.chain import Entry, genesis, linked
from api.versions import program
from tests.api.evidence.recorded import Recorded, Rows, relinked
from tests.api.tables.house import A, House, house, photo

OLD = Path(__file__).parents[1] / "tables" / "data" / "ledger-before-start-photos.json"
OTHER = {"version": "0.0.9", "code": "0123456789ab"}


@pytest.fixture
def at(tmp_path: Path) -> Any:
    with house(tmp_path / "house") as running:
        yield running


def tables(at: House) -> Any:
    return at.client.app.state.tables  # type: ignore[attr-defined]


def entries(host: Any) -> list[Any]:
    told: list[Any] = host.do("/ledger", method="GET")["entries"]
    return told


def test_a_table_knows_the_program_that_opened_it(at: House) -> None:
    host = at.open("Ada")
    assert entries(host)[0]["body"]["program"] == program()
    assert host.do("/ledger", method="GET")["program"] == program()["version"]


def test_another_program_says_so_before_it_plays_on(at: House) -> None:
    host = at.open("Ada")
    tables(at).program = OTHER
    host.reveal()
    host.submit(1, "Ada", A)
    kinds = [entry["kind"] for entry in entries(host)]
    assert kinds == ["table_opened", "program_changed", "cards_revealed", "tray_submitted"]
    ledger = host.do("/ledger", method="GET")
    found = verify_ledger(json.dumps(ledger))
    assert found.intact
    assert found.programs == (program()["version"], "0.0.9")
    assert "Another version of Trayscore wrote some of it" in found.notes[0]
    false = verify_ledger(json.dumps({**ledger, "program": "7"}))
    assert false.problems == ("Another program is named beside the history than in it.",)


def test_time_never_runs_backwards_at_a_table(at: House) -> None:
    host = at.open("Ada", "Ben")
    at.clock.at -= 3600.0
    host.reveal()
    host.joined("Ben")
    times = [entry["at"] for entry in entries(host)]
    assert times == sorted(times)
    assert verify_ledger(json.dumps(host.do("/ledger", method="GET"))).intact


def test_somebody_who_joins_late_finds_the_sand_run_out(at: House) -> None:
    host = at.open("Ada", "Ben")
    host.reveal()
    host.do("/rounds/1/hourglass", {"action": "start"})
    at.clock.at += 100.0
    host.joined("Ben")
    kinds = [entry["kind"] for entry in entries(host)]
    assert kinds[-2:] == ["hourglass_ran_out", "player_joined"]


def test_a_photo_counts_from_the_rounds_beginning_at_the_earliest(at: House) -> None:
    """The clock was set back between the round and the photo."""
    host = at.open("Ada")
    host.reveal()
    at.clock.at -= 50.0
    host.photographed(1, "Ada", A, photo(77))
    revealed, sent = entries(host)[-2:]
    assert sent["body"]["at"] == revealed["at"]
    assert verify_ledger(json.dumps(host.do("/ledger", method="GET"))).intact


def test_an_old_history_may_be_played_on() -> None:
    ledger = parse_ledger(OLD.read_bytes())
    last = ledger.entries[-1]
    drafts: list[tuple[str, str, dict[str, object]]] = [
        ("service", "program_changed", {"program": program()}),
        ("host", "pin_set", {"player": "Ben", "made_by": "host"}),
    ]
    chain = list(ledger.entries)
    for actor, kind, body in drafts:
        entry = Entry(len(chain) + 1, last.at + 1.0, actor, kind, body)
        chain.append(linked(entry, chain[-1].hash))
    assert replayed(ledger.table, chain).problems == ()


def test_an_old_clock_that_was_set_back_is_only_noted() -> None:
    """The service did not prevent it then; now it does, and it is told."""
    rows: Rows = json.loads(OLD.read_text())["entries"]
    table = parse_ledger(OLD.read_bytes()).table
    assert rows[2]["kind"] == "player_joined"
    rows[2]["at"] -= 1000.0
    linked_anew = [Entry.from_json(row) for row in relinked(table, rows)]
    found = replayed(table, linked_anew)
    assert found.problems == ()
    assert "the clock was set back" in " ".join(found.notes)
    assert linked_anew[0].previous == genesis(table)


def test_cards_of_an_unfinished_game_are_noted(at: House, tmp_path: Path) -> None:
    host = at.open("Ada")
    host.reveal(None)
    path = tmp_path / "evidence.zip"
    path.write_bytes(host.ask("GET", "/evidence.zip").content)
    found = verify(path)
    assert found.intact
    assert found.notes == (
        "Whether the cards are those of the shuffled stack is told when the game is over.",
    )


def test_a_bundle_says_beside_its_history_only_what_follows_from_it(recorded: Recorded) -> None:
    text = recorded.bundle[recorded.bundle.index(b'{"format"') :]
    assert text.startswith(
        f'{{"format":"trayscore-evidence/2","table":"{recorded.table}","entries":['.encode()
    )


DATA = Path(__file__).parent / "data"


def test_a_ledger_that_names_no_game_is_of_the_first_one() -> None:
    text = (DATA / "ledger-without-game.json").read_text("utf-8")
    assert "game" not in json.loads(text)["entries"][0]["body"]
    found = verify_ledger(text)
    assert found.intact, found.problems
    assert len(found.words) == 7


def test_a_bundle_that_names_no_game_still_verifies() -> None:
    found = verify(DATA / "bundle-without-game.zip")
    assert found.whole, found.problems
    assert (found.files, len(found.words)) == (6, 7)


def test_a_game_put_into_an_old_ledger_must_be_the_one_played() -> None:
    ledger = json.loads((DATA / "ledger-without-game.json").read_text("utf-8"))
    for game, intact in (("dimension", True), ("chess", False), (7, False), (None, False)):
        ledger["entries"][0]["body"]["game"] = game
        rows = relinked(ledger["table"], ledger["entries"])
        told = {"format": ledger["format"], "table": ledger["table"], "entries": rows}
        assert verify_ledger(json.dumps(told)).intact is intact, game
