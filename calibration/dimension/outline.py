"""Outlines of a tray's face: disc, rounded pentagon, or any polygon, in tray millimetres."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Disc:
    """A round tray."""

    radius_mm: float

    def to_json(self) -> dict[str, Any]:
        """The outline as in a profile's file."""
        return {"shape": "disc", "radius_mm": self.radius_mm}


@dataclass(frozen=True)
class Pentagon:
    """A regular pentagon, one side along each storage slot, its corners rounded.

    ``inradius_mm`` is the distance of the sides from the centre, ``corner_mm`` the radius of the
    arcs that round the corners.
    """

    inradius_mm: float
    corner_mm: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The outline as in a profile's file."""
        return {
            "shape": "pentagon",
            "inradius_mm": self.inradius_mm,
            "corner_mm": self.corner_mm,
        }


@dataclass(frozen=True)
class Polygon:
    """Any convex polygon, corners counter-clockwise, rounded by arcs of ``corner_mm``."""

    points_mm: tuple[tuple[float, float], ...]
    corner_mm: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The outline as in a profile's file."""
        points = [list(point) for point in self.points_mm]
        return {"shape": "polygon", "points_mm": points, "corner_mm": self.corner_mm}


Outline = Disc | Pentagon | Polygon


def outline_from_json(data: Mapping[str, Any]) -> Outline:
    """The outline written in a profile's file, which has been checked before."""
    if data["shape"] == "disc":
        return Disc(float(data["radius_mm"]))
    if data["shape"] == "pentagon":
        return Pentagon(float(data["inradius_mm"]), float(data.get("corner_mm", 0.0)))
    points = tuple((float(x), float(y)) for x, y in data["points_mm"])
    return Polygon(points, float(data.get("corner_mm", 0.0)))


def corners(outline: Outline, slot0_deg: float) -> tuple[FloatArray, float]:
    """The sharp corners (N, 2), counter-clockwise, and the radius that rounds them.

    A disc is a polygon of no extent, rounded by its radius: one rule then fits all outlines.
    """
    if isinstance(outline, Disc):
        return np.zeros((1, 2)), outline.radius_mm
    if isinstance(outline, Pentagon):
        angle = np.radians(slot0_deg + 36.0 + 72.0 * np.arange(5))
        radius = outline.inradius_mm / np.cos(np.pi / 5)
        return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1), outline.corner_mm
    return np.asarray(outline.points_mm, dtype=np.float64), outline.corner_mm


def core(outline: Outline, slot0_deg: float) -> tuple[FloatArray, float]:
    """A convex polygon (N, 2) and a radius: the outline is all within that radius of the polygon.

    Rounding corners by arcs is the same as moving every side inward by the arcs' radius and
    growing the smaller polygon again by that radius.
    """
    sharp, radius = corners(outline, slot0_deg)
    if isinstance(outline, Disc) or radius == 0.0:
        return sharp, radius
    before = sharp - np.roll(sharp, 1, axis=0)
    after = np.roll(sharp, -1, axis=0) - sharp
    before /= np.linalg.norm(before, axis=1, keepdims=True)
    after /= np.linalg.norm(after, axis=1, keepdims=True)
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return sharp + radius * (after - before) / turn[:, None], radius


def outline_points(outline: Outline, slot0_deg: float, spacing_mm: float = 1.0) -> FloatArray:
    """Points (N, 2) along the outline, counter-clockwise, about ``spacing_mm`` apart."""
    inner, radius = core(outline, slot0_deg)
    pieces = []
    for i, corner in enumerate(inner):
        following = inner[(i + 1) % len(inner)]
        start = _outward_angle(corner - inner[i - 1])
        turn = (_outward_angle(following - corner) - start) % (2 * np.pi)
        turn = turn if len(inner) > 1 else 2 * np.pi
        steps = max(int(np.ceil(radius * turn / spacing_mm)), 1)
        angle = start + turn * np.arange(steps) / steps
        arc = corner + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        pieces.append(arc)
        side = float(np.linalg.norm(following - corner))
        if side > 0.0:
            steps = max(int(np.ceil(side / spacing_mm)), 1)
            end = start + turn
            begin = corner + radius * np.array([np.cos(end), np.sin(end)])
            pieces.append(begin + (following - corner) * np.arange(steps)[:, None] / steps)
    return np.concatenate(pieces)


def inside_by(outline: Outline, slot0_deg: float, points: FloatArray) -> FloatArray:
    """How many mm each point (…, 2) lies inside the outline (negative: outside)."""
    inner, radius = core(outline, slot0_deg)
    start, side = inner, np.roll(inner, -1, axis=0) - inner
    length = np.linalg.norm(side, axis=1)
    along = side / np.where(length > 0, length, 1.0)[:, None]
    offset = points[..., None, :] - start
    position = np.clip(np.sum(offset * along, axis=-1), 0.0, length)
    distance = np.linalg.norm(offset - position[..., None] * along, axis=-1).min(axis=-1)
    leftward = along[:, 0] * offset[..., 1] - along[:, 1] * offset[..., 0]
    within = np.all(leftward >= 0.0, axis=-1) & (len(inner) > 2)
    return np.asarray(radius + np.where(within, distance, -distance), dtype=np.float64)


def _outward_angle(side: FloatArray) -> float:
    """Direction of the outward normal of a side walked counter-clockwise."""
    return float(np.arctan2(-side[0], side[1])) if side.any() else 0.0
