"""The paints of a set of spheres: five colours that any eye tells apart."""

import numpy as np

from lab.rendering.colors import Rng, Span, lab, random_color
from lab.rendering.scene import RGB

PAINTS: dict[str, tuple[Span, Span, Span]] = {
    "O": ((16, 40), (0.7, 1.0), (0.7, 1.0)),
    "B": ((200, 245), (0.55, 1.0), (0.25, 0.95)),
    "G": ((90, 168), (0.4, 0.95), (0.22, 0.8)),
    "K": ((0, 360), (0.0, 0.3), (0.03, 0.2)),
    "W": ((15, 75), (0.0, 0.16), (0.82, 1.0)),
}
"""Hue (degrees), saturation and value that paint of each colour is drawn from: wider than any
one set of spheres, up to what players would still call by that name."""

_APART = 22.0
"""Two colours of one set differ by this much in CIE L*a*b* at least, or nobody could play."""


def draw_paints(rng: Rng) -> dict[str, RGB]:
    """A linear colour for each of the five letters, told apart by any eye."""
    while True:
        paints = {letter: random_color(rng, *spans) for letter, spans in PAINTS.items()}
        seen = np.array([lab(color) for color in paints.values()])
        apart = np.linalg.norm(seen[:, None] - seen[None], axis=-1)
        if apart[np.triu_indices(len(paints), 1)].min() > _APART:
            return paints
