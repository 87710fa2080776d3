"""Values of dice: from what a face shows to the probability of each value.

Without a profile, pips and vortices are told by what they are. With one, a face is compared with
the pictures of the six faces that were enrolled.
"""

from dataclasses import dataclass

import numpy as np

from calibration.high_score.profile import DiceProfile
from rules.high_score.dice import FACES
from vision.high_score.faces import KINDS, Seen, look_at
from vision.high_score.finding import Array

_PIPS = np.array([KINDS.index(kind) for kind in "12345"])
_VORTEX = np.array([KINDS.index("6"), KINDS.index("vortex")])
_OTHER, _NONE = KINDS.index("other"), KINDS.index("none")

COOLING = 0.9
"""What the network's log probabilities are worth."""
SHARPNESS = 5.7
"""How much closer a face must be to one enrolled face than to another.
Both were fitted by ``lab.high_score.fit_confidence``."""
TRUST_IN_KINDS = 0.5
"""Weight of what both faces show, beside how close they are."""
STRANGE = 0.25
"""A face less close than this (cosine) to all that were enrolled is of other dice."""


@dataclass(frozen=True, eq=False)
class Valued:
    """Probabilities for each face seen, one row each."""

    values: Array
    """(faces, 6), in the order of ``FACES``; they add up to 1."""
    strange: Array
    """(faces,): that it is on a die, but not one of those that can be told."""
    none: Array
    """(faces,): that it is no face of a die."""


def by_kind(seen: Seen, cooling: float = COOLING) -> Valued:
    """Values of dice with pips; six pips or a vortex are the vortex."""
    cooled = np.exp(cooling * seen.kinds)
    shares = cooled / cooled.sum(axis=1, keepdims=True)
    values = np.column_stack([shares[:, _PIPS], shares[:, _VORTEX].sum(axis=1)])
    values = values / np.maximum(values.sum(axis=1, keepdims=True), 1e-9)
    return Valued(values, shares[:, _OTHER], shares[:, _NONE])


class Enrolled:
    """The six faces of a profile, as the network describes them."""

    def __init__(self, profile: DiceProfile) -> None:
        pictures = [picture for value in FACES for picture in profile.faces[value]]
        self._owner = np.array(
            [index for index, value in enumerate(FACES) for _ in profile.faces[value]]
        )
        self._seen = look_at(pictures)

    def values(self, seen: Seen, sharpness: float = SHARPNESS) -> Valued:
        """Values of faces by the enrolled ones that they resemble."""
        close = seen.points @ self._seen.points.T
        both = np.sqrt(np.exp(seen.kinds)) @ np.sqrt(np.exp(self._seen.kinds)).T
        scores = sharpness * close + TRUST_IN_KINDS * np.log(both + 1e-3)
        best = _by_owner(scores, self._owner)
        best -= best.max(axis=1, keepdims=True)
        values = np.exp(best) / np.exp(best).sum(axis=1, keepdims=True)
        strange = (_by_owner(close, self._owner).max(axis=1) < STRANGE).astype(np.float64)
        return Valued(values, strange, np.exp(seen.kinds[:, _NONE]))

    def alike(self) -> tuple[str, str, float]:
        """The two values whose faces are hardest to tell apart, and how close they are."""
        close = self._seen.points @ self._seen.points.T
        pairs = [
            (float(close[i, j]), FACES[self._owner[i]], FACES[self._owner[j]])
            for i in range(len(close))
            for j in range(i)
            if self._owner[i] != self._owner[j]
        ]
        nearness, one, other = max(pairs)
        return min(one, other), max(one, other), nearness


def _by_owner(scores: Array, owner: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Array:
    """The best score (faces, 6) among the pictures of each enrolled face."""
    return np.stack([scores[:, owner == index].max(axis=1) for index in range(6)], axis=1)
