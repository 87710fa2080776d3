"""What is known before a look at the photo: shapes, and how many spheres of which colour.

All numbers are rough guesses about how people play, not fitted to photos; the pixels
outweigh them wherever there is something to see.
"""

from dataclasses import dataclass
from functools import cache
from math import comb, factorial, log, prod

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import MOST_SPHERES, shapes
from rules.dimension.layout import COLORS, PER_COLOR
from rules.dimension.places import SPHERES

FloatArray = NDArray[np.float64]

MOST_COUNTED = PER_COLOR + 1
"""Counts of a colour go up to four; four stands for four or more."""


@dataclass(frozen=True)
class Prior:
    """Prior probabilities."""

    complete: float = 0.9
    """That all fifteen spheres lie on the tray; if not, any number may."""
    borrowed: float = 5e-3
    """That somebody else's sphere lies on the tray; the same again for each further one."""
    tidy: float = 0.5
    """That storage has a slot for each colour; if not, spheres lie anywhere in it."""
    full_pyramid: float = 3.0
    """How much more often a stack is built to the top than it has any smaller number."""


PRIOR = Prior()


@cache
def shape_logs(prior: Prior) -> dict[int, float]:
    """Log-probability of each of the 264 shapes: by number of spheres, alike within a number."""
    weight = [1.0] * MOST_SPHERES + [prior.full_pyramid]
    alike = [sum(mask.bit_count() == n for mask in shapes()) for n in range(MOST_SPHERES + 1)]
    return {
        mask: log(weight[mask.bit_count()] / sum(weight) / alike[mask.bit_count()])
        for mask in shapes()
    }


def placement_log(stored: int) -> float:
    """Log-probability that so many spheres lie on just these places in storage."""
    return -log(comb(SPHERES, stored))


@cache
def count_weights(prior: Prior, inventory: bool) -> FloatArray:
    """Prior probability (5, 5, 5, 5, 5) of one particular colouring, by its counts of colours.

    Own spheres are drawn from three of each colour; borrowed ones may be of any. Without
    ``inventory`` storage is out of the picture, and any number may be in view.
    """
    weights = np.empty((MOST_COUNTED + 1,) * len(COLORS))
    for counts in np.ndindex(weights.shape):
        borrowed = sum(count > PER_COLOR for count in counts)
        own = [min(count, PER_COLOR) for count in counts]
        drawn = prod(comb(PER_COLOR, count) for count in own) / comb(SPHERES, sum(own))
        orders = factorial(sum(counts)) // prod(map(factorial, counts))
        likely = number_of_own(prior, inventory, sum(own), borrowed)
        strange = one_more_borrowed(prior) ** borrowed
        weights[counts] = likely * drawn * strange / orders
    weights.flags.writeable = False
    return weights


def one_more_borrowed(prior: Prior) -> float:
    """Probability of one more borrowed sphere of a given colour."""
    return prior.borrowed / len(COLORS)


def number_of_own(prior: Prior, inventory: bool, own: int, borrowed: int = 0) -> float:
    """Probability of so many own spheres on the tray: all; or, if one was swapped, all but one."""
    any_number = 1 / (SPHERES + 1)
    if not inventory:
        return any_number
    if not borrowed:
        return prior.complete * (own == SPHERES) + (1 - prior.complete) * any_number
    added, swapped = own == SPHERES, own == SPHERES - borrowed
    return prior.complete * (added + swapped) / 2 + (1 - prior.complete) * any_number
