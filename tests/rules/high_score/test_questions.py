import json

import pytest

from rules.errors import RulesError
from rules.high_score.questions import Json, answer_score, answer_solve

CHALLENGE = "pairs-rest/three/free"


def test_a_score_as_in_the_contract() -> None:
    question = {"game": "high_score", "dice": "5533V12", "challenge": CHALLENGE}
    answer = answer_score(question)
    assert set(answer.pop("text")) == {"en", "de"}
    assert answer == {
        "result": 19,
        "values": [5, 5, 3, 3, 2, 1, 2],
        "counted": [0, 1, 2, 3, 4, 6],
        "problems": [],
    }


def test_rulings_in_a_question() -> None:
    question = {"dice": "4444123", "challenge": "pairs/four/0", "rulings": {"pairs": "one"}}
    assert answer_score(question)["result"] == 8


def test_advice_as_in_the_contract() -> None:
    question = {"challenge": CHALLENGE, "dice": "5533V12", "roll": 2, "aside": "", "goal": "expect"}
    answer = answer_solve(question)
    assert list(answer) == ["keep", "stop", "value", "options", "distribution"]
    assert answer["options"][0] == {"keep": answer["keep"], "value": answer["value"]}
    assert len(answer["options"]) == 8
    assert json.loads(json.dumps(answer)) == answer
    mean = sum(end["result"] * end["p"] for end in answer["distribution"])
    assert mean == pytest.approx(answer["value"])


@pytest.mark.parametrize("dice", [{}, {"dice": ""}, {"dice": "", "aside": ""}])
def test_advice_before_the_first_roll(dice: dict[str, str]) -> None:
    answer = answer_solve({"challenge": CHALLENGE, "roll": 0, **dice})
    assert (answer["keep"], answer["stop"], answer["options"]) == ("", False, [])
    assert answer["value"] == pytest.approx(25.77, abs=0.01)


@pytest.mark.parametrize(
    "goal", [{"at_least": 17}, {"chips": {"rolled": [17, 9], "to_come": 1}}, None]
)
def test_every_goal(goal: object) -> None:
    question = {"challenge": "run/aside/2", "dice": "124", "roll": 3, "aside": "355V", "goal": goal}
    answer = answer_solve(question)
    assert answer["keep"]
    assert sum(end["p"] for end in answer["distribution"]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dice": None}, "bad_dice"),
        ({"dice": 5533112}, "bad_dice"),
        ({"dice": "5533V1"}, "bad_dice"),
        ({"dice": "5533V16"}, "bad_dice"),
        ({"challenge": None}, "bad_challenge"),
        ({"challenge": "pairs-rest/three"}, "bad_challenge"),
        ({"rulings": ["pairs"]}, "bad_ruling"),
        ({"rulings": {"pairs": "none"}}, "bad_ruling"),
    ],
)
def test_a_bad_question_is_refused(change: Json, code: str) -> None:
    question = {"challenge": CHALLENGE, "dice": "5533V12", "roll": 1, **change}
    for answer in (answer_score, answer_solve):
        with pytest.raises(RulesError) as refusal:
            answer(question)
        assert refusal.value.code == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"roll": None}, "bad_roll"),
        ({"roll": True}, "bad_roll"),
        ({"roll": "1"}, "bad_roll"),
        ({"roll": -1}, "bad_roll"),
        ({"roll": 4}, "bad_roll"),
        ({"roll": 0}, "bad_roll"),
        ({"roll": 0, "dice": "55"}, "bad_dice"),
        ({"dice": ""}, "bad_dice"),
        ({"aside": "1"}, "bad_dice"),
        ({"aside": "12", "dice": "5533V"}, "bad_dice"),
        ({"aside": 12}, "bad_dice"),
        ({"goal": "win"}, "bad_goal"),
        ({"goal": {"at_least": "17"}}, "bad_goal"),
        ({"goal": {"at_least": 17, "chips": 1}}, "bad_goal"),
        ({"goal": {"at_least": True}}, "bad_goal"),
        ({"goal": {"chips": {"rolled": [1]}}}, "bad_goal"),
        ({"goal": {"chips": {"rolled": ["1"], "to_come": 1}}}, "bad_goal"),
        ({"goal": {"chips": {"rolled": [], "to_come": 0}}}, "bad_goal"),
    ],
)
def test_a_moment_that_cannot_be_is_refused(change: Json, code: str) -> None:
    question = {"challenge": CHALLENGE, "dice": "5533V12", "roll": 1, **change}
    with pytest.raises(RulesError) as refusal:
        answer_solve(question)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("roll", "dice", "aside", "code"),
    [
        (1, "5533V12", "", None),
        (1, "5533V", "12", "bad_roll"),
        (2, "5533V12", "", "bad_roll"),
        (2, "5533V", "12", None),
        (3, "5533V", "12", None),
        (4, "5533V", "12", "bad_roll"),
        (7, "5", "123455", None),
        (8, "5", "123455", "bad_roll"),
        (1, "", "1234555", None),
        (2, "5533V", "1", "bad_dice"),
        (2, "5533V", "1x", "bad_dice"),
    ],
)
def test_moments_of_an_aside_challenge(roll: int, dice: str, aside: str, code: str | None) -> None:
    question = {"challenge": "odd/aside/0", "roll": roll, "dice": dice, "aside": aside}
    if code is None:
        assert answer_solve(question)["keep"] or not dice
        return
    with pytest.raises(RulesError) as refusal:
        answer_solve(question)
    assert refusal.value.code == code
