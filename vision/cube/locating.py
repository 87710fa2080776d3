"""Where the board is: the network's corners of the field give a view."""

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.pose import DegenerateMatchesError, Match, fit_pose
from vision.cube.network import Seen

Array = NDArray[np.float64]

FIELD = ((0.0, 4.0, 0.0), (4.0, 4.0, 0.0), (4.0, 0.0, 0.0), (0.0, 0.0, 0.0))
"""Corners of the field: far left, far right, near right, near left."""
FAINTEST = 0.12
"""Lower peaks are no corners."""
FAINTEST_SUM = 1.2
"""Four corners of a board add up to more than this; a hidden one may be faint."""
MOST_PEAKS = 2
CORNER_PX = 6.0
"""How far (of 512 pixels) a corner is from where it was seen."""
STEEPEST_DEG = 84.0
NEAREST, FARTHEST = 3.5, 30.0
"""Distances of a camera, in spaces."""


@dataclass(frozen=True)
class Corner:
    """A corner of the field: where it was seen, and how plainly, 0 … 1."""

    uv: tuple[float, float]
    strength: float


@dataclass(frozen=True)
class Located:
    """A view of a board and the corners that it is made from."""

    view: View
    corners: tuple[Corner, ...]

    @property
    def strength(self) -> float:
        """How plainly the corners were seen, 0 … 1."""
        return sum(corner.strength for corner in self.corners) / len(self.corners)


def locate(seen: Seen, size: tuple[int, int], focal_px: float | None) -> list[Located]:
    """Views that the seen corners give, the plainest first."""
    peaks = [_peaks(heat) for heat in seen.corners]
    if any(not found for found in peaks):
        return []
    found = []
    chosen = sorted(product(*peaks), key=lambda four: -sum(one.strength for one in four))[:4]
    for four in chosen:
        if sum(one.strength for one in four) < FAINTEST_SUM:
            break
        corners = tuple(_in_picture(seen, one) for one in four)
        view = _view(corners, size, focal_px)
        if view is not None:
            found.append(Located(view, corners))
    return found


def _in_picture(seen: Seen, peak: Corner) -> Corner:
    u, v = seen.to_picture(np.array(peak.uv))
    return Corner((float(u), float(v)), peak.strength)


def _view(
    corners: tuple[Corner, ...], size: tuple[int, int], focal_px: float | None
) -> View | None:
    uv = np.array([corner.uv for corner in corners])
    if not cv2.isContourConvex(uv.astype(np.float32)) or _area(uv) < 0:
        return None
    unit = max(size) / 512
    matches = [
        Match(point, corner.uv, sigma_px=CORNER_PX * unit / max(corner.strength, 0.1))
        for point, corner in zip(FIELD, corners, strict=True)
    ]
    try:
        view = fit_pose(matches, size, focal_px=focal_px).view
    except (DegenerateMatchesError, np.linalg.LinAlgError, cv2.error):
        return None
    return view if is_plausible(view) else None


def is_plausible(view: View) -> bool:
    """Whether a camera can be there."""
    off = view.pose.eye - np.array([2.0, 2.0, 0.0])
    far = float(np.linalg.norm(off))
    steep = np.degrees(np.arccos(np.clip(off[2] / max(far, 1e-9), -1, 1)))
    return NEAREST < far < FARTHEST and steep < STEEPEST_DEG


def _area(corners: Array) -> float:
    """Twice the signed area; positive if they go round clockwise in the picture."""
    following = np.roll(corners, -1, axis=0)
    return float((corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1]).sum())


def _peaks(heat: NDArray[np.float32]) -> list[Corner]:
    """The highest peaks of a map, in its cells."""
    highest = cv2.dilate(heat, np.ones((7, 7), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > FAINTEST))
    order = np.argsort(-heat[rows, columns])[:MOST_PEAKS]
    return [
        Corner(_middle(heat, rows[i], columns[i]), float(heat[rows[i], columns[i]])) for i in order
    ]


def _middle(heat: NDArray[np.float32], row: int, column: int) -> tuple[float, float]:
    """The peak between the cells: the mean of what is around it."""
    top, left = max(row - 2, 0), max(column - 2, 0)
    part = heat[top : row + 3, left : column + 3].astype(np.float64)
    part = np.maximum(part - 0.3 * part.max(), 0)
    y, x = np.mgrid[: part.shape[0], : part.shape[1]]
    total = part.sum()
    return float((x * part).sum() / total + left), float((y * part).sum() / total + top)
