"""Colours: drawn as hue, saturation and value, used as linear RGB."""

import colorsys

import cv2
import numpy as np

from lab.rendering.scene import RGB, Floats

Rng = np.random.Generator
Span = tuple[float, float]


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
