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
from calibration.dimension.geometry import seat_array
from calibration.dimension.outline import inside_by
from calibration.dimension.profile import TrayProfile
from calibration.refine import inside_outlines
from rules.dimension.places import HOLES, SLOTS
from vision.dimension.observing.outline_samples import TONES, Flags, Picture
from vision.dimension.observing.slots import along_slot

SPACING = 0.3
"""Distance of neighbouring points, in diameters of a sphere."""
CLEARANCE = 0.13
"""Points keep this far from rims, in diameters: rims are rounded, and views are not exact."""
NEAR_SPHERE = 1.12
"""Radii of a sphere within which its edge may spoil a point."""

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
    reach = profile.slot_radius_mm + profile.sphere_mm
    count = int(np.ceil(reach / step))
    i, j = np.meshgrid(np.arange(-2 * count, 2 * count + 1), np.arange(-count, count + 1) * 1.0)
    grid = np.stack([(i + 0.5 * (j % 2)) * step, j * step * 3**0.5 / 2], axis=-1).reshape(-1, 2)
    grid = grid[_on_face(profile, grid)]
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


def _on_face(profile: TrayProfile, points: FloatArray) -> Flags:
    """Which points (n, 2) lie well within the outline; if it is unknown, within the slots."""
    if profile.outline is None:
        return np.asarray(np.linalg.norm(points, axis=1) < profile.slot_radius_mm)
    inside = inside_by(profile.outline, profile.slot0_deg, points)
    return np.asarray(inside > CLEARANCE * profile.sphere_mm)


def look_at_face(
    picture: Picture, view: View, profile: TrayProfile, spheres: FloatArray
) -> FaceLook:
    """What a picture shows of the face past these spheres (n, 3)."""
    face = look_at_points(picture, view, face_points(profile))
    hidden = behind_spheres(view, profile, spheres, face_points(profile))
    return FaceLook(face.tones, face.seen & ~hidden)


def look_at_points(picture: Picture, view: View, points: FloatArray) -> FaceLook:
    """What a picture shows at points (n, 3), hidden or not."""
    pixels = np.nan_to_num(view.project(points), nan=-1.0)
    height, width = picture.shape[:2]
    inside = (pixels >= 1) & (pixels <= (width - 2, height - 2))
    at = pixels.astype(np.float32)
    sampled = cv2.remap(
        picture, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    tones = TONES[np.asarray(sampled, np.uint8).reshape(-1, 3)[:, ::-1]]
    return FaceLook(tones, np.asarray(inside.all(axis=1)))


def behind_spheres(
    view: View, profile: TrayProfile, spheres: FloatArray, points: FloatArray
) -> Flags:
    """Which points (n, 3) of the face are hidden, or nearly, by spheres (m, 3)."""
    if not len(spheres):
        return np.zeros(len(points), bool)
    pixels = np.nan_to_num(view.project(points), nan=-1.0)
    return inside_outlines(view, spheres, NEAR_SPHERE * profile.sphere_radius_mm, pixels)
