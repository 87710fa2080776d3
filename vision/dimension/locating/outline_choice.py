"""Which outline a tray has: trays that differ in nothing else are told apart by it."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from calibration.camera import View
from calibration.dimension.outline import outline_points
from calibration.dimension.profile import TrayProfile
from calibration.edges import Floats, changes_along, strongest
from calibration.ellipses import Array

SPACING = 0.2
"""Distance of samples along an outline, in spheres."""
ASTRAY = 0.15
"""How far from its place an outline's edge may be, in radii of a sphere."""
EDGE_FLOOR = 2.0
"""A change of the picture that counts half as an edge (of 255 a pixel)."""


def likeliest(smoothed: Floats, view: View, profiles: Sequence[TrayProfile]) -> TrayProfile:
    """The profile whose outline the picture has edges along; the first if none has an outline."""
    if len(profiles) == 1:
        return profiles[0]
    return max(profiles, key=lambda profile: outline_edges(smoothed, view, profile))


def outline_edges(smoothed: Floats, view: View, profile: TrayProfile) -> float:
    """Share of the tray's outline, as far as it is in the picture, that lies on an edge."""
    if profile.outline is None:
        return 0.0
    pixels = view.project(_rim(profile))
    normals = _normals(pixels)
    height, width = smoothed.shape[:2]
    seen = ((pixels > 1) & (pixels < np.array([width, height]) - 2)).all(axis=1)
    if not seen.any():
        return 0.0
    radius = float(view.pixels_per_mm(np.zeros(3))[0]) * profile.sphere_radius_mm
    reach = max(1.0, ASTRAY * radius)
    found = changes_along(smoothed, pixels[seen], normals[seen], 2 * reach)
    offset, strength = strongest(found, np.full(int(seen.sum()), reach))
    there = strength / (strength + 2 * EDGE_FLOOR) * np.exp(-0.5 * (offset / reach) ** 2)
    return float(there.mean())


@cache
def _rim(profile: TrayProfile) -> Array:
    """Points (N, 3) along the tray's outline."""
    assert profile.outline is not None
    rim = outline_points(profile.outline, profile.slot0_deg, SPACING * profile.sphere_mm)
    return np.column_stack([rim, np.zeros(len(rim))])


def _normals(curve: Array) -> Array:
    """Unit normals (N, 2) of a closed curve of points."""
    along = np.roll(curve, -1, axis=0) - np.roll(curve, 1, axis=0)
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    length = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    return np.asarray(normals / length)
