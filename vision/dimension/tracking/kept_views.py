"""What the frames of a film tell together about a tray that nobody touches.

Frames from one place repeat each other: they are one view, of which the newest is kept. Views
from different sides add up. A frame that contradicts what was known is taken for a mistake once;
if the next one says so too, something was moved, and all that was known before is forgotten.
"""

from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import FloatArray, View
from vision.dimension.inferring.fuse import Shot, contradicted, fuse
from vision.dimension.inferring.infer import Posterior

SAME_SIDE = 0.985
"""Cosine of the angle between two lines of sight (10°) below which they are different views."""
MOST_VIEWS = 3
STEADY = 2
"""So many looks in a row must agree before the reading may be certain."""


@dataclass(frozen=True, eq=False)
class _Kept:
    shot: Shot
    sight: FloatArray


class KeptViews:
    """The views of a tray so far. ``posterior`` combines them; None before the first."""

    def __init__(self) -> None:
        self.posterior: Posterior | None = None
        self._kept: list[_Kept] = []
        self._agreeing = 0
        self._objection: Posterior | None = None

    @property
    def steady(self) -> bool:
        """Whether the last few looks agreed."""
        return self._agreeing >= STEADY

    def doubt(self) -> None:
        """Start over: something may have been moved."""
        self._kept, self._agreeing, self._objection = [], 0, None

    def add(self, shot: Shot, view: View) -> None:
        """Take one more look into account."""
        told = shot.posterior
        if self._kept and self.posterior and contradicted(self.posterior, told):
            again = self._objection is not None and not contradicted(self._objection, told)
            self._objection, self._agreeing = told, 0
            if not again:
                return
            self._kept = []
        self._objection = None
        eye = view.pose.eye / np.linalg.norm(view.pose.eye)
        others = [kept for kept in self._kept if float(kept.sight @ eye) < SAME_SIDE]
        self._kept = [*others[1 - MOST_VIEWS :], _Kept(shot, eye)]
        shots = [kept.shot for kept in self._kept]
        before = self.posterior
        self.posterior = told if len(shots) == 1 else _fused(shots)
        same = before is not None and before.layout == self.posterior.layout
        self._agreeing = self._agreeing + 1 if same or self._agreeing == 0 else 1


def _fused(shots: list[Shot]) -> Posterior:
    """The fused posterior of views that were all carried on from the last one."""
    return replace(fuse(shots).posterior, view=shots[-1].posterior.view)
