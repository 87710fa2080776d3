"""Moments: the dice on the table in the middle of a turn, and what is set aside."""

from dataclasses import dataclass

from rules.errors import RulesError
from rules.high_score.challenges import Challenge, Way
from rules.high_score.dice import DICE, Dice, DiceError, Problem, problems


@dataclass(frozen=True)
class Moment:
    """A moment of a turn: ``roll`` rolls were made, ``dice`` lie on the table.

    ``aside`` was set aside before this roll. Before the first roll there are no dice.
    """

    challenge: Challenge
    roll: int
    dice: Dice
    aside: Dice

    @classmethod
    def parse(
        cls, challenge: Challenge, roll: int, dice: str, aside: str = "", count: int = DICE
    ) -> "Moment":
        """The moment; raises ``bad_dice`` or ``bad_roll`` if a turn cannot come to it."""
        _refuse_bad_dice(challenge, roll, dice, aside, count)
        _refuse_bad_roll(challenge, roll, len(dice), len(aside))
        return cls(challenge, roll, Dice(dice), Dice(aside))

    @classmethod
    def start(cls, challenge: Challenge) -> "Moment":
        """The moment before the first roll."""
        return cls(challenge, 0, Dice(""), Dice(""))

    @property
    def rolls_left(self) -> int:
        """How many more rolls there may be; in ``aside`` challenges the dice decide instead."""
        return self.challenge.way.most_rolls - self.roll


def _refuse_bad_dice(challenge: Challenge, roll: int, dice: str, aside: str, count: int) -> None:
    wrong = [*problems(dice, None), *problems(aside, None)]
    if aside and challenge.way is not Way.ASIDE:
        text = f"Nothing is set aside in a challenge of the kind {challenge.way}."
        wrong.append(Problem("bad_aside", (), text))
    there = len(dice) + len(aside)
    if there != count and (roll or there):
        text = f"{count} dice are needed, on the table and set aside together; {there} given."
        wrong.append(Problem("bad_count", (), text))
    if wrong:
        raise DiceError(tuple(wrong))


def _refuse_bad_roll(challenge: Challenge, roll: int, dice: int, aside: int) -> None:
    most = challenge.way.most_rolls
    if not 0 <= roll <= most:
        text = f"Rolls made are 0 to {most} in a challenge of the kind {challenge.way}, not {roll}."
        raise RulesError("bad_roll", text)
    if roll == 0 and dice + aside:
        raise RulesError("bad_roll", "There are dice, so at least one roll was made.")
    if challenge.way is not Way.ASIDE or not roll:
        return
    if aside < roll - 1:
        text = f"After {roll} rolls at least {roll - 1} dice are set aside, not {aside}."
        raise RulesError("bad_roll", text)
    if roll == 1 and aside and dice:
        raise RulesError("bad_roll", "Nothing is set aside before the first roll.")
