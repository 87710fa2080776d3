"""A reading of cards drawn on its photo."""

import cv2
import numpy as np

from vision.cards.reading import CardsReading
from vision.photo import load_photo

DRAWING_SIZE = 1600
SURE = 0.97
_GREEN, _AMBER, _RED = (80, 170, 60), (0, 160, 240), (60, 60, 220)


def drawn(photo: str, reading: CardsReading) -> bytes:
    """The photo with every card outlined and named, as PNG; raises ``BadImageError``."""
    loaded = load_photo(photo, DRAWING_SIZE)
    picture = loaded.picture.copy()
    line = max(2, round(max(picture.shape) / 500))
    for card in reading.cards:
        corners = (np.array(card.corners) + 0.5) * loaded.scale - 0.5
        color = _RED if card.code is None else _GREEN if card.p >= SURE else _AMBER
        points = np.round(corners).astype(np.int32)
        cv2.polylines(picture, [points], True, color, line, cv2.LINE_AA)
        cv2.circle(picture, points[0].tolist(), 3 * line, color, -1, cv2.LINE_AA)
        at = (int(points[:, 0].min()), int(points[:, 1].max()) + 8 * line)
        text, size = card.code or "?", 0.25 * line
        for ink, width in (((255, 255, 255), 2 * line), (color, line)):
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
    return bytes(cv2.imencode(".png", picture)[1].tobytes())
