"""A reading drawn on its photo: the field, and the letter of every cube on a face that is seen."""

import cv2
import numpy as np

from calibration.camera import View
from rules.cube.building import Building
from vision.cube.building import TURNS
from vision.cube.locating import FIELD
from vision.cube.reader import BoardInPhoto, Reader
from vision.cube.reading import Reading
from vision.cube.sightlines import COLUMNS, SIDE, Ints, lines_through
from vision.photo import BadImageError, Photo, Picture

DRAWING_SIZE = 1024
_LINE, _EDGE = (255, 255, 255), (25, 25, 25)
_DRAWN_EVERY = 4


def draw_reading(photo: Photo, reader: Reader, reading: Reading) -> bytes:
    """The photo with the reading on it, as PNG."""
    picture = photo.picture.copy()
    if reading.board is not None:
        try:
            sight = reader.sight(photo)
        except BadImageError:
            sight = None
        if sight is not None:
            draw_building(picture, sight, reading.board, reader.cube)
    return bytes(cv2.imencode(".png", picture)[1])


def draw_building(picture: Picture, sight: BoardInPhoto, board: Building, cube: float) -> None:
    """Draw the field and the building's letters, in the turn in which the photo fits best."""
    view = sight.view
    field = view.project(FIELD)
    cv2.polylines(picture, [np.int32(np.rint(field))], True, _EDGE, 3, cv2.LINE_AA)  # type: ignore[list-item]
    cv2.polylines(picture, [np.int32(np.rint(field))], True, _LINE, 1, cv2.LINE_AA)  # type: ignore[list-item]
    heights = np.array([len(column) for column in board.columns])
    evidence = sight.evidence
    turn = max(range(4), key=lambda one: evidence.weigh(np.append(heights[TURNS[one]], 9))[0])
    for (x, y), letter in _letters(view, board, heights, turn, cube):
        for ink, width in ((_EDGE, 4), (_LINE, 1)):
            at = (int(x) - 6, int(y) + 6)
            cv2.putText(picture, letter, at, cv2.FONT_HERSHEY_DUPLEX, 0.6, ink, width, cv2.LINE_AA)


def _letters(
    view: View, board: Building, heights: Ints, turn: int, cube: float
) -> list[tuple[tuple[float, float], str]]:
    """Where in the picture (middle of what is seen of it) each cube's letter goes."""
    across = np.arange(0, view.camera.width, _DRAWN_EVERY)
    down = np.arange(0, view.camera.height, _DRAWN_EVERY)
    grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    lines = lines_through(grid, grid.astype(np.float64), view, cube, 0.0)
    own = np.append(heights[TURNS[turn]], 9)
    first = lines.first(own)
    index = np.arange(len(lines))
    column, level = lines.column[index, first], lines.level[index, first]
    found = []
    for local in range(COLUMNS):
        for z in range(int(own[local])):
            mine = lines.cells[(column == local) & (level == z)]
            if len(mine) > SIDE:
                letter = board.columns[TURNS[turn][local]][z]
                middle = np.median(mine, axis=0)
                found.append(((float(middle[0]), float(middle[1])), letter))
    return found
