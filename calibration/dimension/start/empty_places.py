"""Which storage places are empty: where a sphere lies, the sides of its slot cannot be seen.

An outline alone is weak evidence for a black sphere in a dark slot. But a slot's two long sides
run right through the place; if their edges are there, the sphere is not. (On the development
photos not held back: of 486 empty places all show their sides better than the outline of a
sphere, by 0.12 or more; of 549 spheres none, by 0.15.)
"""

import numpy as np
from numpy.typing import NDArray

from calibration.dimension.start.fit import StartFit
from calibration.dimension.start.model import FIFTH
from calibration.edges import Array, Floats, changes_along, strongest
from calibration.refine import SEARCH, EdgeSearch, inside_outlines
from rules.dimension.places import SLOT_PLACES, SPHERES

SAMPLES = 14
REACH = 0.33
"""How far along its slot a place's sides are looked at, in sphere diameters."""
WITHIN = 0.92
"""Sides are looked at well within the outline of the sphere that would hide them."""
FEWEST = 6


def empty_places(
    smoothed: Floats, fit: StartFit, outline_support: Array, search: EdgeSearch = SEARCH
) -> NDArray[np.bool_]:
    """For each of the fifteen places whether its slot's sides speak against a sphere there."""
    return np.array(
        [
            _side_support(smoothed, fit, place, search) > outline_support[place]
            for place in range(SPHERES)
        ]
    )


def _side_support(smoothed: Floats, fit: StartFit, place: int, search: EdgeSearch) -> float:
    """Share of the slot's sides at this place at which the picture has an edge; NaN if unseen."""
    sides, across = _sides(fit, place)
    pixels = fit.view.project(sides)
    normals = fit.view.project(sides + across) - pixels
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    spheres = fit.rounds.centres[:SPHERES]
    others = np.delete(spheres, place, axis=0)
    seen = inside_outlines(fit.view, spheres[place : place + 1], 0.5 * WITHIN, pixels)
    seen &= ~inside_outlines(fit.view, others, 0.5, pixels)
    if seen.sum() < FEWEST:
        return float("nan")
    radius = 0.5 * float(fit.view.pixels_per_mm(spheres[place : place + 1])[0])
    spread = search.support_spread * radius
    found = changes_along(smoothed, pixels[seen], normals[seen], max(2.0, 2 * spread))
    offset, strength = strongest(found, max(spread, 1.0))
    there = strength / (strength + 2 * search.edge_floor)
    return float((there * np.exp(-0.5 * (offset / spread) ** 2)).mean())


def _sides(fit: StartFit, place: int) -> tuple[Array, Array]:
    """Points (n, 3) on the face along both sides of a slot at a place, and the way across it."""
    angle = np.pi / 2 - FIFTH * (place // SLOT_PLACES)
    outward = np.array([np.cos(angle), np.sin(angle), 0.0])
    along = np.array([np.sin(angle), -np.cos(angle), 0.0])
    middle = fit.rounds.centres[place] * (1.0, 1.0, 0.0)
    steps = np.linspace(-REACH, REACH, SAMPLES)[:, None] * along
    half = fit.geometry.hole / 2 * outward
    return np.concatenate([middle + steps - half, middle + steps + half]), 0.01 * outward
