"""Advice: the best choice at a moment of a turn, the next best, and how the turn may end."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rules.high_score.adviser.goals import EXPECT, Chips, Goal, utility
from rules.high_score.adviser.heaps import Places, heaps
from rules.high_score.adviser.offers import TIE, offers
from rules.high_score.adviser.plans import Plan, plan
from rules.high_score.adviser.results import results
from rules.high_score.challenges import Challenge, Way
from rules.high_score.dice import DICE
from rules.high_score.moments import Moment
from rules.high_score.rulings import Rulings

MOST_OPTIONS = 8


@dataclass(frozen=True)
class Option:
    """Dice that may stay (or be set aside) and what that is worth."""

    keep: str
    value: float

    def to_json(self) -> dict[str, object]:
        """The option as in the contract."""
        return {"keep": self.keep, "value": self.value}


@dataclass(frozen=True)
class Advice:
    """What to do and what to hope for.

    ``keep`` are the dice that stay; ``distribution`` is the chance of each final result if one
    plays on as advised.
    """

    keep: str
    stop: bool
    value: float
    options: tuple[Option, ...]
    distribution: tuple[tuple[int, float], ...]

    def to_json(self) -> dict[str, object]:
        """The answer of ``solve`` in the contract."""
        return {
            "keep": self.keep,
            "stop": self.stop,
            "value": self.value,
            "options": [option.to_json() for option in self.options],
            "distribution": [{"result": result, "p": p} for result, p in self.distribution],
        }


def advise(
    moment: Moment, goal: Goal = EXPECT, rulings: Rulings | None = None, dice: int = DICE
) -> Advice:
    """The best choice at a moment of a turn; tests play with fewer dice than seven."""
    rulings = rulings or Rulings()
    strategy = _strategy(moment.challenge, rulings, goal, dice)
    if moment.roll == 0:
        return Advice("", False, strategy.value, (), strategy.distribution(0, moment.rolls_left))
    all_heaps = heaps(dice)
    aside = all_heaps.place_of["".join(sorted(moment.aside.faces))]
    keeps = _keeps(moment, dice)
    held = all_heaps.place_of_code[all_heaps.codes[aside] + all_heaps.codes[keeps]]
    worth = strategy.plan.holding(moment.rolls_left)[held].tolist()
    order = _best_first(worth)
    options = tuple(Option(all_heaps.names[keeps[at]], strategy.told(worth[at])) for at in order)
    return Advice(
        keep=options[0].keep,
        stop=len(options[0].keep) == len(moment.dice),
        value=options[0].value,
        options=options,
        distribution=strategy.distribution(int(held[order[0]]), moment.rolls_left),
    )


def par(challenge: Challenge, rulings: Rulings | None = None) -> float:
    """The expected result of a turn played as well as can be."""
    return advise(Moment.start(challenge), EXPECT, rulings).value


@dataclass(frozen=True, eq=False)
class _Strategy:
    """A plan with what it is for; nothing is worth less than ``floor`` or more than ``ceiling``.

    The plan itself counts from the floor. ``ends`` are the different results, ``end_of`` says
    which of them each full heap brings.
    """

    plan: Plan
    floor: float
    ceiling: float
    ends: tuple[int, ...]
    end_of: Places
    rolls: int

    @property
    def value(self) -> float:
        """What a turn is worth before the first roll."""
        return self.told(float(self.plan.holding(self.rolls)[0]))

    def told(self, worth: float) -> float:
        """A value of the plan as the goal has it; no chance is above 1 for rounding's sake."""
        return min(worth + self.floor, self.ceiling)

    def distribution(self, held: int, rolls_left: int) -> tuple[tuple[int, float], ...]:
        """The chance of each final result, in order, if one holds this heap now."""
        chances = np.bincount(self.end_of, self.plan.outcome(held, rolls_left))
        return tuple(
            (result, min(chance, 1.0))
            for result, chance in zip(self.ends, chances.tolist(), strict=True)
            if chance > 0
        )


@lru_cache(maxsize=64)
def _strategy(challenge: Challenge, rulings: Rulings, goal: Goal, dice: int) -> _Strategy:
    table = results(challenge, rulings, dice)
    others = None
    if isinstance(goal, Chips) and goal.to_come:
        others = dict(advise(Moment.start(challenge), EXPECT, rulings, dice).distribution)
    worth = utility(goal, table, others)
    floor = float(worth.min())
    ends, end_of = np.unique(table, return_inverse=True)
    return _Strategy(
        plan=plan(challenge, worth - floor, dice),
        floor=floor,
        ceiling=float(worth.max()),
        ends=tuple(ends.tolist()),
        end_of=end_of,
        rolls=challenge.way.most_rolls,
    )


def _keeps(moment: Moment, dice: int) -> Places:
    """The heaps that may stay."""
    all_heaps, way = heaps(dice), moment.challenge.way
    lying = all_heaps.place_of["".join(sorted(moment.dice.faces))]
    if way is not Way.ASIDE and not moment.rolls_left:
        return np.array([lying])
    offered = offers(len(moment.dice), way, moment.challenge.frozen, dice)
    return offered.of_roll(lying - all_heaps.of_size(len(moment.dice)).start)


def _best_first(worth: Sequence[float]) -> list[int]:
    """The best choices, best first; equals stay as they come, most dice first."""
    left, order = list(range(len(worth))), list[int]()
    while left and len(order) < MOST_OPTIONS:
        top = max(worth[at] for at in left)
        first = next(at for at in left if worth[at] >= top * (1 - TIE))
        order.append(first)
        left.remove(first)
    return order
