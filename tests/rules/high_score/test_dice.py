import doctest

import pytest
from hypothesis import given

import rules.high_score.board
import rules.high_score.challenges
import rules.high_score.dice
import rules.high_score.tens
from rules.high_score.dice import Dice, DiceError, problems
from tests.rules.high_score.strategies import dice


@given(dice())
def test_dice_are_written_as_they_are_read(given: Dice) -> None:
    assert Dice.parse(str(given)) == given
    assert given.sorted() == Dice("".join(sorted(given.faces)))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", [("bad_count", ())]),
        ("123", [("bad_count", ())]),
        ("12345VV5", [("bad_count", ())]),
        ("123456V", [("bad_face", (5,))]),
        ("12345Vv", [("bad_face", (6,))]),
        ("0x", [("bad_count", ()), ("bad_face", (0,)), ("bad_face", (1,))]),
    ],
)
def test_all_problems_are_told_at_once(text: str, wrong: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [(problem.code, problem.places) for problem in problems(text)] == wrong
    with pytest.raises(DiceError) as refusal:
        Dice.parse(text)
    assert refusal.value.code == "bad_dice"
    assert refusal.value.problems == problems(text)
    for problem in problems(text):
        assert problem.text in refusal.value.text
        assert problem.to_json()["text"] == problem.text


def test_any_number_of_dice_where_the_number_does_not_matter() -> None:
    assert len(Dice.parse("V1", count=None)) == 2
    with pytest.raises(DiceError):
        Dice("9")


def test_dice_among_dice() -> None:
    assert Dice("5533V12").has(Dice("35"))
    assert not Dice("5533V12").has(Dice("555"))
    assert Dice("5533V12").without(Dice("35V")) == Dice("1235")


@pytest.mark.parametrize(
    "module",
    [
        rules.high_score.board,
        rules.high_score.challenges,
        rules.high_score.dice,
        rules.high_score.tens,
    ],
)
def test_documented_examples_hold(module: object) -> None:
    done = doctest.testmod(module)  # type: ignore[arg-type]
    assert done.attempted
    assert not done.failed
