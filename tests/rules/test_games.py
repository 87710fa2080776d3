"""The registry of games: found by name, loaded when asked for, all with the same few powers."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rules.errors import RulesError
from rules.game import GameRules
from rules.games import DEFAULT, GAMES, game

POSITIONS = {
    "dimension": "OKBGGWB/K.B.O./K",
    "high_score": "5533V12",
    "cube": "R,.,.,Y/.,BG,.,./.,.,.,./B,.,.,G",
}
FIELDS = {"dimension": "layout", "high_score": "dice", "cube": "board"}
"""Where a question has the position."""
POINTS: dict[str, Callable[[dict[str, Any]], int]] = {
    "dimension": lambda answer: answer["points"],
    "high_score": lambda answer: answer["result"],
    "cube": lambda answer: sum(answer["cards"].values()),
}
QUESTIONS: dict[str, dict[str, Any]] = {
    "dimension": {"cards": ["touch:BK", "exactly:2O"]},
    "high_score": {"challenge": "pairs-rest/three/free"},
    "cube": {"cards": ["BB.G", "RY/BG"]},
}


def test_a_question_that_names_no_game_is_of_dimension() -> None:
    assert game().id == "dimension"
    assert DEFAULT == "dimension"


@pytest.mark.parametrize("name", GAMES)
def test_a_position_prints_as_the_line_it_was_parsed_from(name: str) -> None:
    played: GameRules[Any, Any] = game(name)
    assert played.id == name
    assert str(played.parse(POSITIONS[name])) == POSITIONS[name]
    assert list(played.problems(POSITIONS[name])) == []


@pytest.mark.parametrize("name", GAMES)
def test_many_positions_score_as_one_does(name: str) -> None:
    played, line = game(name), POSITIONS[name]
    worth = played.scoring(QUESTIONS[name])([played.parse(line)])
    answer = played.score({**QUESTIONS[name], FIELDS[name]: line})
    assert worth.points.tolist() == [POINTS[name](answer)]
    verdicts = answer.get("verdicts", answer.get("cards", {}))
    assert {card: bool(met[0]) for card, met in worth.cards.items()} == verdicts


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(RulesError, match=r"no game 'four-in-a-row'. Games: dimension, high_score"):
        game("four-in-a-row")


def test_the_registry_itself_loads_no_game() -> None:
    code = "import sys, rules.games; print([m for m in sys.modules if m.startswith('rules.')])"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert not [name for name in GAMES if name in loaded]
