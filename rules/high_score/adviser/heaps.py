"""Heaps: all multisets of up to seven dice, numbered, with what every challenge shares of them.

A heap is its counts of the six faces, three bits each, as one code: two heaps that fit together
are joined by adding their codes. There are 1,716 heaps, 792 of them of seven dice.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from rules.high_score.dice import DICE, FACES, VORTEX

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]

BITS = 3
"""Enough for a count of up to seven."""


@dataclass(frozen=True)
class Heaps:
    """All heaps of up to ``dice`` dice, small ones first. Tests use fewer dice than seven."""

    dice: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The faces of each heap, sorted."""
        return tuple(
            "".join(faces)
            for size in range(self.dice + 1)
            for faces in combinations_with_replacement(FACES, size)
        )

    @cached_property
    def place_of(self) -> dict[str, int]:
        """The number of the heap with these (sorted) faces."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def codes(self) -> Ints:
        """The code of each heap."""
        worth = {face: 1 << BITS * at for at, face in enumerate(FACES)}
        return np.array([sum(map(worth.__getitem__, name)) for name in self.names])

    @cached_property
    def sizes(self) -> Ints:
        """How many dice are in each heap."""
        return np.array([len(name) for name in self.names])

    @cached_property
    def vortices(self) -> Ints:
        """How many vortices are in each heap."""
        return np.array([name.count(VORTEX) for name in self.names])

    @cached_property
    def chances(self) -> Floats:
        """How likely each heap is when so many dice are rolled."""
        return np.array([_chance(name) for name in self.names])

    def rolls_of(self, dice: int) -> Floats:
        """How likely each roll of so many dice is."""
        return self.chances[self.of_size(dice)]

    @cached_property
    def place_of_code(self) -> Places:
        """The number of the heap with each code."""
        table = np.zeros(1 << BITS * len(FACES), np.intp)
        table[self.codes] = np.arange(len(self.codes))
        return table

    def of_size(self, size: int) -> slice:
        """The heaps of this size."""
        return self._of_sizes[size]

    @cached_property
    def _of_sizes(self) -> tuple[slice, ...]:
        starts = np.searchsorted(self.sizes, np.arange(self.dice + 2)).tolist()
        return tuple(slice(*bounds) for bounds in pairwise(starts))

    @cached_property
    def full(self) -> slice:
        """The heaps of all dice."""
        return self.of_size(self.dice)

    @cached_property
    def joins(self) -> tuple[Places, ...]:
        """For each size of a heap that stays, the full heap that it makes with each roll.

        A matrix a size: a row for each heap of that size, a column for each roll of the others;
        entries count full heaps from 0.
        """
        return tuple(
            self.place_of_code[
                self.codes[self.of_size(size), None] + self.codes[self.of_size(self.dice - size)]
            ]
            - self.full.start
            for size in range(self.dice + 1)
        )


def _chance(faces: str) -> float:
    ways = factorial(len(faces)) // prod(factorial(faces.count(face)) for face in FACES)
    return float(ways / len(FACES) ** len(faces))


@cache
def heaps(dice: int = DICE) -> Heaps:
    """The heaps of so many dice, made once a process."""
    return Heaps(dice)
