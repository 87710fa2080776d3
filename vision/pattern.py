"""The pattern in the picture itself: whether there are edges where a view puts holes and slots.

The five ways to turn a tray agree in the slots and differ by 12° in the middle, where peaks alone
may not tell them apart. But at each of the seven holes there is either a rim or a sphere, and the
long sides of slots are where no sphere hides them.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from calibration.camera import View
from calibration.edges import Floats, profile, strongest
from calibration.profile import TrayProfile, seat_array, slot_axis
from calibration.refine import EdgeSearch, inside_outlines, outline_support
from calibration.rounds import Array, Rounds
from vision.matching import HOLES, hole_places

SEARCH = EdgeSearch(per_round=20, support_spread=0.1)
WIDER = (1.6, 1.9)
"""Radii, in those of a hole, at which a tray has no more edges than elsewhere."""
PER_SIDE = 9
"""Samples along each long side of a slot."""
ENOUGH_SAMPLES = 6
TYPICAL_SIDES = 0.74
"""Taken where spheres hide nearly all sides of slots: the median of right views."""


def middle_support(smoothed: Floats, view: View, tray: TrayProfile) -> float:
    """Mean over the seven holes of how well a rim, or a sphere in it, is borne out by edges."""
    ones = np.ones(HOLES)
    spheres = Rounds(seat_array(tray)[:HOLES], tray.sphere_radius_mm * ones, 0 * ones)
    rims = replace(spheres, centres=hole_places(tray), radii=tray.hole_mm / 2 * ones, flat=ones)
    found = np.stack([outline_support(smoothed, view, kind, SEARCH) for kind in (spheres, rims)])
    return float(np.nan_to_num(found).max(axis=0).mean())


def contrast(smoothed: Floats, view: View, tray: TrayProfile) -> float:
    """By how much better the seven holes are borne out than wider circles around them.

    Where there are edges everywhere, as in noise, any circle is borne out.
    """
    ones = np.ones(HOLES)
    wider = [Rounds(hole_places(tray), factor * tray.hole_mm / 2 * ones, ones) for factor in WIDER]
    found = [np.nan_to_num(outline_support(smoothed, view, one, SEARCH)).mean() for one in wider]
    return middle_support(smoothed, view, tray) - float(max(found))


def side_support(smoothed: Floats, view: View, tray: TrayProfile, spheres: Array) -> float:
    """Share of the slots' long sides, as far as no sphere (n, 3) hides them, that lie on edges."""
    places, outwards = _sides(tray)
    pixels = view.project(places)
    normals = view.project(places + outwards) - pixels
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    height, width = smoothed.shape[:2]
    seen = ((pixels > 1) & (pixels < np.array([width, height]) - 2)).all(axis=1)
    if len(spheres):
        seen &= ~inside_outlines(view, spheres, tray.sphere_radius_mm, np.nan_to_num(pixels))
    if seen.sum() < ENOUGH_SAMPLES:
        return TYPICAL_SIDES
    radius = view.pixels_per_mm(places[seen]) * tray.sphere_radius_mm
    spread = np.maximum(SEARCH.support_spread * radius, 1.0)
    found = profile(smoothed, pixels[seen], normals[seen], 2 * float(spread.max()))
    offset, strength = strongest(found, spread)
    there = strength / (strength + 2 * SEARCH.edge_floor) * np.exp(-0.5 * (offset / spread) ** 2)
    return float(there.mean())


@cache
def _sides(tray: TrayProfile) -> tuple[Array, Array]:
    """Places (N, 3) along the long sides of the slots, and the direction (N, 3) out of the slot."""
    places, outwards = [], []
    along = np.linspace(-1, 1, PER_SIDE)[:, None] * tray.slot_step_mm
    for slot in range(5):
        middle, axis = map(np.asarray, slot_axis(tray, slot))
        for side in (1.0, -1.0):
            out = side * np.array([-axis[1], axis[0]])
            places.append(middle + along * axis + tray.hole_mm / 2 * out)
            outwards.append(np.tile(out, (PER_SIDE, 1)))
    flat = np.zeros((len(places) * PER_SIDE, 1))
    return np.hstack([np.concatenate(places), flat]), np.hstack([np.concatenate(outwards), flat])
