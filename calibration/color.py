"""What colours are tonight: spheres described so that a change of light changes little.

A colour is taken as *linear* light (sRGB decoded), cleaned of highlights and deep shadow, divided
by the light of the scene (what a white sphere would show), and then put into CIE L*a*b*, where
distances are about what eyes see. White is therefore near (95, 0, 0) under any lamp, black stays
dark beside it, and an orange under a red lamp is an orange again.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Lab = tuple[float, float, float]

WHITE_PAINT = 0.85
"""Share of the light that white paint gives back; what a white sphere shows is this white."""

LIGHTNESS_WEIGHT = 0.5
"""Shade and shape change lightness more than hue: differences in it count half."""

_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE_XYZ = _TO_XYZ.sum(axis=1)


def to_linear(bgr: NDArray[np.uint8]) -> Array:
    """Linear red, green, blue (…, 3) in 0 … 1 of stored sRGB pixels in OpenCV's order."""
    return _DECODED[bgr[..., ::-1]]


def to_lab(linear: Array) -> Array:
    """CIE L*a*b* (…, 3) of linear sRGB under its own white."""
    xyz = np.maximum(linear @ _TO_XYZ.T / _WHITE_XYZ, 0.0)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _decoded() -> Array:
    stored = np.arange(256) / 255
    return np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)


_DECODED = _decoded()


@dataclass(frozen=True)
class SceneLight:
    """The light of a scene: what a perfectly white thing would show, linear red, green, blue."""

    white: tuple[float, float, float]

    @classmethod
    def from_white_sphere(cls, linear: Array) -> "SceneLight":
        """The light in which a white sphere shows this colour."""
        red, green, blue = (np.maximum(linear, 1e-4) / WHITE_PAINT).tolist()
        return cls((red, green, blue))

    def lab(self, linear: Array) -> Array:
        """How colours (…, 3) seen in this light look in white light."""
        return to_lab(linear / np.array(self.white))


def body_color(pixels: Array) -> Array:
    """The paint's colour (3,) from a sphere's pixels (n, 3), linear.

    The brightest tenth is highlight and the darkest third is its own shade and what the
    neighbours shut out; the rest is averaged without its extremes.
    """
    brightness = pixels @ _TO_XYZ[1]
    low, high = np.quantile(brightness, [0.33, 0.90])
    body = pixels[(brightness >= low) & (brightness <= high)]
    return np.asarray(np.median(body, axis=0), dtype=np.float64)


def differences(labs: Array, references: Array) -> Array:
    """Perceptual differences (n, m) between colours and references, lightness counting less."""
    weight = np.array([LIGHTNESS_WEIGHT, 1.0, 1.0])
    apart = (labs[:, None] - references[None]) * weight
    return np.asarray(np.linalg.norm(apart, axis=-1), dtype=np.float64)


def assign(labs: Array, references: Array, each: int) -> tuple[NDArray[np.int64], float]:
    """Which reference each colour is, every one ``each`` times, and the sum of differences.

    Exactly the cheapest: colours are named one after the other, and for each tally of how often
    every reference was taken so far, only the cheapest way to it is kept. A tally is a number
    whose digits, in base ``each + 1``, are those counts.
    """
    costs = differences(labs, references)
    digit = (each + 1) ** np.arange(len(references))[:, None]
    tallies = np.arange((each + 1) ** len(references))
    before = np.where(tallies // digit % (each + 1) > 0, tallies - digit, -1)
    cheapest = np.full(len(tallies) + 1, np.inf)  # its last entry: there is no way
    cheapest[0] = 0.0
    taken = []
    for row in costs:
        ways = cheapest[before] + row[:, None]
        taken.append(ways.argmin(axis=0))
        cheapest[:-1] = ways.min(axis=0)
    tally = int(cheapest.argmin())
    which = np.empty(len(labs), dtype=np.int64)
    for colour in reversed(range(len(labs))):
        which[colour] = taken[colour][tally]
        tally = before[which[colour], tally]
    return which, float(costs[np.arange(len(labs)), which].sum())
