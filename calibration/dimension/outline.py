"""Outlines of a tray's face: disc, rounded pentagon, or any polygon, in tray millimetres."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

from calibration.json_shape import Wanted

FloatArray = NDArray[np.float64]


_SIDES = 5  # of a pentagon
_FORMAT = ConfigDict(extra="forbid", use_attribute_docstrings=True)
_NUMBER = Field(strict=True, allow_inf_nan=False)

Number = Annotated[float, _NUMBER]
Length = Annotated[float, _NUMBER, Field(gt=0), Wanted("a length above 0 mm")]
Corner = Annotated[float, _NUMBER, Field(ge=0), Wanted("a length of 0 mm or more")]
Corners = Annotated[
    tuple[tuple[Number, Number], ...],
    Field(min_length=3),
    Wanted("three or more pairs of numbers"),
]


@dataclass(frozen=True)
class Disc:
    """A round tray."""

    __pydantic_config__ = _FORMAT

    shape: Literal["disc"] = field(default="disc", kw_only=True)
    radius_mm: Length


@dataclass(frozen=True)
class Pentagon:
    """A regular pentagon, one side along each storage slot, its corners rounded."""

    __pydantic_config__ = _FORMAT

    shape: Literal["pentagon"] = field(default="pentagon", kw_only=True)
    inradius_mm: Length
    """Distance of the sides from the centre."""
    corner_mm: Corner = 0.0
    """Radius of the arcs that round the corners."""


@dataclass(frozen=True)
class Polygon:
    """Any convex polygon, its corners rounded."""

    __pydantic_config__ = _FORMAT

    shape: Literal["polygon"] = field(default="polygon", kw_only=True)
    points_mm: Corners
    """Counter-clockwise, before rounding."""
    corner_mm: Corner = 0.0
    """Radius of the arcs that round the corners."""


Outline = Disc | Pentagon | Polygon


def corners(outline: Outline, slot0_deg: float) -> tuple[FloatArray, float]:
    """The sharp corners (N, 2), counter-clockwise, and the radius that rounds them.

    A disc is a polygon of no extent, rounded by its radius: one rule then fits all outlines.
    """
    if isinstance(outline, Disc):
        return np.zeros((1, 2)), outline.radius_mm
    if isinstance(outline, Pentagon):
        angle = np.radians(slot0_deg + 36.0 + 72.0 * np.arange(_SIDES))
        radius = outline.inradius_mm / np.cos(np.pi / _SIDES)
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
