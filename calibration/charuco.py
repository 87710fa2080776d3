"""The printed chessboard with markers (ChArUco) that a camera is calibrated with.

There is one board: seven by nine squares of 25 mm, which fits both A4 and Letter, so that no one
has to say which board a photo shows. Its markers tell corners apart even when part of the board
is hidden, and come from another family than those of the place mat.
"""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.fiducials import Floats, Picture, Search, marker_boxes
from calibration.pdf import MARGIN_MM, PAPERS, Box, Page

COLUMNS, ROWS = 7, 9
SQUARE_MM, MARKER_MM = 25.0, 18.0

FEWEST_CORNERS = 12
"""Corners (of 48) below which a photo of the board says too little to be used."""

_MARKERS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
_BOARD = cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, _MARKERS)


@dataclass(frozen=True)
class BoardSighting:
    """The board in one picture: corners in mm on the board, and their pixels, row by row."""

    corners: Floats
    pixels: Floats
    size: tuple[int, int]
    """Width and height of the picture."""


def find_board(picture: Picture) -> BoardSighting | None:
    """The corners of the board in this picture, or None if too little of it is there."""
    search = Search.of(picture)
    pixels, found, _, _ = cv2.aruco.CharucoDetector(_BOARD).detectBoard(search.gray)
    numbers = cast("MatLike | None", found)  # OpenCV's types forget that there may be none
    if numbers is None or len(numbers) < FEWEST_CORNERS:
        return None
    if _BOARD.checkCharucoCornersCollinear(numbers):
        return None
    corners = np.asarray(_BOARD.getChessboardCorners(), dtype=np.float64)
    height, width = picture.shape[:2]
    return BoardSighting(
        corners=corners[np.ravel(numbers)],
        pixels=search.in_picture(pixels),
        size=(width, height),
    )


def board_pdf(paper: str) -> bytes:
    """The board as a PDF at true size, with a line to check the print by."""
    page = Page(PAPERS[paper], "Trayscore calibration board")
    left = (page.width - COLUMNS * SQUARE_MM) / 2
    top = page.height - MARGIN_MM - 4.0
    page.boxes(_black(left, top))
    below = top - ROWS * SQUARE_MM
    page.ruler((left, below - 10.0))
    page.text(
        (left, below - 17.0),
        f"Trayscore calibration board: {COLUMNS} × {ROWS} squares of {SQUARE_MM:g} mm. "
        "Print at 100 % (actual size).",
    )
    page.text(
        (left, below - 22.5),
        "Lay it flat and fill the picture with it. Take 8 to 12 photos: from above and tilted",
    )
    page.text((left, below - 27.5), "to each side, some with the phone turned by a quarter.")
    return page.to_bytes()


def _black(left: float, top: float) -> list[Box]:
    """Everything black on the board whose top-left corner lies here."""
    squares = [
        (left + column * SQUARE_MM, top - (row + 1) * SQUARE_MM, SQUARE_MM, SQUARE_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if (row + column) % 2 == 0
    ]
    cells: list[Box] = []
    for number, corners in zip(_BOARD.getIds(), _BOARD.getObjPoints(), strict=True):
        x, y, _ = corners[0]  # the board's own axes: x to the right, y downwards
        box = (left + x, top - y - MARKER_MM, MARKER_MM, MARKER_MM)
        cells += marker_boxes(_MARKERS, int(number), box)
    return squares + cells
