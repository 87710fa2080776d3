"""Cards cut out of a picture and laid flat."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials import Picture

Corners = NDArray[np.float64]
"""A card's corners (4, 2) in pixels, clockwise as the picture is seen."""

_FINEST = 6
"""Samples a pixel, along one side, that are averaged where the picture is finer than the cut."""


def cut(picture: Picture, corners: Corners, size: tuple[int, int]) -> Picture:
    """The card with these corners at this size (width, height), its first corner at the top left.

    Where the picture has more pixels than the cut, they are averaged: a striped figure keeps its
    tone.
    """
    width, height = size
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    finer = max(sides[0], sides[2]) / width, max(sides[1], sides[3]) / height
    times = int(np.clip(np.ceil(max(finer)), 1, _FINEST))
    wide, high = width * times, height * times
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    to_flat = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    found = cv2.warpPerspective(
        picture, to_flat, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if times > 1:
        found = cv2.resize(found, size, interpolation=cv2.INTER_AREA)
    return np.asarray(found, np.uint8)


def turned(corners: Corners, quarters: int) -> Corners:
    """The same corners, starting this many corners further on."""
    return np.roll(corners, -quarters, axis=0)
