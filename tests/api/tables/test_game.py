"""Whole games over HTTP, beside the rules engine playing the same."""

from pathlib import Path
from typing import Any

import pytest

from api.ledger.chain import Entry
from rules.dimension.game import (
    Finished,
    Game,
    RoundClosed,
    SetUp,
    TraySubmitted,
    apply,
    enter,
    replay,
)
from rules.dimension.rulings import Rulings
from tests.api.tables.house import NOTHING, A, At, B, C, House, house, photo, refused

ROUNDS = range(1, 7)
LAYOUTS = {"Ada": A, "Ben": B, "Cleo": C}


def play_all(host: At, players: list[str]) -> list[list[str]]:
    """The cards of six rounds, each tray by hand."""
    cards = []
    for number in ROUNDS:
        cards.append(host.reveal(None)["cards"])
        for player in players:
            host.submit(number, player, LAYOUTS[player])
        host.lock(number)
    return cards


def by_the_rules(set_up: SetUp, cards: list[list[str]]) -> Game:
    """The same game without the service."""
    game = replay([set_up])
    for revealed in cards:
        game = apply(game, enter(revealed))
        for player in set_up.players:
            game = apply(game, TraySubmitted(player, LAYOUTS[player]))
        game = apply(game, RoundClosed())
    return apply(game, Finished())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"edition": "de", "rulings": {"total": "floor", "lone_touch": "failed"}},
        {"cards_per_round": 8, "without": ["exactly", "more_sum4"], "put_back": True, "seed": 5},
    ],
)
def test_a_whole_game(at: House, settings: dict[str, Any]) -> None:
    players = ["Ada", "Ben", "Cleo"]
    host = at.open(*players, **settings)
    cards = play_all(host, players)
    refused(host.ask("POST", "/rounds", json={}), 409, "no_more_rounds")
    over = host.do("/finish")
    agreed: dict[str, Any] = {**settings, "rulings": Rulings(**settings.get("rulings", {}))}
    agreed["without"] = tuple(settings.get("without", ()))
    game = by_the_rules(SetUp(tuple(players), **agreed), cards)
    assert [(one["player"], one["total"], one["place"]) for one in over["result"]["scores"]] == [
        (one.player, one.total, one.place) for one in game.final()
    ]
    assert tuple(over["result"]["winners"]) == game.winners()
    state = host.state()
    assert state["finished"]
    assert state["result"] == over["result"]
    assert [one["points"] for one in state["standings"]] == [
        game.standings[player].points for player in players
    ]
    refused(host.ask("POST", "/finish"), 409, "finished")


def test_a_game_ends_after_six_rounds(at: House) -> None:
    host = at.open("Ada")
    host.play_round(1, Ada=A)
    refused(host.ask("POST", "/finish"), 409, "rounds_missing")


def test_a_shared_win(at: House) -> None:
    host = at.open("Ada", "Ben")
    for number in ROUNDS:
        host.reveal(None)
        for player in ("Ada", "Ben"):
            host.submit(number, player, A)
        host.lock(number)
    result = host.do("/finish")["result"]
    assert (result["winners"], result["tie"]) == (["Ada", "Ben"], "shared")


def test_the_table_is_the_same_after_a_restart(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as before:
        host = before.open("Ada", "Ben")
        ada = host.joined("Ada")
        host.reveal()
        ada.photographed(1, "Ada", A, photo(1))
        host.submit(1, "Ben", B)
        host.lock(1)
        told = ada.state()
    with house(tmp_path, database_url) as after:
        ada.house = after
        assert {**ada.state(), "server_now": 0} == {**told, "server_now": 0}


def test_a_secret_seed_is_told_in_the_end(at: House) -> None:
    host = at.open("Ada", "Ben", "Cleo")
    play_all(host, ["Ada", "Ben", "Cleo"])
    first = host.do("/ledger", method="GET")["entries"][0]["body"]
    assert "seed" not in first["event"]
    assert len(first["seed_sha256"]) == 64
    host.do("/finish")
    last = Entry.from_json(host.do("/ledger", method="GET")["entries"][-1])
    assert last.body["seed"].isdecimal()


def test_solo_games_over_time(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at:
        results = []
        for seed, layout in ((1, C), (2, NOTHING), (3, A)):
            host = at.open("Ada", seed=seed)
            for number in ROUNDS:
                host.reveal(None)
                host.submit(number, "Ada", layout)
                host.lock(number)
            at.clock.at += 1000
            results.append(host.do("/finish")["result"])
        totals = [result["scores"][0]["total"] for result in results]
        solo = results[-1]["solo"]
        assert (solo["games"], solo["best"], solo["way"]) == (3, max(totals), "en, 6 cards")
        assert solo["average"] == pytest.approx(sum(totals) / 3)
        history = host.do("/solo", method="GET")
        assert [game["total"] for game in history["games"]] == totals[::-1]
        assert history["best"] == {"en, 6 cards": max(totals)}
        assert host.state()["result"]["solo"] == solo
        refused(at.open("Ada", "Ben").ask("GET", "/solo"), 409, "not_solo")
        host.ask("DELETE")
