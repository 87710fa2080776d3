"""What positions are worth, many at once: the answer that doubts about a photo are weighed by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

PositionT = TypeVar("PositionT")


@dataclass(frozen=True, eq=False)
class Worth:
    """The scores of n positions, each array in their order."""

    points: NDArray[np.int64]
    bonus: NDArray[np.int64]
    """Tokens earned besides."""
    cards: Mapping[str, NDArray[np.bool_]]
    """By its code, whether each position fulfils a card."""


Scoring = Callable[[Sequence[PositionT]], Worth]
"""Scores positions under terms that are settled: cards, edition, rulings."""
