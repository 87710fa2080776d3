"""Fitting: from a tray's candidate to the view that explains its peaks best."""

from dataclasses import dataclass

import numpy as np

from calibration.camera import View
from calibration.pose import PHONE, DegenerateMatchesError, fit_pose
from calibration.profile import TrayProfile
from calibration.rounds import Array, Eyes, unknowns_of
from vision.hypotheses import Candidate, hypotheses
from vision.matching import SHARP, Matched, Own, fit_matches, judge, match, pattern_in_view
from vision.network import Seen
from vision.photo import Photo
from vision.search import chosen, searched

TRIED = 2
"""Hypotheses of a tray that are fitted, if they are near the first."""
RIVAL = 0.8
"""Another hypothesis is fitted if it tells at least this share of what the first does."""
DIFFERENT = 0.3
"""Hypotheses whose seats are on average less than this apart, in radii, are one."""
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
    rival: float
    """How much the best quite different view explains; 0 if there was none worth fitting."""


def fitted(seen: Seen, candidate: Candidate, photo: Photo, profile: TrayProfile) -> Fitted | None:
    """The view that explains a candidate's peaks best; None if no view does."""
    height, width = photo.picture.shape[:2]
    focal = photo.focal_px or float(np.exp(PHONE.log_focal((width, height), None)[0]))
    own = Own.of(seen, candidate)
    eyes = hypotheses(candidate, profile, (width, height), focal)
    eyes, told = searched(eyes, own, profile)
    fits: list[tuple[float, View]] = []
    for index in _different(eyes, told, profile):
        start = chosen(eyes, np.array([index])).view((width, height))
        view = _fit(start, own, profile, candidate, photo.focal_px)
        if view is not None:
            fits.append((float(judge(_eyes(view), own, profile, SHARP)[0]), view))
    if not fits:
        return None
    fits.sort(key=lambda fit: -fit[0])
    rival = fits[1][0] if len(fits) > 1 else 0.0
    view = _fit(fits[0][1], own, profile, candidate, photo.focal_px) or fits[0][1]
    best = float(judge(_eyes(view), own, profile, SHARP)[0])
    return Fitted(candidate, own, match(view, own, profile, REACH), view, best, rival)


def _different(eyes: Eyes, told: Array, profile: TrayProfile) -> list[int]:
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


def _eyes(view: View) -> Eyes:
    base, unknowns = unknowns_of(view)
    return Eyes.from_unknowns(unknowns[None], base, (view.camera.width, view.camera.height))
