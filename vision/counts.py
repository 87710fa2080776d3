"""Exact sums over all colourings of a set of spheres, under a weight that depends on the counts.

There are 5ⁿ colourings of n spheres, but a weight sees only how many spheres each colour has:
3,125 states with counts from 0 to 4 (four stands for more, too). Spheres are added one by one;
going back through the same steps gives every sphere's marginals (as derivatives of the sum do).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rules.dimension.layout import COLORS
from vision.prior import MOST_COUNTED

FloatArray = NDArray[np.float64]

_SIDE = MOST_COUNTED + 1
_STATES = _SIDE ** len(COLORS)
_COUNTS = np.stack(np.unravel_index(np.arange(_STATES), (_SIDE,) * len(COLORS)))
_STEP = np.array([_SIDE**i for i in reversed(range(len(COLORS)))])
FULL = _COUNTS == MOST_COUNTED
"""``FULL[color, state]``: whether a colour is counted four times already, or more."""

_NOWHERE = _STATES

AFTER = np.where(FULL, np.arange(_STATES), np.arange(_STATES) + _STEP[:, None])
"""``AFTER[color, state]``: the counts after one more sphere of this colour."""

_BEFORE = np.where(_COUNTS > 0, np.arange(_STATES) - _STEP[:, None], _NOWHERE)

IMPOSSIBLE = FULL.any(axis=0)
"""Whether counts hold a colour four times or more."""


@dataclass(frozen=True, eq=False)
class Coloring:
    """Spheres with likelihoods (n, 5) of their colours, and prior weights by counts.

    ``again`` is the factor for each sphere of a colour beyond four, which counts do not tell.
    """

    likelihoods: FloatArray
    weights: FloatArray
    again: float = 1.0

    @cached_property
    def forward(self) -> tuple[FloatArray, ...]:
        """For each number of first spheres, the summed likelihood of their colourings by counts."""
        table = np.zeros(_STATES)
        table[0] = 1.0
        tables = [table]
        for likelihood in self.likelihoods:
            before = np.append(tables[-1], 0.0).take(_BEFORE)
            stays = likelihood @ self._stays
            tables.append(likelihood @ before + stays * tables[-1])
        return tuple(tables)

    @cached_property
    def backward(self) -> tuple[FloatArray, ...]:
        """For each number of first spheres, by their counts, the summed weight of all the rest."""
        steps = zip(self.likelihoods, self._after, strict=True)
        return (*(likelihood @ after for likelihood, after in steps), self.weights.reshape(-1))

    @property
    def total(self) -> float:
        """The sum over all colourings of likelihood and weight."""
        return float(self.backward[0][0])

    @property
    def impossible(self) -> float:
        """The part of the total in which a colour has four spheres or more."""
        return float((self.forward[-1] * self.weights.reshape(-1))[IMPOSSIBLE].sum())

    @cached_property
    def marginals(self) -> FloatArray:
        """Probability (n, 5) of each sphere's colours."""
        rows = [
            likelihood * (after @ first)
            for likelihood, first, after in zip(
                self.likelihoods, self.forward[:-1], self._after, strict=True
            )
        ]
        return np.array(rows).reshape(-1, len(COLORS)) / self.total

    @cached_property
    def _after(self) -> tuple[FloatArray, ...]:
        """For each sphere, by its colour and the counts before it, the weight of all the rest."""
        tables: list[FloatArray] = []
        rest = self.weights.reshape(-1)
        factors = np.where(FULL, self.again, 1.0)
        for likelihood in self.likelihoods[::-1]:
            after = rest.take(AFTER)
            after *= factors
            tables.append(after)
            rest = likelihood @ after
        return tuple(reversed(tables))

    @cached_property
    def _stays(self) -> FloatArray:
        return np.where(FULL, self.again, 0.0)
