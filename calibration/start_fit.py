"""A supposed start pattern drawn to a picture: view, measures of the tray, and how sure they are.

Three steps, each of which starts from what the one before has found: the round marks that stand
for spheres set the view roughly; the seven holes are searched for on the face, where they must
be; then all outlines together are drawn to the picture's edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Pose, View
from calibration.edges import Floats, profile
from calibration.marks import Mark
from calibration.pose import view_prior
from calibration.refine import EDGES_ARE_ALIKE, Edges, find_edges
from calibration.rounds import VIEW_UNKNOWNS, Array, Eyes, Rounds, outlines, reach, turns
from calibration.solve import Prior, Solution, solve
from calibration.start_model import (
    FIFTH,
    GEOMETRY_UNKNOWNS,
    SPHERES,
    START_UNKNOWNS,
    TYPICAL,
    Geometry,
    start_prior,
    start_rounds,
)
from calibration.start_pattern import Placement

Index = NDArray[np.int64]

MATCHED = 0.45
"""A mark stands for a sphere when their centres are nearer than this share of a radius…"""
ALIKE = 0.25
"""… and their radii differ by less than this share."""
EDGE_SPREADS = (0.18, 0.12, 0.08, 0.05, 0.05)
"""How far from an outline its edge is looked for, round by round, in radii."""


@dataclass(frozen=True)
class StartFit:
    """A start pattern in a picture: where it is seen from, and the tray's measures."""

    view: View
    geometry: Geometry
    covariance: Array
    """Of the five unknowns of the geometry."""
    rounds: Rounds
    blur: float
    """Width of the picture's edges, in radii of a sphere."""

    def turned(self) -> "StartFit":
        """The same fit with the tray turned so that slot 0 is the one a hole points to best."""
        geometry, slot = self.geometry.turned()
        if slot == 0:
            return replace(self, geometry=geometry)
        turn = turns(np.array([[0.0, 0.0, -FIFTH * slot]]))[0]
        pose = Pose.of(self.view.pose.rotation @ turn, self.view.pose.tvec)
        centres = self.rounds.centres @ turn
        spheres = np.roll(centres[:SPHERES], -3 * slot, axis=0)
        rounds = replace(self.rounds, centres=np.concatenate([spheres, centres[SPHERES:]]))
        return replace(self, geometry=geometry, view=View(self.view.camera, pose), rounds=rounds)


@dataclass(frozen=True)
class _State:
    """The unknowns of a fit, view first, and the rotation that the view turns from."""

    base: Array
    unknowns: Array
    size: tuple[int, int]

    def eyes(self, batch: Array) -> Eyes:
        return Eyes.from_unknowns(batch[:, :VIEW_UNKNOWNS], self.base, self.size)

    @property
    def view(self) -> View:
        return self.eyes(self.unknowns[None]).view(self.size)

    @property
    def rounds(self) -> Rounds:
        """The round things where the unknowns put them, without a batch axis."""
        found = start_rounds(self.unknowns[None, VIEW_UNKNOWNS:])
        return Rounds(found.centres[0], found.radii[0], found.flat)

    def moved(self, unknowns: Array) -> "_State":
        return _State(self.base, unknowns, self.size)


def fit_to_marks(
    placement: Placement, marks: Sequence[Mark], size: tuple[int, int], focal_px: float | None
) -> tuple[_State, float]:
    """The state that the marks standing for spheres speak for, and the sum of their scores."""
    state = _first_state(placement, size, focal_px)
    prior = _prior(size, focal_px)
    places = np.array([(mark.u, mark.v, mark.radius) for mark in marks])
    scores = np.array([mark.score for mark in marks])
    found = 0.0
    for _ in range(3):
        owner, chosen = _matches(state, places)
        found = float(scores[chosen].sum())
        if len(owner) < 5:
            break
        state = state.moved(_fit_places(state, places[chosen], owner, prior).values)
    return state, found


def distinct(states: Sequence[_State]) -> list[_State]:
    """The states without those that show nearly the same as an earlier one."""
    kept: list[_State] = []
    seen: list[Array] = []
    for state in states:
        centres, radii = (part[0] for part in _discs(state, state.unknowns[None]))
        apart = [np.linalg.norm(centres[:, None] - other, axis=-1) for other in seen]
        if not any(np.median(gap.min(axis=1) / radii) < 0.3 for gap in apart):
            kept.append(state)
            seen.append(centres)
    return kept


def fit_to_picture(smoothed: Floats, state: _State, focal_px: float | None) -> StartFit:
    """The state with its holes found and everything drawn to the picture's edges."""
    prior = _prior(state.size, focal_px)
    state = state.moved(find_holes(smoothed, state))
    for spread in EDGE_SPREADS:
        edges = find_edges(smoothed, state.view, state.rounds, spread)
        solution = _fit_edges(state, edges, prior)
        state = state.moved(solution.values)
    which = slice(VIEW_UNKNOWNS, VIEW_UNKNOWNS + GEOMETRY_UNKNOWNS)
    _, radius = _discs(state, solution.values[None])
    widening = max(1.0, solution.scatter) ** 2
    return StartFit(
        view=state.view,
        geometry=Geometry.of(solution.values[which]),
        covariance=solution.covariance[which, which] * widening,
        rounds=state.rounds,
        blur=edges.blur_px / float(radius[0].mean()),
    )


def _first_state(placement: Placement, size: tuple[int, int], focal_px: float | None) -> _State:
    rotation = placement.rotation
    shift = placement.centre - rotation[:, 2] * TYPICAL.level_one
    log_focal = view_prior(size, focal_px).mean[6]
    lengths = np.log([TYPICAL.pitch, TYPICAL.hole, placement.slot_radius, placement.slot_step])
    unknowns = np.zeros(VIEW_UNKNOWNS + START_UNKNOWNS)
    unknowns[3:7] = [*shift, log_focal]
    unknowns[VIEW_UNKNOWNS : VIEW_UNKNOWNS + 4] = lengths
    return _State(rotation, unknowns, size)


def _prior(size: tuple[int, int], focal_px: float | None) -> Prior:
    view, start = view_prior(size, focal_px), start_prior()
    return Prior(
        np.concatenate([view.mean, start.mean]), np.concatenate([view.spread, start.spread])
    )


def _discs(state: _State, batch: Array) -> tuple[Array, Array]:
    """Centres ``(batch, 15, 2)`` and radii ``(batch, 15)`` in pixels of the spheres' outlines."""
    eyes = state.eyes(batch)
    every = start_rounds(batch[:, VIEW_UNKNOWNS:])
    spheres = Rounds(every.centres[:, :SPHERES], every.radii[:, :SPHERES], every.flat[:SPHERES])
    middle, spread = outlines(eyes, spheres)
    area = np.maximum(np.linalg.det(spread), 1e-18)
    return eyes.to_pixels(middle), eyes.focal[:, None] * area**0.25


def _matches(state: _State, places: Array) -> tuple[Index, Index]:
    """Indices of the spheres that a mark stands for, and of those marks; each used once."""
    centres, radii = (part[0] for part in _discs(state, state.unknowns[None]))
    apart = np.linalg.norm(centres[:, None] - places[None, :, :2], axis=-1) / radii[:, None]
    unlike = np.abs(np.log(places[None, :, 2] / radii[:, None]))
    cost = np.where((apart < MATCHED) & (unlike < ALIKE), apart / MATCHED + unlike / ALIKE, np.inf)
    mark = cost.argmin(axis=1)
    sphere = np.flatnonzero(np.isfinite(cost.min(axis=1)))
    return sphere, mark[sphere]


def _fit_places(state: _State, places: Array, owner: Index, prior: Prior) -> Solution:
    sigma = 0.08 * places[:, 2]

    def residuals(batch: Array) -> Array:
        centres, radii = _discs(state, batch)
        off = (centres[:, owner] - places[:, :2]) / sigma[:, None]
        size = (radii[:, owner] - places[:, 2]) / sigma
        return np.concatenate([off.reshape(len(batch), -1), size], axis=1)

    return solve(residuals, state.unknowns, prior, bend=1.5, steps=12)


def _fit_edges(state: _State, edges: Edges, prior: Prior) -> Solution:
    def residuals(batch: Array) -> Array:
        return edges.residuals(state.eyes(batch), start_rounds(batch[:, VIEW_UNKNOWNS:]))

    return solve(residuals, state.unknowns, prior, bend=2.0, alike=EDGES_ARE_ALIKE, steps=8)


@dataclass(frozen=True)
class HoleSearch:
    """The grid on which the ring of holes is looked for (sphere diameters, radians)."""

    pitches: tuple[float, ...] = tuple(np.arange(1.0, 1.5, 0.035).tolist())
    holes: tuple[float, ...] = tuple(np.arange(0.4, 0.97, 0.05).tolist())
    rings: tuple[float, ...] = tuple(np.radians(np.arange(-30, 30, 3.0)).tolist())
    samples: int = 20
    edge_floor: float = 4.0


HOLE_SEARCH = HoleSearch()


def find_holes(smoothed: Floats, state: _State, search: HoleSearch = HOLE_SEARCH) -> Array:
    """The unknowns with the pitch, hole and turn of the ring whose rims the picture shows best."""
    pitch, hole, ring = (
        axis.ravel() for axis in np.meshgrid(search.pitches, search.holes, search.rings)
    )
    apart = pitch > hole + 0.05  # rims do not touch
    pitch, hole, ring = pitch[apart], hole[apart], ring[apart]
    trials = np.repeat(state.unknowns[None], len(pitch), axis=0)
    trials[:, VIEW_UNKNOWNS] = np.log(pitch)
    trials[:, VIEW_UNKNOWNS + 1] = np.log(hole)
    trials[:, VIEW_UNKNOWNS + 4] = ring
    # A sphere in a wider hole sits lower: keep the spheres where they are and move the face.
    normal = state.eyes(trials[:1]).rotation[0, :, 2]
    low = np.exp(state.unknowns[VIEW_UNKNOWNS + 1])
    lift = np.sqrt(1 - low**2) / 2 - np.sqrt(1 - hole**2) / 2
    trials[:, 3:6] += lift[:, None] * normal
    strength = _rim_strength(smoothed, state, trials, search)
    support = strength / (strength + search.edge_floor)
    best = int(support.mean(axis=(1, 2)).argmax())
    found: Array = trials[best]
    return found


def _rim_strength(smoothed: Floats, state: _State, trials: Array, search: HoleSearch) -> Array:
    """Strength of the picture's edge at each sample of each rim: ``(trials, holes, samples)``."""
    eyes = state.eyes(trials)
    every = start_rounds(trials[:, VIEW_UNKNOWNS:])
    rims = Rounds(every.centres[:, SPHERES:], every.radii[:, SPHERES:], every.flat[SPHERES:])
    middle, spread = outlines(eyes, rims)
    turn = np.linspace(0, 2 * np.pi, search.samples, endpoint=False)
    normals = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    extent = reach(spread[:, :, None], normals)
    rim = middle[:, :, None] + np.einsum("bnij,kj->bnki", spread, normals) / extent[..., None]
    pixels = eyes.to_pixels(rim.reshape(len(trials), -1, 2)).reshape(-1, 2)
    along = np.tile(normals, (len(pixels) // len(normals), 1))
    found = profile(smoothed, pixels, along, reach=0.5, step=1.0)
    strongest: Array = found.strength.max(axis=1).reshape(*extent.shape)
    return strongest
