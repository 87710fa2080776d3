"""Square black-and-white markers (ArUco, AprilTag): families by name, cells for printing."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pdf import Box

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]
"""A BGR picture."""


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
