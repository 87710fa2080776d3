"""Trust: the probability that a tray is there and its view is right.

A logistic regression over a few signs, fitted by ``lab.bench_locate`` on lab pictures that did not
train the network, wrong poses and pictures without a tray among them.
"""

from dataclasses import astuple, dataclass
from math import exp

import numpy as np

from calibration.camera import View
from calibration.edges import Floats
from calibration.profile import TrayProfile
from calibration.refine import outline_support
from vision.fitting import Fitted
from vision.outlines import outline_edges
from vision.pattern import SEARCH, middle_support


@dataclass(frozen=True)
class Signs:
    """What speaks for a view, each about 0 (against) … 1 (for)."""

    slots: float
    """Share of the five slots that were seen and lie where the view puts them."""
    explained: float
    """Share of the peaks on the tray that the view explains."""
    lead: float
    """By how much more it explains than the best other view."""
    matches: float
    """Number of spheres and holes matched, twelve or more being 1."""
    edges: float
    """Share of the matched outlines that lie on edges of the picture."""
    pattern: float
    """How well the picture's edges bear out a rim or a sphere at each of the seven holes."""
    rim: float
    """Share of the tray's outline that lies on edges."""

    @classmethod
    def of(cls, fit: Fitted, view: View, profile: TrayProfile, smoothed: Floats) -> "Signs":
        """The signs of a fitted candidate whose view was refined."""
        own, matched = fit.own, fit.matched
        total = max(float((own.strength * own.must).sum()), 1e-6)
        support = outline_support(smoothed, view, matched.rounds(profile), SEARCH)
        count = int((matched.seats >= 0).sum() + (matched.holes >= 0).sum())
        return cls(
            slots=float((matched.slots >= 0).sum()) / 5,
            explained=float(np.clip(fit.told / total, 0, 1)),
            lead=float(np.clip(fit.lead, 0, 1)),
            matches=min(count, 12) / 12,
            edges=float(np.nanmean(support)) if np.isfinite(support).any() else 0.0,
            pattern=middle_support(smoothed, view, profile),
            rim=outline_edges(smoothed, view, profile),
        )


WEIGHTS = Signs(
    slots=3.01, explained=2.42, lead=1.63, matches=2.25, edges=1.40, pattern=11.24, rim=6.89
)
BIAS = -17.83
"""Fitted to 774 views, 449 of them right, of 176 pictures with and 70 without a tray."""


def probability(signs: Signs) -> float:
    """Probability that these are the signs of a right view."""
    pairs = zip(astuple(WEIGHTS), astuple(signs), strict=True)
    return 1 / (1 + exp(-BIAS - sum(weight * sign for weight, sign in pairs)))
