"""The tray's face between its holes and slots: what every frame shows of it if nothing covers it.

Where spheres lie is known, and what they hide of the face is computed. All else of it must look
as a face does; where it does not, something is in the way.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray, View
from calibration.profile import TrayProfile, seat_array
from calibration.refine import inside_outlines
from vision.looks import TONES, Flags, Picture
from vision.storage import SLOTS, along_slot

SPACING = 0.3
"""Distance of neighbouring points, in diameters of a sphere."""
CLEARANCE = 0.13
"""Points keep this far from rims, in diameters: they are rounded, and a view is not exact."""
NEAR_SPHERE = 1.12
"""Radii of a sphere within which its edge may spoil a point."""
HOLES = 7

Tones = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class FaceLook:
    """What a picture shows at the points of a tray's face: tones (n, 3), and which are seen."""

    tones: Tones
    seen: Flags


@cache
def face_points(profile: TrayProfile) -> FloatArray:
    """Points (n, 3) of the face, evenly spread, none in or near a hole or slot."""
    step = SPACING * profile.sphere_mm
    reach = profile.slot_radius_mm + profile.hole_mm / 2
    count = int(np.ceil(reach / step))
    i, j = np.meshgrid(np.arange(-2 * count, 2 * count + 1), np.arange(-count, count + 1) * 1.0)
    grid = np.stack([(i + 0.5 * (j % 2)) * step, j * step * 3**0.5 / 2], axis=-1).reshape(-1, 2)
    grid = grid[np.linalg.norm(grid, axis=1) < reach]
    room = profile.hole_mm / 2 + CLEARANCE * profile.sphere_mm
    holes = seat_array(profile)[:HOLES, :2]
    free = np.linalg.norm(grid[:, None] - holes, axis=-1).min(axis=1) > room
    for slot in range(SLOTS):
        start, end = (along_slot(profile, slot, at)[:2] for at in (-1.0, 1.0))
        along = end - start
        share = np.clip((grid - start) @ along / (along @ along), 0.0, 1.0)
        free &= np.linalg.norm(grid - start - share[:, None] * along, axis=1) > room
    chosen = grid[free]
    return np.column_stack([chosen, np.zeros(len(chosen))])


def look_at_face(
    picture: Picture, view: View, profile: TrayProfile, spheres: FloatArray
) -> FaceLook:
    """What a picture shows of the face past these spheres (n, 3)."""
    points = view.project(face_points(profile))
    height, width = picture.shape[:2]
    inside = (points >= 1) & (points <= (width - 2, height - 2))
    seen = np.asarray(inside.all(axis=1))
    if len(spheres):
        radius = NEAR_SPHERE * profile.sphere_radius_mm
        seen = seen & ~inside_outlines(view, spheres, radius, np.nan_to_num(points, nan=-1.0))
    at = np.nan_to_num(points, nan=-1.0).astype(np.float32)
    sampled = cv2.remap(
        picture, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return FaceLook(TONES[np.asarray(sampled, np.uint8).reshape(-1, 3)[:, ::-1]], seen)
