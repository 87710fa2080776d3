"""Fitting: from a tray's candidate to views that explain its peaks, the likeliest first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import View
from calibration.dimension.profile import TrayProfile
from calibration.ellipses import Array, Eyes
from calibration.pose import PHONE, DegenerateMatchesError, fit_pose
from vision.dimension.locating.detector import Detections
from vision.dimension.locating.hypotheses import Candidate, hypotheses
from vision.dimension.locating.hypothesis_search import QUICK, Effort, chosen, joined, searched
from vision.dimension.locating.matching import (
    SHARP,
    Matched,
    TrayPeaks,
    fit_matches,
    judge,
    match,
    pattern_in_view,
)
from vision.photo import Photo

TRIED = 3
"""At most so many hypotheses of a tray are fitted."""
RIVAL = 0.5
"""Another hypothesis is tried if it explains at least this share of what the first does."""
DIFFERENT = 0.6
"""Hypotheses whose seats are on average less than this apart, in radii, are one."""
SAME = 0.3
"""Fitted ones that are less than this apart have become one."""
FITS = 2
"""How often peaks are matched and the view is fitted to them."""
ENOUGH = 1e-3
"""A fit that gains less than this share is near enough: edges are to follow."""
REACH = 0.45
"""How far peaks may be from their seats, in radii, when a hypothesis is fitted."""


@dataclass(frozen=True)
class Fitted:
    """A candidate with the view that was fitted to its peaks, and how much that view explains."""

    candidate: Candidate
    own: TrayPeaks
    matched: Matched
    view: View
    told: float
    lead: float
    """Share by which it explains more than the best quite different view."""


def fits(
    seen: Detections,
    candidate: Candidate,
    photo: Photo,
    profile: TrayProfile,
    effort: Effort = QUICK,
) -> list[Fitted]:
    """Views that explain a candidate's peaks, quite different ones, likeliest first."""
    height, width = photo.picture.shape[:2]
    focal = photo.focal_px or float(np.exp(PHONE.log_focal((width, height), None)[0]))
    own = TrayPeaks.of(seen, candidate)
    first = hypotheses(candidate, profile, (width, height), focal)
    eyes, told = searched(first, own, profile, effort)
    found = []
    for index in different(eyes, told, profile):
        view = chosen(eyes, np.array([index])).view((width, height))
        found.append(_fitted(view, own, profile, candidate, photo.focal_px))
    return _ranked(found, profile)


def _ranked(found: Sequence[Fitted], profile: TrayProfile) -> list[Fitted]:
    """The fits, best first, each with its lead; those that have become one count once."""
    told = np.array([fit.told for fit in found])
    eyes = joined([Eyes.of(fit.view) for fit in found])
    kept = different(eyes, told, profile, SAME)
    ranked = []
    for index in kept:
        rivals = [told[other] for other in kept if other != index]
        lead = 1 - max(0.0, *rivals, 0.0) / max(told[index], 1e-6)
        ranked.append(replace(found[index], lead=lead))
    return ranked


def matched_anew(fit: Fitted, view: View, profile: TrayProfile) -> Fitted:
    """The fit with another view of the same tray and the matches that belong to it."""
    told = float(judge(Eyes.of(view), fit.own, profile, SHARP)[0])
    return replace(fit, view=view, matched=match(view, fit.own, profile, REACH), told=told)


def different(eyes: Eyes, told: Array, profile: TrayProfile, apart: float = DIFFERENT) -> list[int]:
    """The best views, best first, without those that are much the same as a better one.

    Views are the same if their seats are on average less than ``apart`` radii from each other.
    """
    order = np.argsort(-told)
    best = told[order[0]]
    order = order[told[order] >= min(best, RIVAL * best)]  # the best is one even if it is bad
    places, radius = pattern_in_view(chosen(eyes, order), profile)
    left = np.arange(len(order))
    kept: list[int] = []
    while len(left) and len(kept) < TRIED:
        kept.append(int(left[0]))
        off = places[left] - places[left[0]]
        away = np.sqrt((off**2).sum(axis=-1)).mean(axis=-1)
        left = left[1:][away[1:] > apart * radius[left[1:]]]
    return [int(index) for index in order[kept]]


def _fitted(
    view: View, own: TrayPeaks, profile: TrayProfile, candidate: Candidate, focal_px: float | None
) -> Fitted:
    """The view fitted to the peaks that are near their seats in it, as far as there are enough."""
    size = (view.camera.width, view.camera.height)
    radius = float(view.pixels_per_mm(np.zeros(3))[0]) * profile.sphere_radius_mm
    matched = match(view, own, profile, REACH)
    for _ in range(FITS):
        found = fit_matches(own, matched, profile, candidate, radius)
        try:
            view = fit_pose(found, size, focal_px=focal_px, start=view, enough=ENOUGH).view
        except DegenerateMatchesError:
            break
        before, matched = matched, match(view, own, profile, REACH)
        if matched.same_as(before):
            break
    told = float(judge(Eyes.of(view), own, profile, SHARP)[0])
    return Fitted(candidate, own, matched, view, told, lead=0.0)
