"""Locating by the place mat: where its markers are in the photo, the view comes from them.

The mat tells camera, pose and scale better than any tray can; how the tray lies on it is searched
for all around among the network's peaks and drawn to the picture's edges. A tray that is hard to
make out – empty, dark, seen at a low angle – is found by this if it can be found at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calibration.dimension.place_mat import fit_mat, shows_mat
from calibration.dimension.profile import TrayProfile
from calibration.edges import Floats, smooth
from calibration.ellipses import Array, Eyes
from calibration.solve import GaussianPrior
from rules.dimension.places import HOLES, PLAY
from vision.dimension.locating.detector import CLOSE, ENLARGED, Detections, Window, look
from vision.dimension.locating.fitting import REACH, Fitted, different
from vision.dimension.locating.hypotheses import Candidate, candidates
from vision.dimension.locating.locate import (
    ACCEPTED,
    EDGES,
    FEWEST,
    SURE,
    Examined,
    Located,
    another,
    by_place,
    geometries,
    in_picture,
)
from vision.dimension.locating.mat_placement import (
    NARROWING,
    Mat,
    changes,
    first_placements,
    fit_edges,
    fit_places,
    placement_prior,
)
from vision.dimension.locating.matching import SHARP, TrayPeaks, fit_matches, judge, match
from vision.dimension.locating.outline_choice import likeliest
from vision.dimension.locating.trust import Signs, probability
from vision.photo import Photo

FITS = 2
DRAWN = 2
"""How often peaks are matched anew and the tray is drawn to its edges once more."""
FARTHEST_MM = 60.0
"""A tray whose centre is farther from the mat's does not lie on it."""


def find_mat(photo: Photo, profiles: Sequence[TrayProfile]) -> Mat | None:
    """The mat in the photo, by its printed markers or by those that a profile names."""
    for markers in (None, *(profile.markers for profile in profiles if profile.markers)):
        if shows_mat(photo.picture, markers):
            fit = fit_mat(photo.picture, markers, photo.focal_px)
            if fit is not None:
                return Mat(fit)
    return None


def locate_on_mat(photo: Photo, mat: Mat, profiles: Sequence[TrayProfile]) -> Located | None:
    """The tray on the mat; None if it cannot be made out, or another tray is more central."""
    seen = look(photo.picture)
    found = candidates(seen)
    best: Examined | None = None
    for alike in geometries(profiles):
        search = _MatSearch(photo, mat, _candidate(mat, alike[0]), tuple(alike))
        if search.is_beside(found):
            return None
        for examined in search.views(seen):
            if best is None or examined.score > best.score:
                best = examined
            if best.score >= SURE:
                break
    if best is None or best.score < ACCEPTED:
        return None
    here = _candidate(mat, best.profile)
    others = sum(another(here, other) for other in found)
    sure = best.score >= SURE
    return Located(best.view, best.profile, best.score, best.cropped, others, sure)


def _candidate(mat: Mat, profile: TrayProfile) -> Candidate:
    """The tray of this make as it looks on the middle of the mat."""
    reach = profile.slot_radius_mm
    places = np.array([(0.0, 0.0), (reach, 0.0), (0.0, reach)])
    centre, *ends = mat.fit.view.project(np.column_stack([places, np.zeros(3)]))
    slopes = np.stack([end - centre for end in ends], axis=1)
    values, vectors = np.linalg.eigh(slopes @ slopes.T)
    face = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    return Candidate(centre, 1.0, face, {}, None)


@dataclass(frozen=True, eq=False)
class _MatSearch:
    """The search for a tray of one geometry on the mat."""

    photo: Photo
    mat: Mat
    here: Candidate
    alike: tuple[TrayProfile, ...]

    @cached_property
    def smoothed(self) -> Floats:
        return smooth(self.photo.picture)

    @cached_property
    def prior(self) -> GaussianPrior:
        return placement_prior(self.alike[0])

    def is_beside(self, found: Sequence[Candidate]) -> bool:
        """Whether a tray that is not on the mat is the most central one."""
        ranked = by_place([self.here, *found], self.photo.picture)
        return another(self.here, ranked[0])

    def views(self, seen: Detections) -> Iterator[Examined]:
        """Views of the tray in quite different placements, the likeliest first."""
        u, v = self.here.centre.tolist()
        closer = look(self.photo.picture, Window((u, v), ENLARGED / self.here.reach, CLOSE))
        own = TrayPeaks.of(closer, self.here)
        placements, told = self._placements(own, self._middles(seen, closer))
        chosen = different(self.mat.eyes(placements), told, self.alike[0])
        for index in chosen:
            rest = [told[other] for other in chosen if other != index] or [0.0]
            lead = float(1 - max(*rest, 0.0) / max(told[index], 1e-6))
            examined = self._drawn(own, self._fitted(own, placements[index]), lead)
            if examined is not None:
                yield examined

    def _middles(self, *looks: Detections) -> Array:
        """Places (n, 2) on the mat where the tray's centre may be: its middle, or a centre seen."""
        centres = np.concatenate([seen.centres.uv for seen in looks])
        there = self.mat.fit.view.on_plane(centres, 0.0)[:, :2]
        near = np.linalg.norm(there, axis=1) < FARTHEST_MM  # False for NaN as well
        return np.concatenate([np.zeros((1, 2)), there[near]])

    def _placements(self, own: TrayPeaks, middles: Array) -> tuple[Array, Array]:
        """The placements that explain the peaks best, and how well they do."""
        profile = self.alike[0]
        placements = first_placements(profile, middles)
        for number, (kept, times, amount, width) in enumerate(NARROWING):
            told = judge(self.mat.eyes(placements), own, profile, width)
            best = placements[np.argsort(-told)[:kept]]
            again = np.repeat(best, times, axis=0)
            again = again + amount * changes(len(again), number)
            placements = np.concatenate([best, again])
        return placements, judge(self.mat.eyes(placements), own, profile, NARROWING[-1][-1])

    def _fitted(self, own: TrayPeaks, placement: Array) -> Array:
        """The placement fitted to the peaks near their seats."""
        profile = self.alike[0]
        for _ in range(FITS):
            view = self.mat.seen(placement)
            radius = float(view.pixels_per_mm(np.zeros(3))[0]) * profile.sphere_radius_mm
            matched = match(view, own, profile, REACH)
            *matches, _ = fit_matches(own, matched, profile, self.here, radius)
            if len(matches) < FEWEST:  # the last was the candidate's centre, which is the mat's
                break
            placement = fit_places(self.mat, placement, matches, self.prior)
        return placement

    def _drawn(self, own: TrayPeaks, placement: Array, lead: float) -> Examined | None:
        """The placement drawn to the picture's edges, and what speaks for it."""
        profile = self.alike[0]
        for _ in range(DRAWN):
            matched = match(self.mat.seen(placement), own, profile, REACH)
            if matched.count < FEWEST:
                return None
            rounds = matched.rounds(profile)
            placement = fit_edges(self.mat, self.smoothed, placement, rounds, self.prior, EDGES)
        view = self.mat.seen(placement)
        told = float(judge(Eyes.of(view), own, profile, SHARP)[0])
        inside = in_picture(view, profile)
        if not inside[:HOLES].all():
            return None
        fit = Fitted(self.here, own, match(view, own, profile, REACH), view, told, lead)
        profile = likeliest(self.smoothed, view, self.alike)
        signs = Signs.of(fit, view, profile, self.smoothed)
        cropped = not bool(inside[PLAY:].all())
        return Examined(view, profile, signs, probability(signs), cropped, fit)
