"""The sides of an outline, drawn where the picture changes most, and how well they are seen."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards.cutting import Corners
from calibration.fiducials import Picture

_ALONG = 20
"""Places along a side at which its edge is looked for."""
_ENDS = 0.14
"""Share of a side next to each corner that is left out: corners are rounded."""
_STEPS = 15
"""Places across the edge."""
_REACH = 0.035
"""How far an edge is looked for on either side, as a share of the outline's size."""
_CLEAR = 5.0
"""Difference of color (Lab) across an edge that is more than noise."""
_OUTER = 0.5
"""Share of the strongest change that an edge further out must have to be preferred."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outline:
    """Corners on the edges of the picture, and the share of the sides that edges were seen on."""

    corners: Corners
    seen: float
    weakest: float
    """The same of the side that was seen worst."""


def drawn_on_edges(lab: Picture, corners: Corners) -> Outline | None:
    """The outline with its sides moved onto the edges nearby; None if it falls apart.

    ``lab`` is the picture in OpenCV's Lab colors.
    """
    size = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))
    if size < 1:
        return None
    reach = max(1.6, _REACH * size)
    along = np.linspace(_ENDS, 1 - _ENDS, _ALONG)[None, :, None]
    ends = np.roll(corners, -1, axis=0)
    ways = (ends - corners) / np.linalg.norm(ends - corners, axis=1, keepdims=True).clip(1e-6)
    outward = np.stack([ways[:, 1], -ways[:, 0]], axis=1)
    places = corners[:, None] * (1 - along) + ends[:, None] * along
    across = np.linspace(-reach, reach, _STEPS)
    points = places[:, :, None] + across[None, None, :, None] * outward[:, None, None]
    flat = points.astype(np.float32).reshape(4 * _ALONG, _STEPS, 2)
    across_at, down_at = np.ascontiguousarray(flat[..., 0]), np.ascontiguousarray(flat[..., 1])
    colors = cv2.remap(lab, across_at, down_at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = _changes(colors.astype(np.float64).reshape(4, _ALONG, _STEPS, 3))
    peak = change.max(axis=2, keepdims=True)
    # The outermost of two strong edges: cards have frames printed next to their border.
    strong = (change > _OUTER * peak)[:, :, ::-1].argmax(axis=2)
    outermost = change.shape[2] - 1 - strong
    at = across[2:-2][_summit(change, outermost)]
    clear = change.max(axis=2) > _CLEAR
    lines = [_line(places[side, :, :], outward[side], at[side], change[side].max(axis=1))
             for side in range(4)]  # fmt: skip
    moved = [_crossing(lines[side - 1], lines[side]) for side in range(4)]
    if any(corner is None for corner in moved):
        return None
    found = np.array(moved)
    if np.abs(found - corners).max() > 3 * reach + 0.1 * size:
        return None
    edges = points[:, :, 0] + (reach + at)[:, :, None] * outward[:, None]
    off = [(edges[side] - lines[side][0]) @ outward_of(lines[side]) for side in range(4)]
    near = np.abs(off) < 0.35 * reach + 0.5
    support = (clear & near).mean(axis=1)
    return Outline(found, float(support.mean()), float(support.min()))


def _summit(change: Floats, start: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where the change stops growing on the way inward from these steps."""
    at = start.copy()
    for _ in range(change.shape[2]):
        here = np.take_along_axis(change, at[:, :, None], axis=2)[:, :, 0]
        inner = np.maximum(at - 1, 0)
        there = np.take_along_axis(change, inner[:, :, None], axis=2)[:, :, 0]
        at = np.where(there > here, inner, at)
    return at


def outward_of(line: tuple[Floats, Floats]) -> Floats:
    """The normal of a line given by a point and its direction."""
    return np.array([line[1][1], -line[1][0]])


def _changes(colors: Floats) -> Floats:
    """How much the color changes (sides, along, steps − 4) over four steps across each side.

    A card's ground is the same all along a side, so the change is counted in the direction in
    which it mostly goes.
    """
    apart = colors[:, :, 4:] - colors[:, :, :-4]
    strongest = np.take_along_axis(
        apart, np.linalg.norm(apart, axis=3).argmax(axis=2)[:, :, None, None], axis=2
    )[:, :, 0]
    way = np.median(strongest, axis=1)
    way /= np.linalg.norm(way, axis=1, keepdims=True).clip(1e-6)
    return np.asarray(np.maximum(np.einsum("asxc,ac->asx", apart, way), 0.0))


def _line(places: Floats, outward: Floats, at: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The line (point, direction) through the edges found at these places, stray ones left out."""
    points = places + at[:, None] * outward
    weight = weight + 1e-3
    for _ in range(4):
        middle = (weight[:, None] * points).sum(axis=0) / weight.sum()
        off = points - middle
        _, _, directions = np.linalg.svd(off * np.sqrt(weight)[:, None], full_matrices=False)
        way = directions[0]
        stray = np.abs(off @ np.array([way[1], -way[0]]))
        weight = weight / (1 + (stray / max(0.4, 1.5 * float(np.median(stray)))) ** 2) ** 0.5
    return middle, way


def _crossing(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats | None:
    """Where two lines cross; None if they are nearly parallel."""
    (a, d), (b, e) = one, other
    cross = d[0] * e[1] - d[1] * e[0]
    if abs(cross) < 0.2:
        return None
    step = ((b[0] - a[0]) * e[1] - (b[1] - a[1]) * e[0]) / cross
    return np.asarray(a + step * d)
