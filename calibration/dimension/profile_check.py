"""Checks that a well-written profile describes a tray on which spheres can lie."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import hypot, sqrt
from typing import TYPE_CHECKING

import numpy as np

from calibration.dimension.geometry import face_places
from calibration.dimension.outline import Polygon, inside_by
from calibration.profile_files import ProfileProblem

if TYPE_CHECKING:
    from calibration.dimension.profile import TrayProfile

_SLACK = 0.98
"""Measured trays may look this much tighter than spheres allow: calibration is good to 2 %."""


def impossibilities(profile: TrayProfile) -> Iterator[ProfileProblem]:
    """All reasons why spheres cannot lie on a tray like this; none for a real one."""
    sphere, pitch, hole = profile.sphere_mm, profile.pitch_mm, profile.hole_mm
    if pitch <= sphere:
        text = f"pitch_mm ({pitch:g}) is not above sphere_mm ({sphere:g}): spheres would collide."
        yield ProfileProblem("pitch_mm", text)
    if pitch >= sphere * sqrt(3):
        text = (
            f"pitch_mm ({pitch:g}) is too wide: level two would fall between spheres of {sphere:g}."
        )
        yield ProfileProblem("pitch_mm", text)
    if hole >= sphere:
        text = (
            f"hole_mm ({hole:g}) is not below sphere_mm ({sphere:g}): spheres would fall through."
        )
        yield ProfileProblem("hole_mm", text)
    yield from _collisions(profile)
    yield from _beyond_the_edge(profile)


def _collisions(profile: TrayProfile) -> Iterator[ProfileProblem]:
    """Places in storage that are too close to each other or to a hole."""
    for (a, (ax, ay)), (b, (bx, by)) in combinations(face_places(profile).items(), 2):
        gap = hypot(ax - bx, ay - by)
        if "S" in a[0] + b[0] and gap < _SLACK * profile.sphere_mm:
            key = "slot_step_mm" if a[:2] == b[:2] else "slot_radius_mm"
            text = f"{a} and {b} are {gap:.1f} mm apart: too close for two spheres."
            yield ProfileProblem(key, text)


def _beyond_the_edge(profile: TrayProfile) -> Iterator[ProfileProblem]:
    """Holes and slots that are not within the outline."""
    outline = profile.outline
    if outline is None:
        return
    if isinstance(outline, Polygon) and not _is_convex(outline.points_mm):
        text = "outline.points_mm is not convex and counter-clockwise."
        yield ProfileProblem("outline.points_mm", text)
        return
    places = face_places(profile)
    depth = inside_by(outline, profile.slot0_deg, np.array(list(places.values())))
    for seat, inside in zip(places, depth, strict=True):
        if inside < _SLACK * profile.hole_mm / 2:
            yield ProfileProblem("outline", f"{seat} reaches beyond the outline.")


def _is_convex(points: tuple[tuple[float, float], ...]) -> bool:
    """Whether the corners turn left everywhere, once round."""
    corners = np.array(points)
    side = np.roll(corners, -1, axis=0) - corners
    after = np.roll(side, -1, axis=0)
    turn = np.arctan2(
        side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0], np.sum(side * after, axis=1)
    )
    return bool(np.all(turn > 0.0) and abs(np.sum(turn) - 2 * np.pi) < 1e-6)
