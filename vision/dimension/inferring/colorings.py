"""Sums over all colourings of a set of spheres, under a weight that depends on the counts.

There are 5ⁿ colourings of n spheres, but a weight sees only how many spheres each colour has.
Counts go from 0 to 4 (four stands for more, too), and the fifth colour has what the others leave:
625 states. Spheres are added one by one; going back through the same steps gives every sphere's
marginals (as derivatives of the sum do). Exact as long as no colour is there five times; beyond,
the fifth colour is taken to have more than it has, which only makes the absurd less probable.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from rules.dimension.layout import COLORS
from vision.dimension.inferring.prior import MOST_COUNTED

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

_SIDE = MOST_COUNTED + 1
_COUNTED = len(COLORS) - 1
_STATES = _SIDE**_COUNTED
_COUNTS = np.stack(np.unravel_index(np.arange(_STATES), (_SIDE,) * _COUNTED))
_STEP = np.array([[_SIDE**i] for i in reversed(range(_COUNTED))])
_HERE = np.arange(_STATES)
_NOWHERE = _STATES

AFTER = np.vstack([np.where(_COUNTS < MOST_COUNTED, _HERE + _STEP, _HERE), _HERE])
"""``AFTER[color, state]``: the state after one more sphere of this colour."""

_NONE_YET = np.where(_HERE == 0, 1.0, 0.0)
_BEFORE = np.where(_COUNTS > 0, _HERE - _STEP, _NOWHERE)


@cache
def counts_of(spheres: int) -> NDArray[np.int64]:
    """Counts (5, states) of all colours if there are so many spheres."""
    left = np.clip(spheres - _COUNTS.sum(axis=0), 0, MOST_COUNTED)
    return np.vstack([_COUNTS, left])


@cache
def full(spheres: int) -> BoolArray:
    """Whether (5, states) a colour is counted four times already, of so many spheres."""
    return np.asarray(counts_of(spheres) == MOST_COUNTED)


def by_state(weights: FloatArray, spheres: int) -> FloatArray:
    """Weights (5, 5, 5, 5, 5) by counts as weights by state of so many spheres."""
    return np.asarray(weights[tuple(counts_of(spheres))], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Coloring:
    """Spheres with likelihoods (n, 5) of their colours, and a weight by their counts.

    ``last`` is that weight by state, of all spheres; ``again`` is the factor for each sphere of
    a colour beyond four, which counts do not tell. The n spheres may come after others
    (``before`` so many): what depends on those takes the table of their colourings.
    """

    likelihoods: FloatArray
    last: FloatArray
    again: float = 1.0
    before: int = 0

    @cached_property
    def forward(self) -> tuple[FloatArray, ...]:
        """For each number of first spheres, the summed likelihood of their colourings by state."""
        return self._forward(_NONE_YET)

    @cached_property
    def backward(self) -> tuple[FloatArray, ...]:
        """For each number of first spheres, by their state, the summed weight of all the rest."""
        steps = zip(self.likelihoods, self._after, strict=True)
        return (*(likelihood @ after for likelihood, after in steps), self.last)

    @property
    def total(self) -> float:
        """The sum over all colourings of likelihood and weight."""
        return float(self.backward[0][0])

    @cached_property
    def marginals(self) -> FloatArray:
        """Probability (n, 5) of each sphere's colours."""
        return self._chances(self.forward) / self.total

    @property
    def impossible(self) -> float:
        """The part of the total in which a colour has four spheres or more."""
        return self._impossible(self.forward[-1])

    def impossible_after(self, others: FloatArray) -> float:
        """The same, given the table of the spheres before."""
        return self._impossible(self._forward(others)[-1])

    def marginals_after(self, others: FloatArray) -> FloatArray:
        """Probability (n, 5) of each sphere's colours, given the table of those before."""
        total = float(others @ self.backward[0])
        return self._chances(self._forward(others)) / max(total, 1e-300)

    def _impossible(self, all_spheres: FloatArray) -> float:
        too_many = full(self.before + len(self.likelihoods)).any(axis=0)
        return float((all_spheres * self.last)[too_many].sum())

    def _chances(self, forward: Sequence[FloatArray]) -> FloatArray:
        rows = [
            likelihood * (after @ first)
            for likelihood, first, after in zip(
                self.likelihoods, forward[:-1], self._after, strict=True
            )
        ]
        return np.array(rows).reshape(-1, len(COLORS))

    def _forward(self, table: FloatArray) -> tuple[FloatArray, ...]:
        tables = [table]
        for sphere, likelihood in enumerate(self.likelihoods, self.before):
            before = np.append(tables[-1], 0.0).take(_BEFORE)
            stays = likelihood @ _staying(sphere, self.again)
            tables.append(likelihood[:_COUNTED] @ before + stays * tables[-1])
        return tuple(tables)

    @cached_property
    def _after(self) -> tuple[FloatArray, ...]:
        """For each sphere, by its colour and the state before it, the weight of all the rest."""
        tables: list[FloatArray] = []
        rest = self.last
        for sphere in reversed(range(len(self.likelihoods))):
            after = rest.take(AFTER)
            after *= _factors(self.before + sphere, self.again)
            tables.append(after)
            rest = self.likelihoods[sphere] @ after
        return tuple(reversed(tables))


@cache
def _factors(spheres: int, again: float) -> FloatArray:
    """The factor (5, states) for one more sphere of each colour."""
    return np.where(full(spheres), again, 1.0)


@cache
def _staying(spheres: int, again: float) -> FloatArray:
    """The factor (5, states) for one more sphere of each colour where that changes no state."""
    stays = np.where(full(spheres), again, 0.0)
    stays[-1] = _factors(spheres, again)[-1]
    return stays
