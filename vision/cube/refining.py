"""A view drawn to the picture's own edges: those of the cubes that seem to stand, and the grid."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.edges import Floats, changes_along, strongest
from calibration.ellipses import Eyes, unknowns_of
from calibration.pose import view_prior
from calibration.solve import GaussianPrior, solve
from vision.cube.network import Seen
from vision.cube.sightlines import NOTHING, SIDE, Ints, lines_through

Array = NDArray[np.float64]

MAP_REACHES = (0.45, 0.25)
"""How far from where it should be a border between surfaces is looked for in the network's maps,
in spaces, round by round: the maps have no edges but those."""
REACHES = (0.12, 0.06)
"""The same in the picture itself, where shadows and grain have edges too."""
PER_EDGE = 5
ALIKE = 12.0
"""So many neighbouring edge pixels tell no more than one."""
EDGE_FLOOR = 3.0
FEWEST = 24


def refined(
    smoothed: Floats, view: View, heights: Ints, cube: float, focal_px: float | None,
    reaches: Sequence[float] = REACHES, stiffness: float | None = None,
) -> View:  # fmt: skip
    """The view moved so that the building's edges lie on the picture's.

    With ``stiffness`` rotation and logarithm of the focal length may move by about that much only.
    """
    ends = np.concatenate([_cube_edges(heights, cube), _grid_edges()])
    share = (np.arange(PER_EDGE) + 0.5) / PER_EDGE
    points = ends[:, :1] + share[None, :, None] * (ends[:, 1:] - ends[:, :1])
    ways = np.broadcast_to(ends[:, 1:] - ends[:, :1], points.shape)
    points, ways = points.reshape(-1, 3), ways.reshape(-1, 3)
    keep = _visible(view, points, heights, cube)
    points, ways = points[keep], ways[keep]
    for reach in reaches:
        if len(points) < FEWEST:
            return view
        prior = _prior(view, focal_px, stiffness)
        view = _drawn(smoothed, view, points, ways, reach, prior)
    return view


_SHADES = np.array(
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], np.float32
)
"""A colour for each surface, as different as three channels allow."""


def surface_picture(seen: Seen, size: tuple[int, int]) -> Floats:
    """The network's surfaces as a picture of the photo's size, each in a colour of its own."""
    mixed = np.tensordot(np.exp(seen.surfaces), _SHADES, axes=(0, 0)) * np.float32(255)
    (left, top), scale = seen.shift, seen.scale
    warp = np.array([[1 / scale, 0, -left / scale], [0, 1 / scale, -top / scale]])
    return np.asarray(cv2.warpAffine(mixed, warp, size, borderMode=cv2.BORDER_REPLICATE))


def _prior(view: View, focal_px: float | None, stiffness: float | None) -> GaussianPrior:
    usual = view_prior((view.camera.width, view.camera.height), focal_px)
    if stiffness is None:
        return usual
    start = unknowns_of(view)[1]
    spread = usual.spread.copy()
    spread[[0, 1, 2, 6]] = stiffness
    spread[7] = max(stiffness * 0.1, 1e-4)
    return GaussianPrior(np.where(np.isfinite(spread), start, usual.mean), spread)


def _drawn(
    smoothed: Floats, view: View, points: Array, ways: Array, reach: float, prior: GaussianPrior
) -> View:
    size = (view.camera.width, view.camera.height)
    pixels = view.project(points)
    along = view.project(points + ways * 0.02) - pixels
    length = np.linalg.norm(along, axis=1)
    inside = (pixels > 1).all(axis=1) & (pixels < np.array(size) - 2).all(axis=1)
    inside &= np.isfinite(length) & (length > 1e-3)
    if inside.sum() < FEWEST:
        return view
    points, pixels, along = points[inside], pixels[inside], along[inside]
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[inside, None]
    scale = float(np.median(view.pixels_per_mm(points)))
    spread = reach * scale
    changes = changes_along(smoothed, pixels, normals, 2 * spread, 1.0)
    offset, strength = strongest(changes, spread)
    weight = strength / (strength + EDGE_FLOOR)
    target = pixels + normals * offset[:, None]
    sigma = (0.6 + 0.012 * scale) / np.maximum(weight, 0.05)
    base, start = unknowns_of(view)

    def residuals(batch: Array) -> Array:
        eyes = Eyes.from_unknowns(batch, base, size)
        seen = eyes.to_camera(points)
        off = eyes.to_pixels(seen[..., :2] / seen[..., 2:]) - target
        return np.asarray((off * normals).sum(axis=-1) / sigma, np.float64)

    fit = solve(residuals, start, prior, alike=ALIKE, steps=6, enough=1e-3)
    return Eyes.from_unknowns(fit.values[None], base, size).view(size)


def _visible(view: View, points: Array, heights: Ints, cube: float) -> NDArray[np.bool_]:
    """Which points of edges no cube hides."""
    pixels = view.project(points)
    good = np.asarray(np.isfinite(pixels).all(axis=1))
    pixels = np.where(good[:, None], pixels, 0.0)
    nearer = points + (view.pose.eye - points) * 0.004
    # A point is hidden if the line from the eye ends before it: compare with the line's own end.
    grid = np.stack([np.arange(len(points)), np.zeros(len(points))], axis=1).astype(np.int64)
    lines = lines_through(grid, pixels, view, cube, 100.0)
    first = lines.first(np.append(heights, 9))
    index = np.arange(len(lines))
    column, level = lines.column[index, first], lines.level[index, first]
    own = lines.cells[:, 0]
    far = _entry(view, column, level, cube, points[own])
    distance = np.linalg.norm(nearer[own] - view.pose.eye, axis=1)
    shown = np.zeros(len(points), bool)
    shown[own] = far > distance
    return shown & good


def _entry(view: View, column: Ints, level: Ints, cube: float, points: Array) -> Array:
    """Distance from the eye at which the line to each point enters that cube; else infinite."""
    eye = view.pose.eye
    way = points - eye
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    x, row = column % SIDE, column // SIDE
    middle = np.stack([x + 0.5, SIDE - row - 0.5, (level + 0.5) * cube], axis=1)
    one, two = (middle - cube / 2 - eye) / way, (middle + cube / 2 - eye) / way
    low, high = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
    # a line along an edge may just miss its own cube
    return np.where((column == NOTHING) | (low > high), np.inf, low)


_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
_PAIRS = [
    (i, j) for i in range(8) for j in range(i + 1, 8)
    if np.abs(_CORNERS[i] - _CORNERS[j]).sum() == 1
]  # fmt: skip


def _cube_edges(heights: Ints, cube: float) -> Array:
    """Both ends (edges, 2, 3) of the edges of all cubes."""
    gap = (1 - cube) / 2
    found = [np.zeros((0, 2, 3))]
    for number, height in enumerate(heights):
        x, y = number % SIDE + gap, SIDE - 1 - number // SIDE + gap
        for level in range(int(height)):
            corners = np.array([x, y, level * cube]) + _CORNERS * cube
            found.append(np.stack([[corners[i], corners[j]] for i, j in _PAIRS]))
    return np.concatenate(found)


def _grid_edges() -> Array:
    """Both ends of the pieces of the field's lines, a piece a space."""
    found = []
    for line in range(SIDE + 1):
        for piece in range(SIDE):
            found.append([(line, piece, 0.0), (line, piece + 1, 0.0)])
            found.append([(piece, line, 0.0), (piece + 1, line, 0.0)])
    return np.array(found, np.float64)
