"""The pattern in the picture itself: whether there are edges where a view puts holes and slots.

The five ways to turn a tray agree in the slots and differ by 12° in the middle, where peaks alone
may not tell them apart. But at each of the seven holes there is either a rim or a sphere, and the
long sides of slots are where no sphere hides them.
"""

from functools import cache

import numpy as np

from calibration.camera import View
from calibration.dimension.geometry import seat_array, slot_axis
from calibration.dimension.profile import TrayProfile
from calibration.edges import Floats, changes_along, strongest
from calibration.ellipses import Array, Rounds
from calibration.refine import EdgeSearch, inside_outlines, outline_support
from rules.dimension.places import HOLES, SLOTS
from vision.dimension.locating.matching import hole_places

SEARCH = EdgeSearch(per_round=20, support_spread=0.1)
WIDER = (1.6, 1.9)
"""Radii, in those of a hole, at which a tray has no more edges than elsewhere."""
PER_SIDE = 9
"""Samples along each long side of a slot."""
ENOUGH_SAMPLES = 6
TYPICAL_SIDES = 0.74
"""Taken where spheres hide nearly all sides of slots: the median of right views."""


def _turns() -> Array:
    """Matrices (5, 3, 3) that turn places on the tray, from the right, by none to four slots."""
    angles = np.radians(72 * np.arange(SLOTS))
    turns = np.zeros((5, 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(angles)
    turns[:, 0, 1], turns[:, 1, 0], turns[:, 2, 2] = np.sin(angles), -np.sin(angles), 1.0
    return turns


_TURNS = _turns()


def middle_supports(smoothed: Floats, view: View, profile: TrayProfile, above: Array) -> Array:
    """Support (5,) of the seven holes by edges: as they are, and turned by each slot.

    Each is the mean over the holes: of the rim or of a sphere in it, whichever has more support.
    Spheres ``above`` (n, 3) are in the way: what they hide speaks neither for a view nor against.
    """
    seats, holes = seat_array(profile)[:HOLES] @ _TURNS, hole_places(profile) @ _TURNS  # (5, 7, 3)
    ones = np.ones(holes.shape[:2])
    rims = Rounds(holes.reshape(-1, 3), profile.hole_mm / 2 * ones.ravel(), ones.ravel())
    in_rims = _support(smoothed, view, profile, rims, above).reshape(ones.shape)
    radii = profile.sphere_radius_mm * ones
    in_spheres = [
        _support(smoothed, view, profile, Rounds(*spheres), above)
        for spheres in zip(seats, radii, 0 * ones, strict=True)
    ]
    best = np.fmax(in_rims, in_spheres)
    seen = np.isfinite(best)
    return np.asarray(np.nansum(best, axis=1) / np.maximum(seen.sum(axis=1), 1))


def contrast(smoothed: Floats, view: View, profile: TrayProfile, above: Array) -> float:
    """By how much the support of the seven holes exceeds that of wider circles around them.

    Where edges are everywhere, as in noise, any circle has support.
    """
    ones = np.ones(HOLES)
    wider = [
        Rounds(hole_places(profile), factor * profile.hole_mm / 2 * ones, ones) for factor in WIDER
    ]
    found = [np.nan_to_num(outline_support(smoothed, view, one, SEARCH)).mean() for one in wider]
    return float(middle_supports(smoothed, view, profile, above)[0] - max(found))


def _support(
    smoothed: Floats, view: View, profile: TrayProfile, rounds: Rounds, above: Array
) -> Array:
    """Support (n,) of the outlines of round things, as far as no sphere above hides them."""
    count = len(above)
    everything = Rounds(
        centres=np.concatenate([rounds.centres, above]),
        radii=np.concatenate([rounds.radii, np.full(count, profile.sphere_radius_mm)]),
        flat=np.concatenate([rounds.flat, np.zeros(count)]),
    )
    return outline_support(smoothed, view, everything, SEARCH)[: len(rounds.radii)]


def side_support(smoothed: Floats, view: View, profile: TrayProfile, spheres: Array) -> float:
    """Share of the slots' long sides, as far as no sphere (n, 3) hides them, that lie on edges."""
    places, outwards = _sides(profile)
    pixels = view.project(places)
    normals = view.project(places + outwards) - pixels
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    height, width = smoothed.shape[:2]
    seen = ((pixels > 1) & (pixels < np.array([width, height]) - 2)).all(axis=1)
    if len(spheres):
        seen &= ~inside_outlines(view, spheres, profile.sphere_radius_mm, np.nan_to_num(pixels))
    if seen.sum() < ENOUGH_SAMPLES:
        return TYPICAL_SIDES
    radius = view.pixels_per_mm(places[seen]) * profile.sphere_radius_mm
    spread = np.maximum(SEARCH.support_spread * radius, 1.0)
    found = changes_along(smoothed, pixels[seen], normals[seen], 2 * float(spread.max()))
    offset, strength = strongest(found, spread)
    there = strength / (strength + 2 * SEARCH.edge_floor) * np.exp(-0.5 * (offset / spread) ** 2)
    return float(there.mean())


@cache
def _sides(profile: TrayProfile) -> tuple[Array, Array]:
    """Places (N, 3) along the long sides of the slots, and the direction (N, 3) out of the slot."""
    places, outwards = [], []
    along = np.linspace(-1, 1, PER_SIDE)[:, None] * profile.slot_step_mm
    for slot in range(SLOTS):
        middle, axis = map(np.asarray, slot_axis(profile, slot))
        for side in (1.0, -1.0):
            out = side * np.array([-axis[1], axis[0]])
            places.append(middle + along * axis + profile.hole_mm / 2 * out)
            outwards.append(np.tile(out, (PER_SIDE, 1)))
    flat = np.zeros((len(places) * PER_SIDE, 1))
    return np.hstack([np.concatenate(places), flat]), np.hstack([np.concatenate(outwards), flat])
