"""Questions as programs ask them: JSON objects in, JSON objects out, checked field by field."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

from rules.errors import RulesError
from rules.high_score.challenges import Challenge
from rules.high_score.dice import Dice
from rules.high_score.moments import Moment
from rules.high_score.rulings import Rulings
from rules.high_score.scoring import score

if TYPE_CHECKING:
    from rules.high_score.adviser import Goal

Question = Mapping[str, Any]
Json = dict[str, Any]


def terms(question: Question) -> tuple[Challenge, Rulings]:
    """What a result depends on besides the dice; raises ``RulesError`` for a bad question."""
    return _challenge(question), _rulings(question)


def answer_score(question: Question) -> Json:
    """The answer of ``score`` in the contract; raises ``RulesError`` for a bad question."""
    challenge, rulings = terms(question)
    dice = Dice.parse(_dice(question, "dice", needed=True))
    return score(dice, challenge, rulings).to_json()


def answer_solve(question: Question) -> Json:
    """The answer of ``solve`` in the contract; raises ``RulesError`` for a bad question."""
    from rules.high_score.adviser import advise  # noqa: PLC0415 - numpy takes time

    challenge, rulings = terms(question)
    roll = question.get("roll")
    if not _is_whole(roll):
        raise RulesError("bad_roll", 'A question needs the number of rolls made, like "roll": 2.')
    dice = _dice(question, "dice", needed=roll != 0)
    moment = Moment.parse(challenge, roll, dice, _dice(question, "aside", needed=False))
    return advise(moment, _goal(question), rulings).to_json()


def _challenge(question: Question) -> Challenge:
    text = question.get("challenge")
    if not isinstance(text, str):
        like = '"challenge": "pairs-rest/three/free"'
        raise RulesError("bad_challenge", f"A question needs a challenge, like {like}.")
    return Challenge.parse(text)


def _dice(question: Question, name: str, needed: bool) -> str:
    text = question.get(name)
    if text is None and not needed:
        return ""
    if not isinstance(text, str):
        raise RulesError("bad_dice", f'The field {name} holds dice, like "5533V12".')
    return text


def _rulings(question: Question) -> Rulings:
    given = question.get("rulings")
    if given is None:
        return Rulings()
    if not isinstance(given, Mapping):
        raise RulesError("bad_ruling", 'Rulings are an object, like {"pairs": "one"}.')
    return Rulings.parse(given)


def _goal(question: Question) -> "Goal":
    from rules.high_score.adviser import EXPECT, AtLeast, Chips  # noqa: PLC0415 - numpy

    match question.get("goal"):
        case None | "expect":
            return EXPECT
        case {"at_least": result, **others} if _is_whole(result) and not others:
            return AtLeast(result)
        case {"chips": {"rolled": list(rolled), "to_come": to_come, **more}, **others} if (
            all(map(_is_whole, rolled)) and _is_whole(to_come) and not more and not others
        ):
            return Chips(tuple(rolled), to_come)
    choices = '"expect", {"at_least": 17} or {"chips": {"rolled": [17, 9], "to_come": 1}}'
    raise RulesError("bad_goal", f"A goal is {choices}.")


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
