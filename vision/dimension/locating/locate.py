"""Locating: which tray the photo is of, and the view of it.

A small network sees spheres, holes, slots and tray centres; every tray it sees gives hypotheses
of its pose; the one that explains the peaks best is fitted to them, then drawn to the picture's
edges. What was found is judged by how much of it the picture bears out: ``Located.score`` is the
probability that the view is right, and without a likely one there is no tray.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import TrayProfile
from calibration.edges import Floats, smooth
from calibration.refine import EdgeSearch, draw_view
from rules.dimension.places import HOLES, PLAY
from vision.dimension.locating.detector import CLOSE, ENLARGED, SIZE, Detections, Window, look
from vision.dimension.locating.edge_support import contrast
from vision.dimension.locating.fitting import Fitted, fits, matched_anew
from vision.dimension.locating.hypotheses import Candidate, candidates
from vision.dimension.locating.hypothesis_search import QUICK, THOROUGH, Effort
from vision.dimension.locating.outline_choice import likeliest
from vision.dimension.locating.proportions import deviation
from vision.dimension.locating.trust import Signs, probability
from vision.photo import Photo, Picture

EDGES = EdgeSearch(spreads=(0.2, 0.08), per_round=20, steps=4, enough=1e-4)
"""Two rounds of twenty samples: four of 32 take twice the time and are no more exact (50 lab
pictures: median error of seats 1.5 % of a sphere's diameter against 1.4 %, 95 % below 4.1 %
against 4.7 %)."""
STRONG = 0.4
"""A centre this strong is a tray worth mentioning: no other thing in 209 lab pictures has one."""
LIKELY, DOUBTFUL = 0.4, 0.6
"""Only for a centre this strong, and where no view is likelier than this, is it worth searching
thoroughly."""
ACCEPTED, SURE = 0.12, 0.9
"""Probabilities from which a view is taken, and needs no second thought. Of 69 photos without a
tray, 66 of them real, none reaches 0.04."""
CONTRAST = 0.02
"""A doubtful view whose holes stand out less is one of noise: the doubtful ones of 365 lab trays
have 0.035 or more, most above 0.1; coloured squares that were taken for a tray have −0.01."""
ATTEMPTS = 2
"""Candidates of a glance that are looked into before giving up."""
STEP_BACK = 0.6
"""Scale of the glance from farther away: the network knows trays that are wholly in view."""
PASSED_OVER = 0.4
"""A centre this strong that is nearer the middle is a tray, though no view of it may be likely."""
SAME_CENTRE = 0.6
"""Candidates of two glances that are nearer than this, in reaches, are of one tray."""
FEWEST = 4
"""Fewer spheres and holes than this are no tray: an empty one shows seven holes."""
ALMOST_IN = 0.15
"""A seat may lie this much beyond the picture's edge, in radii, and still be read."""


@dataclass(frozen=True)
class Located:
    """A tray in a photo, in working pixels."""

    view: View
    profile: TrayProfile
    score: float
    """Probability that the view is right."""
    cropped: bool
    """Part of the storage is not in the picture."""
    others: int
    """How many other trays are in the picture."""
    sure: bool
    """The view is surely right, and the tray has the proportions of its profile."""


@dataclass(frozen=True)
class Examined:
    """A view of a candidate, what speaks for it, and the probability that it is right."""

    view: View
    profile: TrayProfile
    signs: Signs
    score: float
    cropped: bool
    fit: Fitted
    """The view and what matches it: where a further round of drawing starts."""


def locate(photo: Photo, profiles: Sequence[TrayProfile]) -> Located | None:
    """The most central tray of the photo, as one of the profiles; None if there is none."""
    found = best_view(photo, profiles)
    if found is None or found.examined.score < ACCEPTED:
        return None
    examined = found.examined
    if found.passed_over:
        # Of two trays the other one may be meant: how likely this view is does not help.
        examined = replace(examined, score=examined.score / 2)
    fit, profile = examined.fit, examined.profile
    if examined.score < SURE:
        smoothed, above = smooth(photo.picture), fit.matched.above
        if contrast(smoothed, examined.view, profile, above) < CONTRAST:
            return None
    alike = deviation(examined.view, fit.own, fit.matched, profile).is_slight
    return Located(
        examined.view,
        profile,
        examined.score,
        examined.cropped,
        found.others,
        sure=examined.score >= SURE and alike,
    )


@dataclass(frozen=True)
class LikeliestView:
    """The likeliest view of a tray, and how many other trays were seen."""

    examined: Examined
    candidate: Candidate
    others: int
    passed_over: bool
    """Another tray seems to be nearer the middle, but no view of it is likely."""

    @property
    def rank(self) -> tuple[bool, float]:
        """Greater is better: no likely view is given up for one of another tray."""
        score = self.examined.score
        return score >= ACCEPTED and not self.passed_over, score


def best_view(photo: Photo, profiles: Sequence[TrayProfile]) -> LikeliestView | None:
    """The likeliest view of the most central tray, however likely; None if none fits.

    Glances at the picture are independent witnesses: what is not sure by one may be by the next.
    Only what none of them can tell is searched for thoroughly.
    """
    best: LikeliestView | None = None
    smoothed = smooth(photo.picture)
    tries = [(QUICK, window) for window in glances(photo.picture)]
    for effort, window in (*tries, (THOROUGH, tries[-1][1])):
        if best is not None and effort is THOROUGH and best.examined.score > DOUBTFUL:
            break
        seen = look(photo.picture, window)
        trays = candidates(seen)
        if best is not None and _passed_over(best.candidate, trays, photo.picture):
            best = replace(best, passed_over=True)
        found = _among(photo, smoothed, seen, trays, profiles, effort, best)
        if found is not None and (best is None or found.rank > best.rank):
            best = found
        if best is not None and _settled(best, photo.picture):
            break
    return best


def _settled(found: LikeliestView, picture: Picture) -> bool:
    """Whether no further glance is needed: the view is sure, and no other tray can be meant.

    A tray beside the picture's middle is looked at with all glances, for there may be another one
    in the middle that the first did not see.
    """
    central = _off_middle(found.candidate, picture) < found.candidate.reach
    return found.examined.score >= SURE and not found.passed_over and central


def _among(
    photo: Photo,
    smoothed: Floats,
    seen: Detections,
    trays: Sequence[Candidate],
    profiles: Sequence[TrayProfile],
    effort: Effort,
    before: LikeliestView | None,
) -> LikeliestView | None:
    """The first likely view among the candidates of a glance, or else the likeliest.

    Where a tray was likely ``before``, no other one is looked for.
    """
    best: LikeliestView | None = None
    for candidate in by_place(trays, photo.picture)[:ATTEMPTS]:
        likely = before is not None and before.rank[0]
        if before is not None and likely and not _same_tray(candidate, before.candidate):
            continue
        for examined in views(photo, smoothed, seen, candidate, profiles, effort):
            if best is None or examined.score > best.examined.score:
                others = sum(another(candidate, other) for other in trays)
                passed_over = _passed_over(candidate, trays, photo.picture)
                best = LikeliestView(examined, candidate, others, passed_over)
            if examined.score >= SURE:
                return best
        if best is not None and best.examined.score >= ACCEPTED:
            break
    return best


def glances(picture: Picture) -> list[Window]:
    """Ways to look at the whole picture, one after the other: once over, from farther away, closer.

    From farther away trays larger than the picture are seen, and others surprisingly well.
    """
    glance, closer = Window.whole(picture), Window.whole(picture, SIZE)
    return [glance, replace(glance, scale=STEP_BACK * glance.scale), closer]


def _same_tray(candidate: Candidate, other: Candidate) -> bool:
    apart = float(np.linalg.norm(candidate.centre - other.centre))
    return apart < SAME_CENTRE * max(candidate.reach, other.reach)


def views(
    photo: Photo,
    smoothed: Floats,
    seen: Detections,
    candidate: Candidate,
    profiles: Sequence[TrayProfile],
    effort: Effort = QUICK,
) -> Iterator[Examined]:
    """All views that the candidate may have, quite different ones, the likeliest first."""
    if effort is THOROUGH and candidate.strength < LIKELY:
        return
    seen, candidate = _second_look(photo.picture, seen, candidate)
    for alike in geometries(profiles):
        best: Examined | None = None
        for fit in fits(seen, candidate, photo, alike[0], effort):
            examined = _drawn(photo, smoothed, fit, alike)
            if examined is not None:
                yield examined
                best = max(best or examined, examined, key=lambda one: one.score)
        if best is not None:
            # A view that was far off has got but half the way: its peaks were matched anew.
            again = _drawn(photo, smoothed, best.fit, alike)
            if again is not None:
                yield again


def _drawn(
    photo: Photo, smoothed: Floats, fit: Fitted, alike: Sequence[TrayProfile]
) -> Examined | None:
    """The fitted view drawn to the picture's edges, as the one of profiles that the outline says.

    None if the tray's middle is not in the picture.
    """
    if fit.matched.count < FEWEST:
        return None
    rounds = fit.matched.rounds(alike[0])
    refined = draw_view(smoothed, fit.view, rounds, focal_px=photo.focal_px, search=EDGES)
    view = refined.view
    inside = in_picture(view, alike[0])
    if not inside[:HOLES].all():
        return None
    profile = likeliest(smoothed, view, alike)
    fit = matched_anew(fit, view, profile)
    signs = Signs.of(fit, view, profile, smoothed)
    cropped = not bool(inside[PLAY:].all())
    return Examined(view, profile, signs, probability(signs), cropped, fit)


def by_place(found: Sequence[Candidate], picture: Picture) -> list[Candidate]:
    """Strong candidates first, the most central ones of them first."""
    return sorted(found, key=lambda one: (one.strength < PASSED_OVER, _off_middle(one, picture)))


def _off_middle(candidate: Candidate, picture: Picture) -> float:
    height, width = picture.shape[:2]
    middle = (np.array([width, height]) - 1) / 2
    return float(np.linalg.norm(candidate.centre - middle))


def _passed_over(candidate: Candidate, others: Sequence[Candidate], picture: Picture) -> bool:
    """Whether one of the others is surely another tray, and nearer the picture's middle."""
    return any(
        other.strength >= PASSED_OVER
        and not _same_tray(candidate, other)
        and _off_middle(other, picture) < _off_middle(candidate, picture)
        for other in others
    )


def another(candidate: Candidate, other: Candidate) -> bool:
    """Whether the other candidate is surely another tray."""
    apart = float(np.linalg.norm(other.centre - candidate.centre))
    return other.strength >= STRONG and apart > candidate.reach


def _second_look(
    picture: Picture, seen: Detections, candidate: Candidate
) -> tuple[Detections, Candidate]:
    """What the network sees when the candidate is enlarged, and the candidate as it is there."""
    u, v = candidate.centre.tolist()
    closer = look(picture, Window((u, v), ENLARGED / candidate.reach, CLOSE))
    near = 0.5 * candidate.reach
    again = [
        other
        for other in candidates(closer)
        if np.linalg.norm(other.centre - candidate.centre) < near
    ]
    if not again:
        return seen, candidate
    return closer, max(again, key=lambda other: other.strength)


def _measures(profile: TrayProfile) -> tuple[float, ...]:
    """All of a tray's geometry but its outline."""
    return (
        *(profile.sphere_mm, profile.pitch_mm, profile.hole_mm, profile.ring0_deg),
        *(profile.slot_radius_mm, profile.slot0_deg, profile.slot_step_mm),
    )


def geometries(profiles: Sequence[TrayProfile]) -> list[list[TrayProfile]]:
    """The profiles grouped by geometry, so that those of a group differ in their outlines alone."""
    groups: dict[tuple[float, ...], list[TrayProfile]] = {}
    for profile in profiles:
        groups.setdefault(_measures(profile), []).append(profile)
    return list(groups.values())


def in_picture(view: View, profile: TrayProfile) -> NDArray[np.bool_]:
    """Which of the 29 seats (29,) are wholly in the picture, with their spheres."""
    outlines = view.sphere_outlines(seat_array(profile), profile.sphere_radius_mm)
    middle, reach = outlines[:, :2], (1 - ALMOST_IN) * outlines[:, 2:3]
    size = np.array([view.camera.width, view.camera.height]) - 1
    return np.asarray(((middle - reach >= 0) & (middle + reach <= size)).all(axis=1))
