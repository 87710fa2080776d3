"""A board's profile from its start photo: one cube of each colour on the corners of the field."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.cube.colors import CLASSIC, Palette
from calibration.cube.names import name_colors
from calibration.cube.profile import BoardProfile
from calibration.edges import smooth
from vision.cube.locating import locate
from vision.cube.network import Seen, see
from vision.cube.refining import refined
from vision.cube.sightlines import COLUMNS
from vision.photo import Photo, Picture
from vision.quality import is_grey

CORNER_COLUMNS = (0, 3, 15, 12)
"""Numbers of the corner columns, clockwise from the far left."""
_MIDDLES = ((0.5, 3.5), (3.5, 3.5), (3.5, 0.5), (0.5, 0.5))
CUBE, BORDER = 0.9, 0.4
"""What is assumed of a board before it is measured."""
LEAST_CUBE = 0.25
"""Least mean probability that the middle of a corner shows a cube."""
_PATCH = 0.3


class RefusedStartError(Exception):
    """Why a start photo cannot be measured, and what to do."""


@dataclass(frozen=True)
class Measured:
    """A profile and the view by which it was measured."""

    profile: BoardProfile
    view: View


def measure(photo: Photo, name: str, letters: str | None) -> Measured:
    """The profile of the board in a start photo.

    ``letters`` name the corner cubes, clockwise from the upper left of the picture. Raises
    ``RefusedStartError``.
    """
    if is_grey(photo.picture):
        raise RefusedStartError("The photo is in black and white; colours cannot be measured.")
    palette = CLASSIC
    for _ in range(3):  # what the colours are helps to find the board, and the other way round
        seen, view = _located(photo, palette)
        colors = tuple(_color(photo.picture, view, x, y) for x, y in _MIDDLES)
        palette = Palette(palette.letters, colors)
    if _cubes_on_corners(seen, view) < LEAST_CUBE:
        raise RefusedStartError(
            "I can't see a cube on each of the four corners. Put one cube of each colour there, "
            "leave the other spaces empty, and take the photo from above."
        )
    named = letters or name_colors(colors)
    if named is None or len(set(named)) < len(named):
        raise RefusedStartError(
            "Two of the colours look alike. Name them with --corners, clockwise from the upper "
            "left of the picture, such as --corners GBYR."
        )
    order = sorted(range(4), key=lambda index: named[index])
    sorted_palette = Palette(
        "".join(named[index] for index in order), tuple(colors[index] for index in order)
    )
    return Measured(BoardProfile(name, sorted_palette, CUBE, BORDER), view)


def _located(photo: Photo, palette: Palette) -> tuple[Seen, View]:
    height, width = photo.picture.shape[:2]
    seen = see(photo.picture, palette)
    found = locate(seen, (width, height), photo.focal_px)
    if not found:
        raise RefusedStartError(
            "I can't find a board in this photo. Take it from above, with the whole board in the "
            "picture and one cube of each colour on its corners."
        )
    heights = np.zeros(COLUMNS, np.int64)
    heights[list(CORNER_COLUMNS)] = 1
    view = refined(smooth(photo.picture), found[0].view, heights, CUBE, photo.focal_px)
    return seen, view


def _color(picture: Picture, view: View, x: float, y: float) -> tuple[float, float, float]:
    """Red, green and blue of the top of a cube there."""
    steps = np.linspace(-_PATCH, _PATCH, 9)
    spots = np.array([(x + dx, y + dy, CUBE) for dx in steps for dy in steps])
    pixels = np.rint(view.project(spots)).astype(np.int64)
    height, width = picture.shape[:2]
    columns, rows = pixels[:, 0].clip(0, width - 1), pixels[:, 1].clip(0, height - 1)
    blue, green, red = np.median(picture[rows, columns], axis=0)
    return float(red), float(green), float(blue)


def _cubes_on_corners(seen: Seen, view: View) -> float:
    """How probable it is, at the least sure corner, that a cube stands there."""
    tops = np.array([(x, y, CUBE) for x, y in _MIDDLES])
    cells = np.rint(seen.to_cells(view.project(tops))).astype(np.int64)
    rows, columns = seen.surfaces.shape[1:]
    x, y = cells[:, 0].clip(0, columns - 1), cells[:, 1].clip(0, rows - 1)
    shown: NDArray[np.float32] = np.exp(seen.surfaces[2:, y, x]).sum(axis=0)
    return float(shown.min())
