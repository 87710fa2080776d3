"""Photos of cards on a table, drawn flat and then tilted."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from calibration.fiducials import Picture
from lab.cards.designs import DeckDesign, random_deck

WIDE, HIGH = 1280, 960
TABLE = (70, 95, 120)
CARD = 150
"""Width of a card in pixels."""


@cache
def deck(seed: int, count: int = 12) -> DeckDesign:
    return random_deck(np.random.default_rng(seed), count)


def photo(cards: Sequence[Picture], columns: int, tilt: float = 0.0, turns: str = "") -> Picture:
    """A photo of cards row by row; ``turns`` has a number of quarters for each."""
    rows = -(-len(cards) // columns)
    picture = np.full((HIGH, WIDE, 3), TABLE, np.uint8)
    for index, card in enumerate(cards):
        quarter = int(turns[index]) if turns else 0
        high = round(CARD * card.shape[0] / card.shape[1])
        shown = np.rot90(cv2.resize(card, (CARD, high), interpolation=cv2.INTER_AREA), -quarter)
        row, column = divmod(index, columns)
        x = round((column + 0.5) * WIDE / columns - shown.shape[1] / 2)
        y = round((row + 0.5) * HIGH / rows - shown.shape[0] / 2)
        picture[y : y + shown.shape[0], x : x + shown.shape[1]] = shown
    frame = np.array([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]], np.float32)
    inward = np.array([[1, 1], [-1, 1], [0, 0], [0, 0]]) * (WIDE * 0.5 * tilt, HIGH * 0.4 * tilt)
    warp = cv2.getPerspectiveTransform(frame, (frame + inward).astype(np.float32))
    seen = cv2.warpPerspective(picture, warp, (WIDE, HIGH), borderValue=TABLE)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7), np.uint8)


def jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
