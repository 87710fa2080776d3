"""Outlines that may be cards: four-sided regions and closed edges of a picture, of any size.

Cards differ from the table in lightness or in color, but nobody knows in which, or by how much. So
every channel is cut at many levels, edges are followed besides, and whatever comes out four-sided
is kept. ``choosing`` says which of them are cards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards.cutting import Corners
from calibration.fiducials import Picture

LEVELS = 14
"""Cuts through each channel, by quantiles of its values."""
LEAST_SIDE = 22.0
"""Pixels; a smaller card cannot be read."""
MOST_AREA = 0.3
"""Of the picture."""
LEAST_SOLID = 0.88
"""Area of a region by that of its hull."""
LEAST_SQUARE = 0.88
"""Area of the hull by that of the four-sided figure around it: corners are rounded."""
MOST_OBLONG = 4.0

Grey = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Quad:
    """Four corners in the picture, clockwise, and how well the region fills them."""

    corners: Corners
    fit: float

    @property
    def area(self) -> float:
        """In square pixels."""
        return float(cv2.contourArea(self.corners.astype(np.float32)))

    @property
    def centre(self) -> NDArray[np.float64]:
        """The middle of the corners."""
        return np.asarray(self.corners.mean(axis=0))


def quads(picture: Picture) -> list[Quad]:
    """All four-sided outlines in a picture, many of them several times."""
    smooth = np.asarray(cv2.medianBlur(picture, 3), np.uint8)
    lab = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB), np.uint8)
    found: list[Quad] = []
    for channel in (lab[..., 0], lab[..., 1], lab[..., 2]):
        for mask in _cuts(np.ascontiguousarray(channel)):
            found += _four_sided(mask)
    for mask in _closed_edges(lab):
        found += _four_sided(mask)
    return found


def _cuts(channel: Grey) -> Iterator[Grey]:
    """The channel cut at levels between which equally many pixels lie."""
    levels = np.quantile(channel[::4, ::4], np.linspace(0.03, 0.97, LEVELS))
    for level in np.unique(levels.astype(int)):
        mask = cv2.threshold(channel, float(level), 255, cv2.THRESH_BINARY)[1]
        yield np.asarray(cv2.medianBlur(mask, 3), np.uint8)


def _closed_edges(lab: Picture) -> Iterator[Grey]:
    """What edges enclose, at several strengths of edges."""
    steepness = np.zeros(lab.shape[:2], np.float32)
    for index, weight in enumerate((1.0, 1.6, 1.6)):
        channel = cv2.GaussianBlur(lab[..., index], (0, 0), 1.0)
        across = cv2.Sobel(channel, cv2.CV_32F, 1, 0)
        down = cv2.Sobel(channel, cv2.CV_32F, 0, 1)
        steepness = np.maximum(steepness, weight * cv2.magnitude(across, down))
    for share in (0.80, 0.86, 0.90, 0.94, 0.97):
        level = float(np.quantile(steepness[::4, ::4], share))
        yield np.asarray(cv2.threshold(steepness, level, 255, cv2.THRESH_BINARY_INV)[1], np.uint8)


def _four_sided(mask: Grey) -> Iterator[Quad]:
    """The four-sided regions of a mask and the four-sided holes in them."""
    most = MOST_AREA * mask.size
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if len(contour) < 4 or min(cv2.boundingRect(contour)[2:]) < LEAST_SIDE:
            continue
        _, (one, other), _ = cv2.minAreaRect(contour)
        if min(one, other) < LEAST_SIDE or max(one, other) > MOST_OBLONG * min(one, other):
            continue
        area = cv2.contourArea(contour)
        if not LEAST_SOLID * 0.7 * one * other < area < most:
            continue
        hull = cv2.convexHull(contour)
        whole = cv2.contourArea(hull)
        if area < LEAST_SOLID * whole:
            continue
        corners = _four_corners(np.asarray(hull, np.int32))
        if corners is None:
            continue
        around = cv2.contourArea(corners.astype(np.float32))
        if whole >= LEAST_SQUARE * around:
            yield Quad(corners, whole / around * area / whole)


def _four_corners(hull: NDArray[np.int32]) -> Corners | None:
    """The smallest four-sided figure around a hull, clockwise; None if it has none."""
    try:
        found = cv2.approxPolyN(hull, 4, None, -1.0, True)
    except cv2.error:
        return None
    corners = np.asarray(found, np.float64).reshape(-1, 2)
    if len(corners) != 4:
        return None
    way = np.roll(corners, -1, axis=0) - corners
    crossing = way[:, 0] * np.roll(way[:, 1], -1) - way[:, 1] * np.roll(way[:, 0], -1)
    if (crossing > 0).all():
        return corners
    return corners[::-1].copy() if (crossing < 0).all() else None
