"""How many tens there are in every heap of up to six different values.

Heaps are coded as in ``heaps``, with values in place of faces.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from rules.high_score.adviser.heaps import BITS, Ints
from rules.high_score.tens import TEN


@lru_cache(maxsize=64)
def tens_by_code(values: tuple[int, ...], ruling: str, dice: int) -> Ints:
    """The number of tens in the heap with each code, as the ruling forms them."""
    counts = _heaps_of(len(values), dice)
    groups = _groups_of_ten(counts, np.array(values))
    codes = _coded(counts)
    table = np.zeros(1 << BITS * len(values), np.int64)
    if ruling == "largest":
        table[codes] = _greedy(counts, groups)
        return table
    fitting = [np.flatnonzero((counts >= group).all(axis=1)) for group in groups]
    smaller = [codes[fit] - _coded(group) for fit, group in zip(fitting, groups, strict=True)]
    settled = False
    while not settled:  # each time round, the best heaps may have one group more
        before = table.copy()
        for fit, left in zip(fitting, smaller, strict=True):
            table[codes[fit]] = np.maximum(table[codes[fit]], 1 + table[left])
        settled = np.array_equal(before, table)
    return table


def _heaps_of(kinds: int, dice: int) -> Ints:
    """The counts of all heaps of up to so many dice."""
    return np.array(
        [
            [heap.count(kind) for kind in range(kinds)]
            for size in range(dice + 1)
            for heap in combinations_with_replacement(range(kinds), size)
        ]
    )


def _groups_of_ten(counts: Ints, values: Ints) -> list[Ints]:
    """The heaps that make ten, those with the largest dice first."""

    def falling(group: Ints) -> list[int]:
        dice: Sequence[int] = np.repeat(values, group).tolist()
        return [-value for value in sorted(dice, reverse=True)] + [-TEN * TEN]

    return sorted(counts[counts @ values == TEN], key=falling)


def _greedy(counts: Ints, groups: list[Ints]) -> Ints:
    """The tens of heaps from which one group after the other is taken as often as it is there."""
    left, taken = counts.copy(), np.zeros(len(counts), np.int64)
    for group in groups:
        used = group > 0
        times = (left[:, used] // group[used]).min(axis=1)
        left -= times[:, None] * group
        taken += times
    return taken


def _coded(counts: Ints) -> Ints:
    return counts @ (1 << BITS * np.arange(counts.shape[-1]))
