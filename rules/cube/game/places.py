"""Spaces and cubes as events write them: ``x,y`` and ``x,y,z``."""

import re

from rules.cube.building import Cube, Space
from rules.playing import IllegalMove


def space_at(text: str) -> Space:
    """The space of a text; raises ``bad_space`` if it is none."""
    if not re.fullmatch(r"[0-3],[0-3]", text):
        raise IllegalMove("bad_space", f"{text!r} is no space: write it like 0,3.")
    x, y = map(int, text.split(","))
    return x, y


def cube_at(text: str) -> Cube:
    """The cube of a text; raises ``bad_cube`` if it is none."""
    if not re.fullmatch(r"[0-3],[0-3],[0-3]", text):
        raise IllegalMove("bad_cube", f"{text!r} is no cube: write it like 0,3,1.")
    x, y, z = map(int, text.split(","))
    return x, y, z
