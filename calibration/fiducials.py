"""Square black-and-white markers (ArUco, AprilTag): looking for them, and printing them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.pdf import Box

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]
"""A BGR picture."""


LONGEST_SIDE = 1600
"""Pictures are searched no larger than this. OpenCV's detectors look at neighbourhoods of a few
dozen pixels: in a soft photo of 12 megapixels they find nothing, at this size a corner is still
good to half a pixel of the large picture."""


@dataclass(frozen=True)
class Search:
    """A grey copy of a picture of the size that detectors work at."""

    gray: Picture
    shrunk: float

    @classmethod
    def of(cls, picture: Picture) -> "Search":
        """The copy of a BGR picture, shrunk if it is large."""
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        shrunk = max(1.0, max(gray.shape) / LONGEST_SIDE)
        if shrunk > 1.0:
            scale = 1.0 / shrunk
            gray = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return cls(np.asarray(gray, dtype=np.uint8), shrunk)

    def in_picture(self, pixels: ArrayLike) -> Floats:
        """Pixels found in the copy as pixels (N, 2) of the picture."""
        found = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        return (found + 0.5) * self.shrunk - 0.5


def marker_family(name: str) -> cv2.aruco.Dictionary:
    """The family of markers of this name; raises ``ValueError`` if OpenCV knows none."""
    if not name.startswith("DICT_") or not hasattr(cv2.aruco, name):
        raise ValueError(f"OpenCV knows no markers {name!r}; say DICT_APRILTAG_36h11, for example.")
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))


def marker_boxes(family: cv2.aruco.Dictionary, number: int, box: Box) -> list[Box]:
    """The black cells of a marker that fills this box, joined along rows."""
    cells = family.markerSize + 2
    black = cv2.aruco.generateImageMarker(family, number, cells) == 0
    left, bottom, width, height = box
    step_x, step_y = width / cells, height / cells
    return [
        (left + start * step_x, bottom + (cells - 1 - row) * step_y, length * step_x, step_y)
        for row, line in enumerate(black)
        for start, length in _runs(line)
    ]


def _runs(line: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and length of each run of true values."""
    edges = np.flatnonzero(np.diff(line, prepend=False, append=False)).reshape(-1, 2)
    return [(int(start), int(end - start)) for start, end in edges]
