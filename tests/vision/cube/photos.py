"""Photos of buildings, drawn by the lab."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from lab.cube.render import draw
from lab.cube.scene import CLASSIC, PAINTS, BoardScene, random_board, random_building, random_scene

SIZE = (960, 720)
LETTERS = "RYBG"
"""Of the classic colours, in the lab's order."""


@cache
def scene(seed: int, kind: str) -> BoardScene:
    """A building on a board with the classic colours, seen from before it or from above."""
    rng = np.random.default_rng(seed)
    paints = tuple(PAINTS[name] for name in CLASSIC)
    board = replace(random_board(rng), colors=paints, names=CLASSIC, cube=0.9)
    building = random_building(rng)
    shot = np.random.default_rng([seed, len(kind)])
    return random_scene(shot, SIZE, board=board, building=building, kind=kind)


@cache
def photo(seed: int, kind: str) -> bytes:
    drawn = draw(scene(seed, kind), np.random.default_rng(seed))
    return cv2.imencode(".jpg", drawn.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def columns(shown: BoardScene) -> tuple[str, ...]:
    """The building's columns as ``Building`` has them: row 0 is the far one."""
    return tuple(
        "".join(LETTERS[color] for color in shown.colors[row, column] if color >= 0)
        for row in range(4)
        for column in range(4)
    )
