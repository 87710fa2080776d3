"""Letters for colours by what they look like."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from calibration.cube.colors import opponent

LOOKS: dict[str, tuple[float, float, float]] = {
    "R": (0.55, 0.035, 0.04),
    "Y": (0.75, 0.46, 0.03),
    "B": (0.03, 0.11, 0.48),
    "G": (0.04, 0.26, 0.06),
    "O": (0.75, 0.20, 0.02),
    "W": (0.80, 0.79, 0.75),
    "K": (0.025, 0.025, 0.028),
    "N": (0.55, 0.38, 0.20),
}
"""Linear red, green, blue by daylight of red, yellow, blue, green, orange, white, black, natural
wood."""
_BRIGHTNESS = 0.35
"""How much a difference of brightness counts beside one of hue: light changes it most."""


def name_colors(colors: Sequence[tuple[float, float, float]]) -> str | None:
    """A letter for each of the colours (0 … 255), all different and together the likeliest."""
    linear = np.power(np.array(colors) / 255, 2.2).astype(np.float32)
    bright, chroma = opponent(linear)
    looks = np.array(list(LOOKS.values()), np.float32)
    own_bright, own_chroma = opponent(looks)
    apart = ((chroma[:, None] - own_chroma[None]) ** 2).sum(axis=-1)
    spread = bright[:, None] - own_bright[None]
    letters, best, least = list(LOOKS), None, np.inf
    for chosen in permutations(range(len(letters)), len(colors)):
        index = (np.arange(len(colors)), np.array(chosen))
        exposure = spread[index].mean()  # a photo may be darker or brighter as a whole
        cost = apart[index].sum() + (_BRIGHTNESS * (spread[index] - exposure) ** 2).sum()
        if cost < least:
            least, best = cost, "".join(letters[one] for one in chosen)
    return best
