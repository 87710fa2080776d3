"""A reading drawn on its photo: a frame and a chip with the value on each top face."""

import cv2
import numpy as np

from vision.drawing import INK, PAPER, Canvas, ChipStyle, Color
from vision.high_score.reading import DiceReading
from vision.photo import Photo, Picture

DRAWING_SIZE = 1280
_SURE: Color = (90, 200, 90)
_DOUBT: Color = (40, 220, 255)
_LEANING: Color = (60, 50, 235)
_CHIP = ChipStyle((245, 245, 245), INK)
_DOUBTED = ChipStyle((30, 30, 30), PAPER, circle=True)


def draw(photo: Photo, reading: DiceReading) -> Picture:
    """The photo with its reading drawn on it: doubts with a question mark, leaning dice a slash."""
    canvas = Canvas(photo.picture.copy())
    for die in reading.seen:
        sure = die.p >= 0.9 and not die.cocked
        corners = (np.array(die.corners).reshape(-1, 2) + 0.5) * photo.scale - 0.5
        color = _LEANING if die.cocked else _SURE if sure else _DOUBT
        outline = np.round(corners).astype(np.int32)
        cv2.polylines(canvas.picture, [outline], True, color, 2, cv2.LINE_AA)
        radius = max(8.0, 0.22 * die.side * photo.scale)
        at = corners.max(axis=0)
        mark = "/" if die.cocked else die.value if sure else f"{die.value}?"
        canvas.chip((float(at[0]), float(at[1])), radius, _CHIP if sure else _DOUBTED, mark)
    canvas.title(f"{reading.dice or reading.status} ({reading.status})")
    return canvas.picture
