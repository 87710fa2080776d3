"""Searching: hypotheses improved until they explain the peaks, before anything is fitted.

Fitting needs to know which peak is which seat, and a hypothesis is often too far off for that:
half a sphere is enough to mistake one seat for its neighbour. So each is tried with many small
changes at once – turned, tilted, moved, nearer, farther – and the best of all are changed again,
by less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from calibration.dimension.profile import TrayProfile
from calibration.ellipses import Array, Eyes, turns
from vision.dimension.locating.matching import TrayPeaks, judge


@dataclass(frozen=True)
class SearchRound:
    """One round: how many hypotheses are kept, changed how often and how much, judged how."""

    kept: int
    changes: int
    amount: float
    width: float
    """How near a peak must be to what explains it, in radii."""


Effort = tuple[SearchRound, ...]

QUICK: Effort = (
    SearchRound(24, 12, 1.0, 0.4),
    SearchRound(12, 16, 0.5, 0.3),
    SearchRound(6, 16, 0.25, 0.25),
)
THOROUGH: Effort = (
    *(SearchRound(68, 16, 1.3, 0.45), SearchRound(30, 16, 0.6, 0.35)),
    *(SearchRound(16, 16, 0.3, 0.25), SearchRound(6, 16, 0.15, 0.2)),
)
"""Of 21 pictures of 60 on which a first network's hypotheses failed, the true view explained more
than the one found in 19: there was something to search for. Of the six development photos on which
the quick search failed later, the thorough one, at four times the time, found all."""

SPREAD = np.array([0.13, 0.13, 0.08, 0.04, 0.04, 0.09])
"""Standard deviations of the changes: tilts and turn in radians, shifts in shares of the reach
of the tray, logarithm of the distance. About the errors of hypotheses in lab pictures."""


def searched(
    eyes: Eyes, own: TrayPeaks, profile: TrayProfile, effort: Effort = QUICK
) -> tuple[Eyes, Array]:
    """The best views near the given ones, and how well they explain the peaks."""
    for number, step in enumerate(effort):
        told = judge(eyes, own, profile, step.width)
        best = chosen(eyes, np.argsort(-told)[: step.kept])
        eyes = joined([best, _changed(best, step, number, profile)])
    return eyes, judge(eyes, own, profile, effort[-1].width)


def chosen(eyes: Eyes, at: NDArray[np.intp]) -> Eyes:
    """Some views of a batch."""
    return Eyes(
        eyes.rotation[at], eyes.translation[at], eyes.focal[at], eyes.k1[at], eyes.principal
    )


def _changed(eyes: Eyes, step: SearchRound, number: int, profile: TrayProfile) -> Eyes:
    """Every view changed as often as the round asks; the tray turns about its centre."""
    count = len(eyes.focal)
    again = chosen(eyes, np.repeat(np.arange(count), step.changes))
    turned, aside, nearer = _changes(count * step.changes, number, step.amount)
    moved = (again.translation + profile.slot_radius_mm * aside) * nearer
    return Eyes(again.rotation @ turned, moved, again.focal, again.k1, again.principal)


def joined(batches: Sequence[Eyes]) -> Eyes:
    """Several batches as one."""
    return Eyes(
        np.concatenate([eyes.rotation for eyes in batches]),
        np.concatenate([eyes.translation for eyes in batches]),
        np.concatenate([eyes.focal for eyes in batches]),
        np.concatenate([eyes.k1 for eyes in batches]),
        batches[0].principal,
    )


@cache
def _changes(count: int, seed: int, amount: float) -> tuple[Array, Array, Array]:
    """Turns (count, 3, 3), shifts in reaches (count, 3) and factors of distance (count, 1).

    Always the same ones: reading a photo again must give the same result.
    """
    chance = np.random.default_rng(seed).normal(size=(count, len(SPREAD)))
    change = chance * SPREAD * amount
    aside = np.column_stack([change[:, 3:5], np.zeros(count)])
    return turns(change[:, :3]), aside, np.exp(change[:, 5:6])
