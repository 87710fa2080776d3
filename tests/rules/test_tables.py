"""What holds at the table of every game: events as JSON, and how a game begins."""

import json
from typing import Any

import pytest

from rules.errors import RulesError
from rules.games import GAMES, game
from rules.playing import IllegalMove, fold

TWO = {"type": "set_up", "players": ["Ada", "Ben"]}
RULINGS = {
    "dimension": {"total": "floor"},
    "high_score": {"pairs": "one"},
    "cube": {"taboo": "placed"},
}


def refusal(name: str, *events: dict[str, Any]) -> str:
    state = None
    *before, last = events
    for event in before:
        state = game(name).after(state, event)
    with pytest.raises(RulesError) as refused:
        game(name).after(state, last)
    return refused.value.code


@pytest.mark.parametrize("name", GAMES)
def test_a_game_begins_with_setting_up_once(name: str) -> None:
    assert refusal(name, {"type": "finished"}) == "not_set_up"
    assert refusal(name, TWO, TWO) == "already_set_up"
    with pytest.raises(IllegalMove):
        fold(game(name).after, [])


@pytest.mark.parametrize("name", GAMES)
def test_every_player_has_a_name_of_their_own(name: str) -> None:
    for players in (["Ada", "Ada"], ["Ada", " "], [], list("ABCDEF")):
        assert refusal(name, {**TWO, "players": players}) == "bad_players"


@pytest.mark.parametrize("name", GAMES)
def test_rulings_are_part_of_the_set_up(name: str) -> None:
    state = game(name).after(None, {**TWO, "rulings": RULINGS[name]})
    assert RULINGS[name].items() <= state.settings.rulings.to_json().items()
    assert refusal(name, {**TWO, "rulings": dict.fromkeys(RULINGS[name], "x")}) == "bad_ruling"
    assert refusal(name, {**TWO, "rulings": {"weather": "fine"}}) == "bad_ruling"


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"type": "party"},
        {"type": ["set_up"]},
        {"type": "set_up"},
        {"type": "set_up", "players": "Ada"},
        {"type": "set_up", "players": [1]},
        {**TWO, "seed": True},
        {**TWO, "at": "noon"},
        {**TWO, "deck": "any"},
        {**TWO, "rulings": "ours"},
        {**TWO, "why": "because"},
        {"type": "finished", "at": "noon"},
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("name", GAMES)
def test_what_is_no_event_is_refused(name: str, wrong: dict[str, Any]) -> None:
    assert refusal(name, wrong) == "bad_event"


def test_one_is_not_true_and_true_is_not_one() -> None:
    assert refusal("dimension", {**TWO, "put_back": 1}) == "bad_event"
    assert refusal("dimension", {**TWO, "cards_per_round": True}) == "bad_event"
