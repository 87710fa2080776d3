"""High Score has the powers that the house asks of every game."""

import pytest
from hypothesis import given, settings

from rules.errors import RulesError
from rules.game import GameRules
from rules.high_score.challenges import Challenge
from rules.high_score.dice import Dice
from rules.high_score.entry import HighScore
from rules.high_score.game import Game as Table
from rules.high_score.game import SetUp, event_to_json
from tests.rules.high_score.strategies import challenges, dice

PLAYED: GameRules[Dice, Table] = HighScore()


def test_a_line_of_dice_prints_as_it_was_parsed() -> None:
    assert str(PLAYED.parse("5533V12")) == "5533V12"
    assert list(PLAYED.problems("5533V12")) == []
    assert [problem.code for problem in PLAYED.problems("55x")] == ["bad_count", "bad_face"]


@given(dice(), dice(), challenges())
@settings(max_examples=15, deadline=None)
def test_many_dice_score_as_one_does(one: Dice, other: Dice, challenge: Challenge) -> None:
    question = {"challenge": str(challenge)}
    worth = PLAYED.scoring(question)([one, other])
    alone = [PLAYED.score({**question, "dice": str(each)})["result"] for each in (one, other)]
    assert worth.points.tolist() == alone
    assert worth.bonus.tolist() == [0, 0]
    assert PLAYED.scoring(question)([]).points.tolist() == []


def test_advice_and_events() -> None:
    question = {"challenge": "odd/four/0", "dice": "5555555", "roll": 1}
    assert PLAYED.solve(question)["stop"]
    table = PLAYED.after(None, event_to_json(SetUp(("Ada", "Ben"))))
    assert table.next_starter == "Ada"
    with pytest.raises(RulesError) as refusal:
        PLAYED.after(table, {"type": "round_closed"})
    assert refusal.value.code == "no_round"
