"""Fitting: from a tray's candidate to views that explain its peaks, the likeliest first."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import View
from calibration.pose import PHONE, DegenerateMatchesError, fit_pose
from calibration.profile import TrayProfile
from calibration.rounds import Array, Eyes, unknowns_of
from vision.hypotheses import Candidate, hypotheses
from vision.matching import SHARP, Matched, Own, fit_matches, judge, match, pattern_in_view
from vision.network import Seen
from vision.photo import Photo
from vision.search import QUICK, Effort, chosen, searched

TRIED = 3
"""Hypotheses of a tray that are fitted at most."""
RIVAL = 0.5
"""Another hypothesis is tried if it explains at least this share of what the first does."""
DIFFERENT = 0.6
"""Hypotheses whose seats are on average less than this apart, in radii, are one."""
FITS = 2
REACH = 0.45
"""How far peaks may be from their seats, in radii, when a hypothesis is fitted."""


@dataclass(frozen=True)
class Fitted:
    """A candidate with the view that was fitted to its peaks, and how much that view explains."""

    candidate: Candidate
    own: Own
    matched: Matched
    view: View
    told: float
    lead: float
    """Share by which it explained more than the best quite different view, before fitting."""


def fits(
    seen: Seen,
    candidate: Candidate,
    photo: Photo,
    profile: TrayProfile,
    effort: Effort = QUICK,
) -> Iterator[Fitted]:
    """Views that explain a candidate's peaks, quite different ones, likeliest first.

    Each is fitted when it is asked for: mostly the first will do.
    """
    height, width = photo.picture.shape[:2]
    focal = photo.focal_px or float(np.exp(PHONE.log_focal((width, height), None)[0]))
    own = Own.of(seen, candidate)
    first = hypotheses(candidate, profile, (width, height), focal)
    eyes, told = searched(first, own, profile, effort)
    tried = different(eyes, told, profile)
    for index in tried:
        view = chosen(eyes, np.array([index])).view((width, height))
        for _ in range(FITS):
            view = _fit(view, own, profile, candidate, photo.focal_px) or view
        others = [told[other] for other in tried if other != index] or [0.0]
        yield Fitted(
            candidate=candidate,
            own=own,
            matched=match(view, own, profile, REACH),
            view=view,
            told=float(judge(eyes_of(view), own, profile, SHARP)[0]),
            lead=float(1 - max(*others, 0.0) / max(told[index], 1e-6)),
        )


def matched_anew(fit: Fitted, view: View, profile: TrayProfile) -> Fitted:
    """The fit with another view of the same tray and the matches that belong to it."""
    told = float(judge(eyes_of(view), fit.own, profile, SHARP)[0])
    return replace(fit, view=view, matched=match(view, fit.own, profile, REACH), told=told)


def different(eyes: Eyes, told: Array, profile: TrayProfile) -> list[int]:
    """The best hypotheses, best first, without those that are much the same as a better one."""
    places, radius = pattern_in_view(eyes, profile)
    kept: list[int] = []
    for index in np.argsort(-told).tolist():
        if len(kept) == TRIED or (kept and told[index] < RIVAL * told[kept[0]]):
            break
        apart = [np.linalg.norm(places[index] - places[k], axis=-1).mean() for k in kept]
        if all(distance > DIFFERENT * radius[index] for distance in apart):
            kept.append(index)
    return kept


def _fit(
    view: View, own: Own, profile: TrayProfile, candidate: Candidate, focal_px: float | None
) -> View | None:
    """The view fitted to the peaks that are near their seats in it; None if too few are."""
    size = (view.camera.width, view.camera.height)
    radius = float(view.pixels_per_mm(np.zeros(3))[0]) * profile.sphere_radius_mm
    found = fit_matches(own, match(view, own, profile, REACH), profile, candidate, radius)
    try:
        return fit_pose(found, size, focal_px=focal_px, start=view).view
    except DegenerateMatchesError:
        return None


def eyes_of(view: View) -> Eyes:
    """A batch of this one view."""
    base, unknowns = unknowns_of(view)
    return Eyes.from_unknowns(unknowns[None], base, (view.camera.width, view.camera.height))
