"""How a tray lies on its place mat, which is all that is unknown once the mat is seen.

The mat gives camera and table; left are the tray's turn, its shift sideways, the height of its
face, and the scale between the two, for a mat may be printed at 97 % and a tray's profile may
only assume its scale. What the markers seen leave open of the view itself – the focal length from
straight above, the far side when they are all on the near one – is fitted along with these, held
by the markers as far as they hold it.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from calibration.camera import View
from calibration.dimension.profile import TrayProfile
from calibration.edges import Floats
from calibration.ellipses import VIEW_UNKNOWNS, Array, Eyes, Rounds, outlines
from calibration.pose import Match, PoseFit
from calibration.refine import EDGES_ARE_ALIKE, Edges, EdgeSearch, find_edges
from calibration.solve import GaussianPrior, solve

TURN, ACROSS, UP, HEIGHT, SCALE = range(5)
"""Unknowns of a placement: radians, mm on the mat, mm above the usual face, log of the scale;
then the eight of the mat's own view, in units of their uncertainty."""
OWN = 5
UNKNOWNS = OWN + VIEW_UNKNOWNS

ASIDE_MM, HEIGHT_MM = 25.0, 4.0
"""How far trays lie from the mat's centre, and how much their thickness differs (deviations)."""
PRINTED, ASSUMED = 0.015, 0.25
"""Deviation of the scale: of prints, and of profiles whose sphere was not measured."""
TURNS = 90
SCALES = 7
"""Scales that are tried where a profile assumes one."""
NARROWING = ((24, 12, 1.0, 0.45), (12, 16, 0.5, 0.3), (8, 16, 0.25, 0.25))
"""Rounds of the search: placements kept, changed how often, how much, and judged how bluntly."""
CHANGES = np.array([0.05, 3.0, 3.0, 2.0, 0.01])
"""Deviations of the changes in the first round."""


@dataclass(frozen=True, eq=False)
class Mat:
    """A mat seen: its origin is its centre, z = 0 is where a tray's face usually lies."""

    fit: PoseFit

    @cached_property
    def _open(self) -> Array:
        """What is open of the view: a unit of each of eight independent changes (8, 8)."""
        values, vectors = np.linalg.eigh(self.fit.covariance)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

    def eyes(self, placements: Array) -> Eyes:
        """Views (batch) of trays that lie like this (batch, 13)."""
        unknowns = self.fit.unknowns + placements[:, OWN:] @ self._open.T
        mat = Eyes.from_unknowns(unknowns, self.fit.base, self.fit.size)
        cos, sin = np.cos(placements[:, TURN]), np.sin(placements[:, TURN])
        zero, one = np.zeros(len(placements)), np.ones(len(placements))
        turn = np.array([[cos, -sin, zero], [sin, cos, zero], [zero, zero, one]]).transpose(2, 0, 1)
        place = mat.to_camera(placements[:, None, ACROSS : HEIGHT + 1])[:, 0]
        scale = np.exp(placements[:, SCALE])[:, None]
        return replace(mat, rotation=mat.rotation @ turn, translation=place / scale)

    def seen(self, placement: Array) -> View:
        """The view of a tray that lies like this."""
        return self.eyes(placement[None]).view(self.fit.size)


def placement_prior(profile: TrayProfile) -> GaussianPrior:
    """Prior of a placement: nothing about the turn."""
    scale = ASSUMED if profile.scale == "assumed" else PRINTED
    own = [np.inf, ASIDE_MM, ASIDE_MM, HEIGHT_MM, scale]
    return GaussianPrior(np.zeros(UNKNOWNS), np.array([*own, *np.ones(VIEW_UNKNOWNS)]))


def first_placements(profile: TrayProfile, middles: Array) -> Array:
    """Placements (n, 13) all around at each of these places (m, 2) on the mat."""
    turn = np.linspace(0.0, 2 * np.pi, TURNS, endpoint=False)
    assumed = profile.scale == "assumed"
    scale = np.linspace(-1.2, 1.2, SCALES) * ASSUMED if assumed else np.zeros(1)
    place, at, size = np.meshgrid(np.arange(len(middles)), turn, scale, indexing="ij")
    found = np.zeros((place.size, UNKNOWNS))
    found[:, TURN] = at.ravel()
    found[:, [ACROSS, UP]] = middles[place.ravel()]
    found[:, SCALE] = size.ravel()
    return found


@cache
def changes(count: int, seed: int) -> Array:
    """Changes (count, 13), always the same: reading a photo again must give the same result."""
    own = np.random.default_rng(seed).normal(size=(count, OWN)) * CHANGES
    return np.concatenate([own, np.zeros((count, VIEW_UNKNOWNS))], axis=1)


def fit_places(mat: Mat, placement: Array, matches: list[Match], prior: GaussianPrior) -> Array:
    """The placement fitted to matched spheres, holes and slots."""
    rounds = Rounds(
        centres=np.array([match.point for match in matches]),
        radii=np.array([match.radius for match in matches]),
        flat=np.array([match.flat for match in matches], dtype=np.float64),
    )
    uv = np.array([match.uv for match in matches])
    sigma = np.array([match.sigma_px for match in matches])[:, None]

    def residuals(batch: Array) -> Array:
        eyes = mat.eyes(batch)
        middle, _ = outlines(eyes, rounds)
        off: Array = ((eyes.to_pixels(middle) - uv) / sigma).reshape(len(batch), -1)
        return off

    return solve(residuals, placement, prior, steps=12).values


def fit_edges(
    mat: Mat,
    smoothed: Floats,
    placement: Array,
    rounds: Rounds,
    prior: GaussianPrior,
    search: EdgeSearch,
) -> Array:
    """The placement drawn to the picture's edges."""
    for spread in search.spreads:
        edges = find_edges(smoothed, mat.seen(placement), rounds, spread, search)

        def residuals(batch: Array, edges: Edges = edges) -> Array:
            return edges.residuals(mat.eyes(batch), rounds)

        found = solve(residuals, placement, prior, bend=2.0, alike=EDGES_ARE_ALIKE, steps=8)
        placement = found.values
    return placement
