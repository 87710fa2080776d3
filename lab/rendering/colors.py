"""Colours: drawn as hue, saturation and value, used as linear RGB."""

import colorsys

import cv2
import numpy as np

from lab.rendering.scene import RGB, Floats

Rng = np.random.Generator
Span = tuple[float, float]

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


def linear(hue: float, saturation: float, value: float) -> RGB:
    """Linear RGB of a colour given as on a screen."""
    rgb = colorsys.hsv_to_rgb(hue / 360 % 1.0, saturation, value)
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return r, g, b


def encode(color: Floats) -> Floats:
    """Screen values 0…1 of linear ones."""
    clipped = np.clip(color, 0.0, 1.0)
    low, high = clipped * 12.92, 1.055 * np.maximum(clipped, 1e-6) ** (1 / 2.4) - 0.055
    return np.where(clipped <= 0.0031308, low, high).astype(np.float32)


def lab(color: RGB) -> Floats:
    """CIE L*a*b* (3,) of a linear colour."""
    screen = encode(np.array([[color]], dtype=np.float32))
    return np.asarray(cv2.cvtColor(screen, cv2.COLOR_RGB2Lab)[0, 0], dtype=np.float32)


def random_color(
    rng: Rng,
    hue: Span = (0.0, 360.0),
    saturation: Span = (0.0, 0.9),
    value: Span = (0.08, 0.98),
) -> RGB:
    """A linear colour from these spans."""
    return linear(rng.uniform(*hue), rng.uniform(*saturation), rng.uniform(*value))


def draw_paints(rng: Rng) -> dict[str, RGB]:
    """A linear colour for each of the five letters, told apart by any eye."""
    while True:
        paints = {letter: random_color(rng, *spans) for letter, spans in PAINTS.items()}
        seen = np.array([lab(color) for color in paints.values()])
        apart = np.linalg.norm(seen[:, None] - seen[None], axis=-1)
        if apart[np.triu_indices(5, 1)].min() > _APART:
            return paints
