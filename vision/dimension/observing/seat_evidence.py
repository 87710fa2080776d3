"""What the pixels say about each seat: the interface between observing and inferring."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rules.dimension.layout import COLORS, EMPTY
from rules.dimension.places import ALL_SEATS, PLAY

FloatArray = NDArray[np.float64]

STATES = EMPTY + COLORS
"""What a seat can be, in the order of all arrays of evidence: empty, then the five colours."""

PLAY_SET = (1 << PLAY) - 1
STORAGE_SET = (1 << len(ALL_SEATS)) - 1 & ~PLAY_SET

HIDDEN = 0.03
"""Visible share below which a sphere counts as hidden (as the bench counts)."""


Question = tuple[int, int]
"""What is seen of a seat if, of the seats that may hide it, exactly those of a set are occupied?"""


class Evidence(Protocol):
    """What is seen of one seat, given which occupied seats may cover it."""

    @property
    def loglik(self) -> FloatArray:
        """Log-likelihood of each of ``STATES`` (6,), relative to that of the same pixels anywhere.

        So evidence under one cover can be compared with evidence under another.
        """

    @property
    def visible(self) -> float:
        """Share of the sphere's outline that is not covered."""


class EvidenceSource(Protocol):
    """A picture with a located tray that can be asked about seats. Sets have one bit per place."""

    @property
    def order(self) -> Sequence[int]:
        """The 29 seats, nearest to the camera first."""

    @property
    def may_hide(self) -> Sequence[int]:
        """For each seat, the set of nearer seats whose spheres would cover a part of it."""

    @property
    def expected(self) -> int:
        """The seats that seem occupied at first sight: a guess that may save questions."""

    def evidence(self, questions: Sequence[Question]) -> Sequence[Evidence]:
        """The answer to each question. Many asked at once cost little more than one."""


def set_of(there: NDArray[np.bool_]) -> int:
    """The set of the seats that are flagged."""
    return sum(1 << seat for seat in np.flatnonzero(there).tolist())
