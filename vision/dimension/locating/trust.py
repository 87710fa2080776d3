"""Trust: the probability that a tray is there and its view is right.

A logistic regression over a few signs, fitted by ``lab.dimension.bench.locating`` on lab pictures
that did not train the network, wrong poses and pictures without a tray among them.
"""

from dataclasses import astuple, dataclass
from math import exp

import numpy as np

from calibration.camera import View
from calibration.dimension.profile import TrayProfile
from calibration.edges import Floats
from calibration.refine import find_edges
from vision.dimension.locating.edge_support import SEARCH, middle_supports, side_support
from vision.dimension.locating.fitting import Fitted
from vision.dimension.locating.matching import Matched, slot_places
from vision.dimension.locating.outline_choice import outline_edges


@dataclass(frozen=True)
class Signs:
    """What speaks for a view, each about 0 (against) … 1 (for)."""

    slots: float
    """Share of the slots in the picture that were seen where the view puts them."""
    explained: float
    """Share of the peaks on the tray that the view explains."""
    lead: float
    """By how much more it explains than the best other view."""
    matches: float
    """Number of spheres and holes matched; 1 from twelve on."""
    tight: float
    """How near the matched peaks are to where the view has them."""
    edges: float
    """Share of the matched outlines that lie on edges of the picture."""
    exact: float
    """How near those edges are to the outlines."""
    pattern: float
    """Support by edges for a rim or a sphere at each of the seven holes."""
    turn: float
    """By how much that support drops if the tray is turned by one or more slots."""
    sides: float
    """Share of the long sides of slots, where spheres do not hide them, that lie on edges."""
    rim: float
    """Share of the tray's outline that lies on edges."""

    @classmethod
    def of(cls, fit: Fitted, view: View, profile: TrayProfile, smoothed: Floats) -> "Signs":
        """The signs of a view that was drawn to the edges and whose peaks were matched anew."""
        own, matched = fit.own, fit.matched
        total = max(float((own.strength * own.must).sum()), 1e-6)
        rounds = matched.rounds(profile)
        edges = find_edges(smoothed, view, rounds, SEARCH.support_spread, SEARCH)
        support = edges.support(len(rounds.radii), SEARCH)
        spheres = rounds.centres[rounds.flat == 0]
        pattern, *turned = middle_supports(smoothed, view, profile, matched.above).tolist()
        return cls(
            slots=_slots_seen(matched, view, profile),
            explained=float(np.clip(fit.told / total, 0, 1)),
            lead=float(np.clip(fit.lead, 0, 1)),
            matches=min(matched.count, 12) / 12,
            tight=1 - min(matched.astray / FARTHEST_PEAKS, 1.0),
            edges=float(np.nanmean(support)) if np.isfinite(support).any() else 0.0,
            exact=1 - min(edges.astray() / FARTHEST_EDGES, 1.0),
            pattern=pattern,
            turn=float(np.clip(0.5 + (pattern - max(turned)) / (2 * CLEAR_TURN), 0, 1)),
            sides=side_support(smoothed, view, profile, spheres),
            rim=outline_edges(smoothed, view, profile) if profile.outline else TYPICAL_RIM,
        )


def _slots_seen(matched: Matched, view: View, profile: TrayProfile) -> float:
    middles = view.project(slot_places(profile))
    size = np.array([view.camera.width, view.camera.height])
    inside = np.asarray(((middles > 0) & (middles < size - 1)).all(axis=1))
    if inside.sum() < FEWEST_SLOTS:
        return TYPICAL_SLOTS
    found = matched.slots[matched.slots >= 0]
    return float(inside[found].sum() / inside.sum())


FARTHEST_PEAKS, FARTHEST_EDGES = 0.3, 0.12
"""Mean distances, in radii of a sphere, of peaks from seats and of edges from outlines at which
they no longer speak for a view."""
CLEAR_TURN = 0.2
"""Difference in support of the holes from which it is clear which way the tray is turned."""
FEWEST_SLOTS = 2
TYPICAL_SLOTS = 0.8
"""Taken where fewer slots are in the picture: what remains must tell."""
TYPICAL_RIM = 0.74
"""Taken for a tray whose outline is not known: the median of right views."""

WEIGHTS = Signs(
    slots=2.28, explained=3.73, lead=1.99, matches=5.01, tight=0.15, edges=0.0, exact=3.89,
    pattern=0.0, turn=12.28, sides=13.70, rim=1.78,
)  # fmt: skip
BIAS = -28.59
"""Fitted to 1,486 views, 1,113 of them right, of 567 pictures: lab pictures that did not train the
network, development photos not held back, and 53 photos without a tray, which count four times.
In eightfold cross-validation the best view is right in all but 18 of 514 photos of trays; of the
right ones 97 % are above 0.9, of the wrong ones one is (an empty tray, seen from 59°); of those
without a tray none reaches 0.06, even where it has all that a view must have."""

LEAST = Signs(
    slots=0.3, explained=0.2, lead=0.0, matches=1 / 3, tight=0.2, edges=0.5, exact=0.35,
    pattern=0.45, turn=0.0, sides=0.28, rim=0.25,
)  # fmt: skip
"""A view that lacks one of these is wrong, whatever else speaks for it: 99.5 % of the
right ones have all, and one of 191 views of things that are no trays. Real photos of other things
have edges everywhere, which no picture of the lab prepares for."""


def probability(signs: Signs) -> float:
    """Probability that these are the signs of a right view."""
    if any(sign < least for sign, least in zip(astuple(signs), astuple(LEAST), strict=True)):
        return 0.0
    pairs = zip(astuple(WEIGHTS), astuple(signs), strict=True)
    return 1 / (1 + exp(-BIAS - sum(weight * sign for weight, sign in pairs)))
