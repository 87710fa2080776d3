"""What a player wants: much, at least so much, or chips."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from rules.errors import RulesError
from rules.high_score.adviser.heaps import Floats, Ints
from rules.high_score.board import (
    FEWEST_PLAYERS,
    LAST_PLACE,
    MOST_PLAYERS,
    chips_for,
    moved,
    place_for,
)


@dataclass(frozen=True)
class Expect:
    """The highest expected result."""


@dataclass(frozen=True)
class AtLeast:
    """The best chance of at least this result."""

    result: int


@dataclass(frozen=True)
class Chips:
    """The most chip points, after these results and before so many players to come.

    Those to come play for the expected result.
    """

    rolled: tuple[int, ...]
    to_come: int

    def __post_init__(self) -> None:
        players = len(self.rolled) + 1 + self.to_come
        if self.to_come < 0 or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            span = f"{FEWEST_PLAYERS} to {MOST_PLAYERS}"
            text = f"Chips are for {span} players, counting yourself and those to come."
            raise RulesError("bad_goal", text)


Goal = Expect | AtLeast | Chips
EXPECT = Expect()


def utility(goal: Goal, results: Ints, others: Mapping[int, float] | None) -> Floats:
    """What each result is worth to the goal; ``others`` is how a player to come may end."""
    match goal:
        case Expect():
            return results.astype(np.float64)
        case AtLeast(wanted):
            return (results >= wanted).astype(np.float64)
    worth = chip_points(goal.rolled, goal.to_come, others or {}, sorted(set(results.tolist())))
    return np.array([worth[result] for result in results.tolist()])


def chip_points(
    rolled: Sequence[int], to_come: int, others: Mapping[int, float], results: Sequence[int]
) -> dict[int, float]:
    """The expected chip points of each result.

    Exact, dropping included: a player to come who wants a taken place takes the next free one
    below, and that may be behind us. Which places end up taken does not depend on who came
    first, so the places are filled from the top down, once for all results.
    """
    taken = {piece.place for piece in moved(rolled) if piece.place is not None}
    points = [chip.points for chip in chips_for(len(rolled) + 1 + to_come)]
    ours = {result: place_for(result, taken) for result in results}
    lowest = min((place for place in ours.values() if place is not None), default=LAST_PLACE)
    ahead = _taken_above(taken, to_come, others, lowest)
    return {
        result: 0.0
        if place is None
        else sum(
            chance * points[rank] for rank, chance in ahead[place].items() if rank < len(points)
        )
        for result, place in ours.items()
    }


NOWHERE = -LAST_PLACE
"""Below all places, the middle included: no positive result."""

_State = tuple[int, int, int]
"""Players to come whose result is known, pieces with a place, pieces still looking below."""


def _taken_above(
    taken: set[int], to_come: int, others: Mapping[int, float], lowest: int
) -> dict[int, dict[int, float]]:
    """For each place, how likely it is that so many pieces end up above it."""
    arriving: dict[int, float] = {}
    for result, chance in others.items():
        place = min(result, LAST_PLACE) if result > 0 else NOWHERE
        arriving[place] = arriving.get(place, 0.0) + chance
    states: dict[_State, float] = {(0, 0, 0): 1.0}
    above: dict[int, dict[int, float]] = {}
    for place in range(LAST_PLACE, lowest - 1, -1):
        up_to_here = sum(chance for at, chance in arriving.items() if at <= place)
        above[place] = {}
        for (known, found, _), weight in states.items():
            chance = weight * up_to_here ** (to_come - known)
            above[place][found] = above[place].get(found, 0.0) + chance
        states = _one_place_down(states, to_come, arriving.get(place, 0.0), place in taken)
    return above


def _one_place_down(
    states: Mapping[_State, float], to_come: int, here: float, taken: bool
) -> dict[_State, float]:
    """The states once it is known how many players rolled this place, and who stands on it."""
    below: dict[_State, float] = {}
    for (known, found, looking), weight in states.items():
        unknown = to_come - known
        for arrived in range(unknown + 1 if here else 1):
            waiting = looking + arrived
            filled = taken or waiting > 0
            state = known + arrived, found + filled, waiting - (filled and not taken)
            chance = weight * comb(unknown, arrived) * here**arrived
            below[state] = below.get(state, 0.0) + chance
    return below
