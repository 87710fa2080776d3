"""The four colours of a set of cubes, and how alike a picture's pixels are to each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

CHROMA_SPREAD = 0.45
"""How far (in natural logarithms of ratios of linear colours) light shifts a colour."""
DARKEST = 0.01
"""Added to linear colours: what is darker tells no colour."""


@dataclass(frozen=True)
class Palette:
    """Letters of the four colours and how each looked when it was measured."""

    letters: str
    colors: tuple[tuple[float, float, float], ...]
    """Red, green, blue as in a picture's file, 0 … 255."""


CLASSIC = Palette("RYBG", ((190, 40, 42), (228, 178, 45), (45, 85, 175), (52, 130, 62)))
"""Red, yellow, blue, green by daylight."""


def opponent(linear: Floats) -> tuple[Floats, Floats]:
    """Log brightness (…) and log chroma (…, 2) of linear colours (…, 3) in red, green, blue."""
    logs = np.log(linear + DARKEST)
    red, green, blue = logs[..., 0], logs[..., 1], logs[..., 2]
    bright = (red + green + blue) / 3
    return bright, np.stack([red - green, (red + green) / 2 - blue], axis=-1)


_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


def likeness(picture: NDArray[np.uint8], palette: Palette) -> Floats:
    """(8, rows, columns): for each colour how alike the hue is (0…1) and how much brighter."""
    bright, chroma = opponent(_LINEAR[picture[..., ::-1]])
    marks = np.asarray(
        (np.array(palette.colors, np.float32) / 255.0) ** np.float32(2.2), np.float32
    )
    own_bright, own_chroma = opponent(marks)
    found = []
    for light, hue in zip(own_bright, own_chroma, strict=True):
        apart = ((chroma - hue) ** 2).sum(axis=-1)
        found.append(np.exp(-apart / (2 * CHROMA_SPREAD**2)))
        found.append(np.tanh((bright - light) / 1.5))
    return np.stack(found).astype(np.float32)
