"""Which spaces every line of sight passes, nearest first: exact visibility for any building.

Everything is measured in spaces of the board. The field is 0…4 along x (to the right of somebody
before the board) and y (away from them), its surface at z = 0; row 0 of a building is the far one.
A column has the number ``column + 4 · row``.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from vision.cube.network import Seen

SIDE = 4
COLUMNS = SIDE * SIDE
NOTHING = COLUMNS
"""Column number of what is behind the last space of a line of sight."""
MOST_PASSED = 10
"""A line crosses at most this many of 4 × 4 × 4 spaces."""

PLATE, OTHER, EITHER = 0, 1, 2
_TOP, _FRONT, _LEFT, _RIGHT, _BACK = 2, 3, 4, 5, 6

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Sightlines:
    """Lines of sight through cells of the network's maps."""

    cells: Ints
    """(n, 2): column and row in the maps."""
    column: Ints
    """(n, passed): columns of the board that are passed, nearest first, then ``NOTHING``."""
    level: Ints
    """(n, passed): at which level."""
    face: Ints
    """(n, passed): by which face a cube there is seen, as a number in ``SURFACES``."""
    behind: Ints
    """(n,): ``PLATE``, ``OTHER`` or ``EITHER`` where nothing stands in the way."""

    def __len__(self) -> int:
        return len(self.cells)

    def first(self, heights: Ints) -> Ints:
        """Which passed space (n,) each line ends in, for heights of the 16 columns and a 17th."""
        filled = heights[self.column] > self.level
        return np.asarray(filled.argmax(axis=1), np.int64)


def sightlines(seen: Seen, view: View, cube: float, border: float) -> Sightlines:
    """The lines of sight of a picture that can meet the building or its board."""
    rows, columns = seen.surfaces.shape[1:]
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    pixels = seen.to_picture(grid.astype(np.float64))
    inside = (pixels >= -0.5).all(axis=1) & (
        pixels <= np.array([view.camera.width, view.camera.height]) - 0.5
    ).all(axis=1)
    corners = _hull(view, cube, border)
    low, high = corners.min(axis=0) - 2, corners.max(axis=0) + 2
    inside &= (pixels >= low).all(axis=1) & (pixels <= high).all(axis=1)
    grid, pixels = grid[inside], pixels[inside]
    return lines_through(grid, pixels, view, cube, border)


def lines_through(
    grid: Ints, pixels: NDArray[np.float64], view: View, cube: float, border: float
) -> Sightlines:
    """The lines of sight through pixels (n, 2); ``grid`` says which they are."""
    rays = view.rays(pixels).astype(np.float32)
    eye = view.pose.eye.astype(np.float32)
    enter, face, met = _spaces(rays, eye, cube)
    order = np.argsort(enter, axis=1)[:, :MOST_PASSED]
    lines = np.arange(len(rays))[:, None]
    passed = met[lines, order]
    number = order // SIDE
    level = np.where(passed, order % SIDE, -1)
    column = np.where(passed, number, NOTHING)
    end = np.full((len(rays), 1), NOTHING)
    behind = _behind(rays, eye, border)
    keep = passed[:, 0] | (behind != OTHER)
    return Sightlines(
        grid[keep],
        np.concatenate([column, end], axis=1)[keep],
        np.concatenate([level, end * 0 - 1], axis=1)[keep],
        np.concatenate([face[lines, order], end * 0], axis=1)[keep],
        behind[keep],
    )


def _spaces(rays: Floats, eye: Floats, cube: float) -> tuple[Floats, Ints, NDArray[np.bool_]]:
    """Distance, face and whether a cube would be met, for every line and (row, column, level)."""
    gap = (1 - cube) / 2
    starts = np.arange(SIDE, dtype=np.float32)
    across = _slab(rays[:, 0], eye[0], starts + gap, starts + 1 - gap)
    away = _slab(rays[:, 1], eye[1], SIDE - 1 - starts + gap, SIDE - starts - gap)
    up = _slab(rays[:, 2], eye[2], starts * cube, (starts + 1) * cube)
    x, y, z = across[0][:, None, :, None], away[0][:, :, None, None], up[0][:, None, None, :]
    enter = np.maximum(np.maximum(x, y), z)
    leave = np.minimum(
        np.minimum(across[1][:, None, :, None], away[1][:, :, None, None]),
        up[1][:, None, None, :],
    )
    met = (enter < leave) & (enter > 0)
    side = np.where(rays[:, 0] > 0, _LEFT, _RIGHT)[:, None, None, None]
    ahead = np.where(rays[:, 1] > 0, _FRONT, _BACK)[:, None, None, None]
    face = np.where(enter == z, _TOP, np.where(enter == x, side, ahead))
    enter = np.where(met, enter, np.float32(np.inf))
    flat = (len(rays), SIDE**3)
    return enter.reshape(flat), face.reshape(flat).astype(np.int64), met.reshape(flat)


def _slab(way: Floats, eye: np.float32, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    inverse = 1 / np.where(np.abs(way) < 1e-6, np.float32(1e-6), way)[:, None]
    one, two = (low - eye) * inverse, (high - eye) * inverse
    return np.minimum(one, two), np.maximum(one, two)


def _behind(rays: Floats, eye: Floats, border: float) -> Ints:
    down = rays[:, 2] < -1e-3
    far = np.where(down, -eye[2] / np.where(down, rays[:, 2], -1), 0)
    x, y = eye[0] + rays[:, 0] * far, eye[1] + rays[:, 1] * far
    beyond = np.maximum(np.maximum(-x, x - SIDE), np.maximum(-y, y - SIDE))
    near = y < 0  # before the board its edge hangs down, how far nobody measured
    kind = np.where(beyond < border * 0.8, PLATE, np.where(beyond < border + 0.25, EITHER, OTHER))
    kind = np.where((kind == OTHER) & near & (beyond < border + 1.0), EITHER, kind)
    return np.where(down, kind, OTHER).astype(np.int64)


def _hull(view: View, cube: float, border: float) -> NDArray[np.float64]:
    """Pixels of the corners of all that a building can fill."""
    low, high = -border - 0.4, SIDE + border + 0.4
    floor = [(x, y, 0.0) for x in (low, high) for y in (low, high)]
    roof = [(x, y, SIDE * cube) for x in (0.0, SIDE) for y in (0.0, SIDE)]
    pixels = view.project(np.array(floor + roof))
    size = np.array([view.camera.width, view.camera.height], np.float64)
    return np.asarray(np.where(np.isfinite(pixels), pixels, size / 2), np.float64)
