"""Plans: the best choice in every situation of a turn, from the last roll back to the first.

A plan rests on one number for each heap: what it is worth to hold these dice while the others
are rolled. A full heap is worth what its result is. After a roll the best choice is the heap
that is worth most, and a whole turn is worth what it is worth to hold nothing.
"""

from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np

from rules.high_score.adviser.heaps import Floats, Heaps, Places, heaps
from rules.high_score.adviser.offers import offers
from rules.high_score.challenges import Challenge, Way


class Plan(Protocol):
    """How to play a turn."""

    def holding(self, rolls_left: int) -> Floats:
        """What it is worth to hold each heap when so many rolls are left."""

    def outcome(self, held: int, rolls_left: int) -> Floats:
        """How likely each full heap is in the end if one holds this heap now."""


def plan(challenge: Challenge, worth: Floats, dice: int) -> Plan:
    """The plan that makes the most of a turn; ``worth`` is that of each full heap, 0 or more."""
    if challenge.way is Way.ASIDE:
        return _plan_aside(heaps(dice), challenge.frozen, worth)
    return _plan_rolls(heaps(dice), challenge, worth)


@dataclass(frozen=True)
class RollsPlan:
    """The plan of a turn in which dice may be rolled again, up to so many times.

    ``holdings`` and ``choices`` are told by the number of rolls left; a choice is the heap to
    hold after each full roll.
    """

    heaps: Heaps
    holdings: tuple[Floats, ...]
    choices: tuple[Places, ...]

    def holding(self, rolls_left: int) -> Floats:
        """What it is worth to hold each heap when so many rolls are left."""
        return self.holdings[rolls_left]

    def outcome(self, held: int, rolls_left: int) -> Floats:
        """How likely each full heap is in the end if one holds this heap now."""
        holding: Floats = np.zeros(len(self.heaps.names))
        holding[held] = 1.0
        ended = holding[self.heaps.full].copy()
        for left in reversed(range(rolls_left)):
            holding = _gathered(self.choices[left], _rolled(self.heaps, holding), len(holding))
            ended += holding[self.heaps.full]
        return ended


def _plan_rolls(all_heaps: Heaps, challenge: Challenge, worth: Floats) -> RollsPlan:
    full = all_heaps.full
    offered = offers(all_heaps.dice, challenge.way, challenge.frozen, all_heaps.dice)
    values, choices = worth, [np.arange(full.start, full.stop)]
    holdings = [np.zeros(full.stop)]
    holdings[0][full] = worth
    for _ in range(challenge.way.most_rolls):
        before_roll = [
            values[join] @ all_heaps.rolls_of(all_heaps.dice - size)
            for size, join in enumerate(all_heaps.joins[:-1])
        ]
        holdings.append(np.concatenate([*before_roll, worth]))
        offering = holdings[-1][offered.keeps]
        best = offered.best(offering)
        choices.append(offered.keeps[best])
        values = offering[best]
    return RollsPlan(all_heaps, tuple(holdings), tuple(choices))


def _rolled(all_heaps: Heaps, holding: Floats) -> Floats:
    """How likely each full heap is after a roll of what is not held; full heaps are not rolled."""
    rolled = np.zeros(all_heaps.full.stop - all_heaps.full.start)
    for size, join in enumerate(all_heaps.joins[:-1]):
        held = holding[all_heaps.of_size(size)]
        if held.any():
            chances = held[:, None] * all_heaps.rolls_of(all_heaps.dice - size)
            rolled += _gathered(join, chances, len(rolled))
    return rolled


def _gathered(places: Places, chances: Floats, count: int) -> Floats:
    """The chance of each of so many places, when some come up several times."""
    gathered = np.zeros(count)
    np.add.at(gathered, places.ravel(), chances.ravel())
    return gathered


@dataclass(frozen=True)
class AsidePlan:
    """The plan of a turn in which dice are set aside for good.

    ``choices`` has a matrix for each number of dice aside: what lies aside next, by what lies
    there now (rows) and the roll of the others (columns).
    """

    heaps: Heaps
    worth: Floats
    choices: tuple[Places, ...]

    def holding(self, rolls_left: int) -> Floats:  # noqa: ARG002 - only the dice left matter
        """What it is worth to have each heap set aside."""
        return self.worth

    def outcome(self, held: int, rolls_left: int) -> Floats:  # noqa: ARG002
        """How likely each full heap is in the end with this heap set aside now."""
        aside = np.zeros(len(self.heaps.names))
        aside[held] = 1.0
        for size, choice in enumerate(self.choices):
            now = aside[self.heaps.of_size(size)]
            if now.any():
                chances = now[:, None] * self.heaps.rolls_of(self.heaps.dice - size)
                aside += _gathered(choice, chances, len(aside))
        return aside[self.heaps.full]


def _plan_aside(all_heaps: Heaps, frozen: bool, worth: Floats) -> AsidePlan:
    holding = np.zeros(all_heaps.full.stop)
    holding[all_heaps.full] = worth
    choices = []
    for size in reversed(range(all_heaps.dice)):
        rolled = all_heaps.dice - size
        together = _set_aside(all_heaps.dice, size, frozen)
        offering = holding[together]
        best = offers(rolled, Way.ASIDE, frozen, all_heaps.dice).best(offering)
        values = np.take_along_axis(offering, best, axis=1)
        holding[all_heaps.of_size(size)] = values @ all_heaps.rolls_of(rolled)
        choices.append(np.take_along_axis(together, best, axis=1))
    return AsidePlan(all_heaps, holding, tuple(reversed(choices)))


@cache
def _set_aside(dice: int, size: int, frozen: bool) -> Places:
    """What lies aside after each choice: by the heap before (rows) and the choice (columns)."""
    all_heaps = heaps(dice)
    keeps = offers(dice - size, Way.ASIDE, frozen, dice).keeps
    codes = all_heaps.codes[all_heaps.of_size(size), None] + all_heaps.codes[keeps]
    joined: Places = all_heaps.place_of_code[codes]
    return joined
