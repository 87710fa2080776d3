"""The outline of a measured tray's face, where the picture shows it well enough.

The picture is looked at along rays from the tray's centre on the plane of its face, outside the
slots. A disc or a pentagon whose whole edge is there is taken; failing that, the strongest closed
path about the slots, if it is convex, as a polygon. A tray whose edge cannot be seen has none:
an outline is a help, not a need. Lengths are in sphere diameters.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.dimension.outline import Disc, Outline, Pentagon, Polygon, outline_points
from calibration.dimension.start.fit import StartFit
from calibration.edges import Array, Floats, sample
from calibration.refine import inside_outlines
from rules.dimension.places import SPHERES

ANGLES = 180
STEP = 0.02
FARTHEST = 1.6
"""How far beyond the outermost slot an outline is looked for."""
CORNERS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class OutlineBars:
    """What an outline must show; supports as in ``calibration.refine``.

    On six development photos and twelve lab trays (seed 202), right shapes had a support of 0.66
    to 0.94, wrong ones 0.45 to 0.67.
    """

    edge_floor: float = 4.0
    shape: float = 0.5
    """Mean support along a disc or pentagon…"""
    below_path: float = 0.13
    """… which may be this much below that of a free path, which can always do a little better."""
    path: float = 0.6
    """Mean support along a free path."""
    bending: float = 0.12
    """Price of a step outward or inward between neighbouring rays of a free path."""


BARS = OutlineBars()


@dataclass(frozen=True)
class _Rays:
    """Support of an edge at each angle and radius ``(angles, radii)``; NaN where hidden."""

    angles: Array
    radii: Array
    support: Array

    def along(self, radii: Array) -> Array:
        """Support (angles,) where the rays have these radii; NaN where that is hidden."""
        index = np.rint((radii - self.radii[0]) / STEP).astype(np.int64)
        index = np.clip(index, 1, len(self.radii) - 2)
        rows = np.arange(len(self.angles))
        around = np.stack([self.support[rows, index + shift] for shift in (-1, 0, 1)])
        best = np.where(np.isnan(around), -1.0, around).max(axis=0)
        return np.where(best >= 0, best, np.nan)


def measure_outline(smoothed: Floats, fit: StartFit, bars: OutlineBars = BARS) -> Outline | None:
    """The outline of the tray's face, or None where it cannot be told."""
    rays = _look(smoothed, fit, bars)
    shape, support = max(
        ((shape, _support(rays, shape)) for shape in _shapes(rays)), key=lambda entry: entry[1]
    )
    radii, free = _strongest_path(rays, bars)
    if support >= max(bars.shape, free - bars.below_path):
        return shape
    return _polygon(rays.angles, radii) if free >= bars.path else None


def scaled(outline: Outline, factor: float) -> Outline:
    """The outline with all its lengths multiplied."""
    if isinstance(outline, Disc):
        return Disc(round(outline.radius_mm * factor, 2))
    if isinstance(outline, Pentagon):
        return Pentagon(
            round(outline.inradius_mm * factor, 2), round(outline.corner_mm * factor, 2)
        )
    points = tuple((round(x * factor, 2), round(y * factor, 2)) for x, y in outline.points_mm)
    return Polygon(points, round(outline.corner_mm * factor, 2))


def _look(smoothed: Floats, fit: StartFit, bars: OutlineBars) -> _Rays:
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    hull = _radii_of(_slot_hull(fit), angles)
    radii = np.arange(hull.min(), hull.max() + FARTHEST, STEP)
    spots = radii[None, :, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None]
    points = np.concatenate([spots, np.zeros((*spots.shape[:2], 1))], axis=2).reshape(-1, 3)
    pixels = fit.view.project(points)
    height, width = smoothed.shape[:2]
    inside = (pixels > 1).all(axis=1) & (pixels < (width - 2, height - 2)).all(axis=1)
    inside &= ~inside_outlines(fit.view, fit.rounds.centres[:SPHERES], 0.53, pixels)
    seen = inside.reshape(spots.shape[:2]) & (radii[None] > hull[:, None] + 0.04)
    colours = sample(smoothed, np.nan_to_num(pixels).reshape(*spots.shape))
    change = np.linalg.norm(np.gradient(colours, axis=1), axis=2)
    apart = np.linalg.norm(np.gradient(pixels.reshape(*spots.shape), axis=1), axis=2)
    strength = change / np.maximum(apart, 0.2)
    return _Rays(angles, radii, np.where(seen, strength / (strength + bars.edge_floor), np.nan))


def _slot_hull(fit: StartFit) -> Array:
    """Corners (n, 2) of the convex hull of the five slots: what every outline goes around."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = fit.geometry.hole / 2 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    centres = fit.rounds.centres[:SPHERES, :2]
    around = (centres[:, None] + circle).reshape(-1, 2).astype(np.float32)
    return np.asarray(cv2.convexHull(around), dtype=np.float64).reshape(-1, 2)


def _radii_of(corners: Array, angles: Array) -> Array:
    """Radius of a closed curve about the origin, given by points in order, at each angle."""
    at = np.arctan2(corners[:, 1], corners[:, 0]) % (2 * np.pi)
    order = np.argsort(at)
    radius = np.linalg.norm(corners, axis=1)[order]
    return np.asarray(np.interp(angles, at[order], radius, period=2 * np.pi), dtype=np.float64)


def _shapes(rays: _Rays) -> list[Outline]:
    sizes = rays.radii[2:-2].tolist()
    pentagons = [Pentagon(size, corner) for size in sizes for corner in CORNERS]
    return [*map(Disc, sizes), *pentagons]


def _support(rays: _Rays, shape: Outline) -> float:
    """Mean support along a shape; nothing for one of which less than half can be looked at."""
    if isinstance(shape, Disc):
        radii = np.full(len(rays.angles), shape.radius_mm)
    else:
        radii = _radii_of(outline_points(shape, 90.0, 0.05), rays.angles)
    found = rays.along(radii)
    known = ~np.isnan(found)
    return float(found[known].mean()) if known.mean() > 0.5 else 0.0


def _strongest_path(rays: _Rays, bars: OutlineBars) -> tuple[Array, float]:
    """Radii of the closed path with most support and little bending, and its mean support.

    Dynamic programming around the circle, twice, so that the end meets the beginning.
    """
    gain = np.nan_to_num(rays.support, nan=0.3)
    gain = np.concatenate([gain, gain])
    count, depth = gain.shape
    total, came = gain[0].copy(), np.zeros((count, depth), dtype=np.int64)
    shifts = np.arange(-4, 5)
    for row in range(1, count):
        options = np.stack([np.roll(total, shift) - bars.bending * abs(shift) for shift in shifts])
        for option, shift in zip(options, shifts, strict=True):
            option[: max(shift, 0)] = -np.inf
            option[depth + min(shift, 0) :] = -np.inf
        best = options.argmax(axis=0)
        came[row] = np.arange(depth) - shifts[best]
        total = options[best, np.arange(depth)] + gain[row]
    path = np.empty(count, dtype=np.int64)
    path[-1] = int(total.argmax())
    for row in range(count - 1, 0, -1):
        path[row - 1] = came[row, path[row]]
    middle = path[ANGLES // 2 : ANGLES // 2 + ANGLES]
    index = np.roll(middle, ANGLES // 2)
    radii = rays.radii[index]
    found = rays.along(radii)
    known = ~np.isnan(found)
    return radii, float(found[known].mean()) if known.mean() > 0.5 else 0.0


def _polygon(angles: Array, radii: Array) -> Polygon:
    """The convex polygon about a path, without the corners that hardly bend it."""
    points = radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    hull = cv2.convexHull(points.astype(np.float32))
    simple = np.asarray(cv2.approxPolyDP(hull, 0.06, True), dtype=np.float64).reshape(-1, 2)
    turn = np.argsort(np.arctan2(simple[:, 1], simple[:, 0]))
    return Polygon(tuple((float(x), float(y)) for x, y in simple[turn]))
