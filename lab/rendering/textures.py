"""Seamless tiles for tables: albedo in linear RGB, made of filtered noise and simple patterns."""

from collections.abc import Callable

import cv2
import numpy as np

from lab.rendering.colors import linear, random_color
from lab.rendering.scene import RGB, Floats

_SIZE = 512
Rng = np.random.Generator


def draw_tile(rng: Rng, name: str) -> tuple[Floats, float]:
    """A tile of this pattern, and how many mm one of its pixels covers."""
    tile, mm_per_px = PATTERNS[name](rng)
    return np.ascontiguousarray(np.clip(tile, 0.003, 0.95), dtype=np.float32), mm_per_px


def noise(rng: Rng, fine: float, stretch: float = 1.0, slope: float = 1.0) -> Floats:
    """Seamless noise (size, size) of mean 0 and deviation 1.

    ``fine`` is the smallest detail in pixels, ``stretch`` draws it out sideways, ``slope`` sets
    how much large features outweigh small ones.
    """
    spectrum = np.fft.rfft2(rng.standard_normal((_SIZE, _SIZE)))
    fy = np.fft.fftfreq(_SIZE)[:, None]
    fx = np.fft.rfftfreq(_SIZE)[None] * stretch
    frequency = np.hypot(fx, fy)
    spectrum *= np.exp(-((frequency * fine) ** 2)) / (frequency + 2.0 / _SIZE) ** slope
    spectrum[0, 0] = 0.0
    field = np.fft.irfft2(spectrum, (_SIZE, _SIZE))
    return np.asarray(field / field.std(), dtype=np.float32)


def _blend(first: RGB, second: RGB, weight: Floats) -> Floats:
    share = np.clip(weight, 0.0, 1.0)[..., None]
    return np.asarray(np.array(first) * (1.0 - share) + np.array(second) * share, np.float32)


def _plain(rng: Rng) -> tuple[Floats, float]:
    tile = np.full((_SIZE, _SIZE, 3), random_color(rng), dtype=np.float32)
    return tile * (1.0 + rng.uniform(0.0, 0.06) * noise(rng, 2.0, slope=0.6))[..., None], 0.5


def _wood(rng: Rng) -> tuple[Floats, float]:
    hue, value = rng.uniform(14, 40), rng.uniform(0.18, 0.85)
    dark = linear(hue, rng.uniform(0.3, 0.75), value * rng.uniform(0.5, 0.85))
    light = linear(hue + rng.uniform(-4, 6), rng.uniform(0.2, 0.6), value)
    rings = noise(rng, 3.0, stretch=rng.uniform(8, 30), slope=1.6)
    fibres = noise(rng, 1.0, stretch=rng.uniform(15, 40), slope=0.3)
    grain = 0.5 + 0.5 * np.sin(rng.uniform(2, 9) * rings) + 0.15 * fibres
    tile = _blend(dark, light, grain)
    if rng.random() < 0.4:  # planks
        plank = np.arange(_SIZE) % (_SIZE // int(rng.integers(2, 6)))
        tile[plank < 2] *= 0.4
    return tile, rng.uniform(0.3, 0.9)


def _check(rng: Rng) -> tuple[Floats, float]:
    cells = int(rng.choice([2, 4, 8]))
    y, x = np.mgrid[:_SIZE, :_SIZE] * cells // _SIZE
    odd = ((x + y) % 2).astype(np.float32)
    if rng.random() < 0.3:  # gingham
        odd = ((x % 2) + (y % 2)).astype(np.float32) / 2
    tile = _blend(random_color(rng), random_color(rng), cv2.blur(odd, (3, 3)))
    tile *= (1.0 + rng.uniform(0.0, 0.05) * noise(rng, 1.5, slope=0.5))[..., None]
    return tile, rng.uniform(12, 45) * cells / _SIZE


def _stripes(rng: Rng) -> tuple[Floats, float]:
    count = int(rng.choice([4, 8, 16]))
    phase = np.arange(_SIZE) * count / _SIZE % 1.0
    bands = (phase < rng.uniform(0.2, 0.8)).astype(np.float32)
    tile = _blend(random_color(rng), random_color(rng), np.tile(bands, (_SIZE, 1)))
    return tile, rng.uniform(8, 40) * count / _SIZE


def _cloth(rng: Rng) -> tuple[Floats, float]:
    y, x = np.mgrid[:_SIZE, :_SIZE].astype(np.float32)
    pitch = 2 * np.pi * int(rng.choice([64, 128])) / _SIZE
    weave = np.sin(pitch * x) * np.sin(pitch * y)
    folds = noise(rng, 40.0, slope=1.5)
    shade = 1.0 + rng.uniform(0.03, 0.15) * weave + rng.uniform(0.0, 0.12) * folds
    shade += 0.05 * noise(rng, 1.0, slope=0.2)
    return np.array(random_color(rng)) * shade[..., None], rng.uniform(0.25, 0.5)


def _marble(rng: Rng) -> tuple[Floats, float]:
    veins = np.abs(noise(rng, 3.0, slope=1.7)) ** rng.uniform(0.4, 1.0)
    base = random_color(rng, value=(0.25, 0.95), saturation=(0.0, 0.25))
    vein = random_color(rng, value=(0.1, 0.8), saturation=(0.0, 0.3))
    return _blend(vein, base, veins * rng.uniform(0.6, 1.6)), rng.uniform(0.3, 0.9)


def _mat(rng: Rng) -> tuple[Floats, float]:
    color = random_color(rng, saturation=(0.3, 1.0), value=(0.1, 0.8))
    speckle = noise(rng, 1.2, slope=0.1)
    return np.array(color) * (1.0 + rng.uniform(0.05, 0.2) * speckle)[..., None], 0.4


def _terrazzo(rng: Rng) -> tuple[Floats, float]:
    tile = np.full((_SIZE, _SIZE, 3), random_color(rng, saturation=(0.0, 0.3)), dtype=np.float32)
    for _ in range(int(rng.integers(60, 300))):
        centre = (int(rng.integers(20, _SIZE - 20)), int(rng.integers(20, _SIZE - 20)))
        axes = (int(rng.integers(3, 15)), int(rng.integers(3, 15)))
        cv2.ellipse(tile, centre, axes, float(rng.uniform(0, 180)), 0, 360, random_color(rng), -1)
    return tile, rng.uniform(0.3, 0.8)


def _print(rng: Rng) -> tuple[Floats, float]:
    """Printed matter: a game board or magazine of boxes, discs and lines of text."""
    tile = np.full((_SIZE, _SIZE, 3), random_color(rng, value=(0.5, 1.0)), dtype=np.float32)
    for _ in range(int(rng.integers(4, 14))):
        x, y, width, height = (int(n) for n in rng.integers(10, 220, 4))
        end = (min(2 * x + width, _SIZE - 2), min(2 * y + height, _SIZE - 2))
        cv2.rectangle(tile, (2 * x, 2 * y), end, random_color(rng), int(rng.choice([-1, 2, 4])))
    for _ in range(int(rng.integers(0, 8))):
        centre = (int(rng.integers(60, _SIZE - 60)), int(rng.integers(60, _SIZE - 60)))
        cv2.circle(tile, centre, int(rng.integers(10, 55)), random_color(rng), -1, cv2.LINE_AA)
    for row in range(20, _SIZE - 20, int(rng.integers(9, 30))):
        for start in range(20, _SIZE - 60, 40):
            width = int(rng.integers(8, 36))
            cv2.line(tile, (start, row), (start + width, row), (0.03, 0.03, 0.03), 2)
    return tile, rng.uniform(0.4, 1.0)


PATTERNS: dict[str, Callable[[Rng], tuple[Floats, float]]] = {
    "plain": _plain,
    "wood": _wood,
    "check": _check,
    "stripes": _stripes,
    "cloth": _cloth,
    "marble": _marble,
    "mat": _mat,
    "terrazzo": _terrazzo,
    "print": _print,
}
"""The patterns by the names that truth gives them."""
