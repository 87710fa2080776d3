"""The result of every full heap under a challenge, many at once.

The same rules as ``scoring``, on counts instead of dice: how often each value lies there. Free
vortices can be chosen in 31,824 ways over all heaps; one by one they would take too long.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from rules.high_score.adviser.heaps import BITS, Heaps, Ints, Places, heaps
from rules.high_score.adviser.tens import tens_by_code
from rules.high_score.challenges import Challenge, Scoring, Vortex, vortex_values
from rules.high_score.dice import DICE, Dice
from rules.high_score.rulings import Rulings
from rules.high_score.tens import TEN
from rules.worth import Scoring as Worths
from rules.worth import Worth

NUMBERS = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Throws:
    """Many throws: how many numbers and how many vortices of each value (last axis)."""

    values: Ints
    numbers: Ints
    wild: Ints
    dice: int

    @property
    def all(self) -> Ints:
        """How many dice of each value there are."""
        return self.numbers + self.wild

    def matched(self, rulings: Rulings, counted: Callable[[Ints], Ints]) -> Ints:
        """What dice add up to if of so many equal ones so many count."""
        if rulings.vortex == "apart":
            return counted(self.numbers) @ self.values + counted(self.wild) @ self.values
        return counted(self.all) @ self.values


def results(challenge: Challenge, rulings: Rulings, dice: int = DICE) -> Ints:
    """The result of each full heap, with free vortices chosen for the best."""
    return _results(challenge.scoring, challenge.vortex, rulings, dice)


def scoring(challenge: Challenge, rulings: Rulings) -> Worths[Dice]:
    """Scores many full sets of dice; there are no tokens and no cards besides."""
    table, all_heaps = results(challenge, rulings), heaps()

    def score_many(throws: Sequence[Dice]) -> Worth:
        places = [all_heaps.place_of[dice.sorted().faces] for dice in throws]
        points = table[np.array(places, np.intp) - all_heaps.full.start]
        return Worth(points, np.zeros_like(points), {})

    return score_many


@lru_cache(maxsize=512)
def _results(scoring: Scoring, vortex: int | Vortex, rulings: Rulings, dice: int) -> Ints:
    """The results, remembered: how the dice were rolled does not matter to them."""
    worths = tuple(vortex_values(vortex))
    values = np.array(sorted({*NUMBERS, *worths}))
    all_heaps = heaps(dice)
    table = np.zeros(all_heaps.full.stop - all_heaps.full.start, np.int64)
    for vortices in range(dice + 1):
        numbers = _multisets(NUMBERS, dice - vortices, values)
        wild = _multisets(worths, vortices, values)
        throws = Throws(values, numbers[:, None], wild[None, :], dice)
        counted = _COUNTED[scoring](throws, rulings)
        if scoring.minus_rest:
            counted = 2 * counted - throws.all @ values
        table[_places(all_heaps, numbers, values, vortices)] = counted.max(axis=1)
    table.setflags(write=False)
    return table


def _multisets(worths: Sequence[int], size: int, values: Ints) -> Ints:
    """The counts of each value in all multisets of this size."""
    chosen = list(combinations_with_replacement(worths, size))
    counts: Ints = (np.array(chosen).reshape(len(chosen), size, 1) == values).sum(axis=1)
    return counts


def _places(all_heaps: Heaps, numbers: Ints, values: Ints, vortices: int) -> Places:
    """Which full heaps these numbers make with so many vortices."""
    faces = numbers[:, np.searchsorted(values, NUMBERS)]
    codes = faces @ (1 << BITS * np.arange(len(NUMBERS))) + (vortices << BITS * len(NUMBERS))
    places: Places = all_heaps.place_of_code[codes] - all_heaps.full.start
    return places


def _total(throws: Throws, _rulings: Rulings) -> Ints:
    return throws.all @ throws.values


def _same(throws: Throws, rulings: Rulings) -> Ints:
    return throws.matched(rulings, lambda equal: equal * (equal > 1))


def _pairs(throws: Throws, rulings: Rulings) -> Ints:
    most = 1 if rulings.pairs == "one" else throws.dice
    return throws.matched(rulings, lambda equal: 2 * np.minimum(equal // 2, most))


def _triples(throws: Throws, rulings: Rulings) -> Ints:
    return throws.matched(rulings, lambda equal: 3 * (equal // 3))


def _odd(throws: Throws, _rulings: Rulings) -> Ints:
    return throws.all @ (throws.values * np.isin(throws.values, (1, 3, 5)))


def _shown(throws: Throws, _rulings: Rulings) -> Ints:
    return throws.all @ (throws.values * np.isin(throws.values, (1, 2, 3, 4)))


def _run(throws: Throws, rulings: Rulings) -> Ints:
    filled = (throws.numbers if rulings.vortex == "apart" else throws.all) > 0
    run = np.flatnonzero(np.isin(throws.values, NUMBERS))
    in_run = np.logical_and.accumulate(filled[..., run], axis=-1)
    return (throws.numbers[..., run] * in_run) @ throws.values[run] + throws.wild @ throws.values


def _tens(throws: Throws, rulings: Rulings) -> Ints:
    used = np.flatnonzero(throws.values)  # zeros join no ten
    groups = tens_by_code(tuple(throws.values[used].tolist()), rulings.tens, throws.dice)
    return TEN * groups[throws.all[..., used] @ (1 << BITS * np.arange(len(used)))]


_COUNTED: dict[Scoring, Callable[[Throws, Rulings], Ints]] = {
    Scoring.TOTAL: _total,
    Scoring.SAME: _same,
    Scoring.SAME_REST: _same,
    Scoring.TENS_REST: _tens,
    Scoring.PAIRS: _pairs,
    Scoring.PAIRS_REST: _pairs,
    Scoring.TRIPLES_REST: _triples,
    Scoring.ODD: _odd,
    Scoring.ODD_REST: _odd,
    Scoring.SHOWN_REST: _shown,
    Scoring.RUN: _run,
}
