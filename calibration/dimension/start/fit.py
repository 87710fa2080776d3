"""Fits a start pattern to a picture: view, measures of the tray, and how sure they are.

Three steps, each of which starts from what the one before has found: the round marks that stand
for spheres set the view roughly; the seven holes are searched for on the face, where they must
be; then all outlines together are drawn to the picture's edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Pose, View
from calibration.dimension.start.initial_guesses import find_slides, starts
from calibration.dimension.start.model import (
    BLOOM,
    DEPTH,
    FIFTH,
    FLOOR,
    GEOMETRY_UNKNOWNS,
    SLIDES,
    START_UNKNOWNS,
    TYPICAL,
    USUAL_BLOOM,
    Geometry,
    State,
    start_prior,
    start_rounds,
    with_floors,
)
from calibration.dimension.start.pattern import Placement
from calibration.dimension.start.rims import (
    LIMB_SPREAD,
    SHARP_PX,
    spreading,
    start_edges,
    start_support,
)
from calibration.edges import Floats
from calibration.ellipses import VIEW_UNKNOWNS, Array, Rounds, turns
from calibration.marks import Mark
from calibration.pose import view_prior
from calibration.refine import EDGES_ARE_ALIKE, Edges
from calibration.solve import FitSolution, GaussianPrior, solve
from rules.dimension.places import SLOT_PLACES, SPHERES

Index = NDArray[np.int64]

MATCHED = 0.45
"""A mark stands for a sphere when their centres are nearer than this share of a radius…"""
ALIKE = 0.25
"""… and their radii differ by less than this share."""
FIRST_SPREADS = (0.12, 0.08)
LAST_SPREADS = (0.05, 0.04, 0.04)
"""How far from an outline its edge is looked for, round by round, in radii: at first for every
start, then for the best one."""
FREE_SLIDE = 0.3
"""Standard deviation of the place of a sphere that is known to have slid."""


@dataclass(frozen=True)
class StartFit:
    """A start pattern in a picture: where it is seen from, and the tray's measures."""

    view: View
    geometry: Geometry
    covariance: Array
    """Of the five unknowns of the geometry."""
    rounds: Rounds
    seen: Rounds
    """What is seen of them: the floors of the holes as well."""
    blur: float
    """Width of the picture's edges, in radii of a sphere."""

    def turned(self) -> "StartFit":
        """The same fit with the tray turned so that slot 0 is the one a hole points to best."""
        geometry, slot = self.geometry.turned()
        if slot == 0:
            return replace(self, geometry=geometry)
        turn = turns(np.array([[0.0, 0.0, -FIFTH * slot]]))[0]
        pose = Pose.of(self.view.pose.rotation @ turn, self.view.pose.tvec)
        return replace(
            self,
            geometry=geometry,
            view=View(self.view.camera, pose),
            rounds=_turned(self.rounds, turn, slot),
            seen=_turned(self.seen, turn, slot),
        )


def _turned(rounds: Rounds, turn: Array, slot: int) -> Rounds:
    """The round things in the turned frame, the spheres counted from this slot."""
    centres = rounds.centres @ turn
    spheres = np.roll(centres[:SPHERES], -SLOT_PLACES * slot, axis=0)
    return replace(rounds, centres=np.concatenate([spheres, centres[SPHERES:]]))


def fit_to_marks(
    placement: Placement, marks: Sequence[Mark], size: tuple[int, int], focal_px: float | None
) -> tuple[State, float]:
    """The state fitted to the marks that stand for spheres, and the sum of their scores."""
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


def distinct(states: Sequence[State]) -> list[State]:
    """The states without near duplicates of earlier ones."""
    kept: list[State] = []
    seen: list[Array] = []
    for state in states:
        centres, radii = (part[0] for part in state.discs(state.unknowns[None]))
        apart = [np.linalg.norm(centres[:, None] - other, axis=-1) for other in seen]
        if not any(np.median(gap.min(axis=1) / radii) < 0.3 for gap in apart):
            kept.append(state)
            seen.append(centres)
    return kept


def fit_to_picture(smoothed: Floats, state: State, focal_px: float | None) -> StartFit:
    """The state with its holes found and everything drawn to the picture's edges.

    A shadow beside a sphere and the lit floor of a hole have edges too, and a fit that starts
    near them stays there. So several starts are drawn, and the one with most support goes on.
    """
    prior = _prior(state.size, focal_px)
    drawn = [_drawn(smoothed, start, prior) for start in starts(smoothed, state)]
    state = max(drawn, key=lambda start: _support(smoothed, start))
    state, prior = _slid(smoothed, state, prior)
    for spread in LAST_SPREADS:
        solution, edges = _draw(smoothed, state, spread, prior)
        state = state.moved(solution.values)
    which = slice(VIEW_UNKNOWNS, VIEW_UNKNOWNS + GEOMETRY_UNKNOWNS)
    _, radius = state.discs(solution.values[None])
    size = float(radius[0].mean())
    # Edges that scatter more than noise are of something else, a shadow or a printed line, and such
    # edges pull together: more than by their scatter the fit is unsure by its square.
    covariance = solution.covariance[which, which] * max(1.0, solution.scatter) ** 4
    # A wrong size of spheres is in all lengths.
    covariance[:4, :4] += (LIMB_SPREAD * min(edges.blur_px, SHARP_PX) / size) ** 2
    return StartFit(
        view=state.view,
        geometry=Geometry.of(solution.values[which]),
        covariance=covariance,
        rounds=state.rounds,
        seen=state.seen,
        blur=edges.blur_px / size,
    )


def _slid(smoothed: Floats, state: State, prior: GaussianPrior) -> tuple[State, GaussianPrior]:
    """The state with spheres where they have slid to, and the belief that those have."""
    slides = find_slides(smoothed, state)
    unknowns, spread = state.unknowns.copy(), prior.spread.copy()
    unknowns[VIEW_UNKNOWNS + SLIDES :] += slides
    spread[VIEW_UNKNOWNS + SLIDES :][slides != 0.0] = FREE_SLIDE
    return state.moved(unknowns), replace(prior, spread=spread)


def _drawn(smoothed: Floats, state: State, prior: GaussianPrior) -> State:
    for spread in FIRST_SPREADS:
        state = state.moved(_draw(smoothed, state, spread, prior)[0].values)
    return state


def _draw(
    smoothed: Floats, state: State, spread: float, prior: GaussianPrior
) -> tuple[FitSolution, Edges]:
    """The state fitted to the edges that are found within this spread, and those edges."""
    edges = start_edges(smoothed, state.view, state.seen, spread)
    bloom = spreading(smoothed, edges) / edges.sigma

    def residuals(batch: Array) -> Array:
        unknowns = batch[:, VIEW_UNKNOWNS:]
        seen = with_floors(start_rounds(unknowns), unknowns)
        return edges.residuals(state.eyes(batch), seen) - unknowns[:, BLOOM, None] * bloom

    return solve(residuals, state.unknowns, prior, bend=2.0, alike=EDGES_ARE_ALIKE, steps=6), edges


def _first_state(placement: Placement, size: tuple[int, int], focal_px: float | None) -> State:
    rotation = placement.rotation
    shift = placement.centre - rotation[:, 2] * TYPICAL.level_one
    log_focal = view_prior(size, focal_px).mean[6]
    lengths = np.log([TYPICAL.pitch, TYPICAL.hole, placement.slot_radius, placement.slot_step])
    unknowns = np.zeros(VIEW_UNKNOWNS + START_UNKNOWNS)
    unknowns[3:7] = [*shift, log_focal]
    unknowns[VIEW_UNKNOWNS : VIEW_UNKNOWNS + 4] = lengths
    unknowns[VIEW_UNKNOWNS + FLOOR] = DEPTH
    unknowns[VIEW_UNKNOWNS + BLOOM] = USUAL_BLOOM
    return State(rotation, unknowns, size)


def _prior(size: tuple[int, int], focal_px: float | None) -> GaussianPrior:
    view, start = view_prior(size, focal_px), start_prior()
    return GaussianPrior(
        np.concatenate([view.mean, start.mean]), np.concatenate([view.spread, start.spread])
    )


def _matches(state: State, places: Array) -> tuple[Index, Index]:
    """Indices of the spheres that a mark stands for, and of those marks; each used once."""
    centres, radii = (part[0] for part in state.discs(state.unknowns[None]))
    apart = np.linalg.norm(centres[:, None] - places[None, :, :2], axis=-1) / radii[:, None]
    unlike = np.abs(np.log(places[None, :, 2] / radii[:, None]))
    cost = np.where((apart < MATCHED) & (unlike < ALIKE), apart / MATCHED + unlike / ALIKE, np.inf)
    mark = cost.argmin(axis=1)
    sphere = np.flatnonzero(np.isfinite(cost.min(axis=1)))
    return sphere, mark[sphere]


def _fit_places(state: State, places: Array, owner: Index, prior: GaussianPrior) -> FitSolution:
    sigma = 0.08 * places[:, 2]

    def residuals(batch: Array) -> Array:
        centres, radii = state.discs(batch)
        off = (centres[:, owner] - places[:, :2]) / sigma[:, None]
        size = (radii[:, owner] - places[:, 2]) / sigma
        return np.concatenate([off.reshape(len(batch), -1), size], axis=1)

    return solve(residuals, state.unknowns, prior, bend=1.5, steps=12)


def _support(smoothed: Floats, state: State) -> float:
    found = start_support(smoothed, state.view, state.seen)
    return float(np.nan_to_num(found).mean())
