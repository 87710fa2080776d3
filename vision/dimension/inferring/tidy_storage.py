"""Tidy storage: a slot for each colour, as most players keep it.

The tray has a slot for each colour, three places each; who keeps to it leaves spheres of one
colour side by side. How the five colours share the five slots is summed over exactly (it is a
permanent, by subsets of slots), for all counts of colours in play at once.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import combinations
from math import comb, factorial, perm, prod

import numpy as np
from numpy.typing import NDArray

from rules.dimension.layout import COLORS, PER_COLOR
from rules.dimension.places import SLOTS, SPHERES
from vision.dimension.inferring.colorings import counts_of
from vision.dimension.inferring.prior import MOST_COUNTED, Prior, number_of_own

FloatArray = NDArray[np.float64]

_ALL_SLOTS = (1 << SLOTS) - 1

_WAYS = np.array([perm(PER_COLOR, count) for count in range(PER_COLOR + 1)] + [0])
"""Ways to draw so many spheres of a colour one after the other; none for more than three."""

_LEFT = np.array(
    [
        [comb(PER_COLOR - used, stored) if used <= PER_COLOR else 0 for stored in range(4)]
        for used in range(MOST_COUNTED + 1)
    ]
)
"""``_LEFT[used, stored]``: ways to leave so many of a colour's spheres that are not in play."""


_STEPS = tuple(
    (color, sum(1 << slot for slot in taken), slot)
    for color in range(len(COLORS))
    for taken in combinations(range(SLOTS), color)
    for slot in range(SLOTS)
    if slot not in taken
)
"""Colour, the slots taken before it, and a slot that is left for it; colour by colour."""


class TidyStorage:
    """Stored spheres, by their likelihoods (n, 5) and slots, under a number of spheres in play."""

    def __init__(
        self, likelihoods: FloatArray, slots: Sequence[int], played: int, prior: Prior
    ) -> None:
        by_slot = np.ones((SLOTS, len(COLORS)))
        np.multiply.at(by_slot, list(slots), likelihoods)
        filled = np.bincount(np.asarray(slots, dtype=int), minlength=SLOTS)
        counts = counts_of(played)
        ways = _WAYS[counts].prod(axis=0)
        self._states = np.flatnonzero((ways > 0) & (counts.sum(axis=0) == played))
        self._size = counts.shape[1]
        self._prior = ways[self._states] * _arrangement(played, tuple(filled.tolist()), prior)
        left = _LEFT[counts[:, None, self._states], filled[None, :, None]]
        self._match = by_slot.T[:, :, None] * left

    def table(self) -> FloatArray:
        """By the state of those in play, the summed weight of all that may be stored."""
        table = np.zeros(self._size)
        table[self._states] = self._prior * self._first[_ALL_SLOTS]
        return table

    def colors(self, forward: FloatArray) -> FloatArray:
        """Probability (slots, 5) of each slot's colour, given the table of those in play."""
        first, last = self._first, self._last()
        weight = forward[self._states] * self._prior
        chances = np.zeros((SLOTS, len(COLORS)))
        for color, before, slot in _STEPS:
            both = first[before] * last[before | 1 << slot]
            chances[slot, color] += weight @ (both * self._match[color, slot])
        return chances / max(float(chances[0].sum()), 1e-300)

    @cached_property
    def _first(self) -> FloatArray:
        """For each set of slots, the sum over ways to give them to as many first colours."""
        sums = np.zeros((_ALL_SLOTS + 1, len(self._states)))
        sums[0] = 1.0
        for color, before, slot in _STEPS:
            sums[before | 1 << slot] += sums[before] * self._match[color, slot]
        return sums

    def _last(self) -> FloatArray:
        """For each set of slots, the sum over ways to give all others to the last colours."""
        sums = np.zeros((_ALL_SLOTS + 1, len(self._states)))
        sums[_ALL_SLOTS] = 1.0
        for color, before, slot in reversed(_STEPS):
            sums[before] += sums[before | 1 << slot] * self._match[color, slot]
        return sums


@cache
def _arrangement(played: int, filled: tuple[int, ...], prior: Prior) -> float:
    """What is common to all colourings: number, order of drawing, slots, and places in them.

    Relative to the places that ``placement_log`` allows for, which cases count already.
    """
    stored = sum(filled)
    if played + stored > SPHERES:
        return 0.0
    number = number_of_own(prior, inventory=True, own=played + stored)
    drawn = 1.0 / perm(SPHERES, played) / comb(SPHERES - played, stored)
    places = prod(comb(PER_COLOR, count) for count in filled)
    return number * drawn / factorial(SLOTS) / places * comb(SPHERES, stored)
