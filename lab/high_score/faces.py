"""Faces of dice: what is printed on them, as masks of ink, in many designs."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Floats = NDArray[np.float32]
Rng = np.random.Generator

SIZE = 96
"""Pixels of a face's mask."""

FAMILIES = ("pips", "pips_vortex", "digits", "letters", "tallies")
"""``pips``: 1 to 6; ``pips_vortex``: 1 to 5 and a vortex; ``letters``: any six glyphs."""

_FONTS = (
    *("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-BoldOblique", "DejaVuSerif", "DejaVuSerif-Bold"),
    *("DejaVuSerif-BoldItalic", "DejaVuSansMono-Bold", "STIXGeneral", "STIXGeneralBol", "cmb10"),
    *("STIXGeneralBolIta", "cmss10", "cmtt10", "cmr10", "cmti10"),
)
_GLYPHS = "ABCDEFGHJKLMNPRSTUVXYZ2345678?&@#%$abdefghkmnrt"


@dataclass(frozen=True)
class Design:
    """The six faces of a set of dice: masks of ink, and which of the readable kinds each is."""

    family: str
    masks: tuple[Floats, ...]
    kinds: tuple[str, ...]
    """Of each face: ``1`` … ``6`` for pips, ``vortex``, or ``other``."""


def draw_design(rng: Rng, family: str) -> Design:
    """A new design of this family."""
    turn = int(rng.integers(4))
    if family.startswith("pips"):
        style = int(rng.integers(1 << 30))
        masks = [_pips(np.random.default_rng(style), count) for count in range(1, 7)]
        kinds = [*"123456"]
        if family == "pips_vortex":
            masks[5], kinds[5] = vortex(rng), "vortex"
    elif family == "tallies":
        masks = [_tallies(rng, count) for count in range(1, 6)] + [vortex(rng)]
        kinds = ["other"] * 5 + ["vortex"]
    else:
        glyphs = [*"12345"] if family == "digits" else [*rng.choice([*_GLYPHS], 6, replace=False)]
        font, size = _FONTS[rng.integers(len(_FONTS))], rng.uniform(0.5, 0.85)
        hershey = int(rng.choice([-1, -1, -1, 0, 2, 3, 4, 5, 6, 7]))
        thick = int(rng.integers(5, 13))
        masks = [_glyph(glyph, font, size, hershey, thick) for glyph in glyphs]
        if family == "digits":
            masks.append(vortex(rng))
        kinds = ["other"] * 5 + ["vortex" if family == "digits" else "other"]
        if rng.random() < 0.2:
            ring = _ring(rng)
            masks = [np.maximum(mask, ring) for mask in masks]
            kinds = ["other"] * 6
        if rng.random() < 0.1:  # a dot under the digit tells how to hold it
            masks = [_dotted(mask) for mask in masks]
    if rng.random() < 0.06:
        border = _border(rng)
        masks = [np.maximum(mask, border) for mask in masks]
    turned = [np.ascontiguousarray(np.rot90(mask, turn)) for mask in masks]
    return Design(family, tuple(turned), tuple(kinds))


def vortex(rng: Rng) -> Floats:
    """A vortex: a spiral, arms, or a pinwheel."""
    y, x = (np.mgrid[:SIZE, :SIZE] + 0.5) / SIZE - 0.5
    radius, angle = np.hypot(x, y) * 2.0, np.arctan2(y, x)
    outer = rng.uniform(0.55, 0.9)
    hand = float(rng.choice([-1, 1]))
    start = rng.uniform(0, 2 * np.pi)
    match int(rng.integers(4)):
        case 0:  # a spiral line
            turns, width = rng.uniform(1.3, 3.2), rng.uniform(0.3, 0.55)
            phase = radius / outer * turns - hand * (angle - start) / (2 * np.pi)
            ink = (phase % 1.0 < width) & (radius < outer)
        case 1:  # a line that becomes thicker outwards
            return _swelling(rng, outer, hand, start)
        case 2:  # curved arms
            arms, bend = int(rng.integers(2, 7)), rng.uniform(1.0, 5.0)
            phase = arms * (angle - start + hand * bend * radius) / (2 * np.pi)
            ink = (phase % 1.0 < rng.uniform(0.35, 0.6)) & (radius < outer)
            ink &= radius > rng.uniform(0.0, 0.25)
        case _:  # a pinwheel of logarithmic arms
            arms, bend = int(rng.integers(1, 5)), rng.uniform(0.8, 2.2)
            log = np.log(np.maximum(radius, 0.03))
            phase = arms * (angle - start) / (2 * np.pi) + hand * bend * log
            ink = (phase % 1.0 < rng.uniform(0.35, 0.6)) & (radius < outer)
    return np.asarray(cv2.GaussianBlur(ink.astype(np.float32), (0, 0), 0.8))


def _swelling(rng: Rng, outer: float, hand: float, start: float) -> Floats:
    mask = np.zeros((SIZE, SIZE), np.float32)
    turns, most = rng.uniform(1.2, 2.6), rng.uniform(2.5, 6.5)
    steps = np.linspace(0.02, 1.0, 240)
    for step in steps:
        angle = start + hand * 2 * np.pi * turns * step
        radius = outer * SIZE / 2 * step ** rng.uniform(0.99, 1.01)
        at = (SIZE / 2 + radius * np.cos(angle), SIZE / 2 + radius * np.sin(angle))
        size = most * (0.45 + 0.55 * step)
        cv2.circle(mask, (round(at[0] * 8), round(at[1] * 8)), round(size * 8), 1.0, -1, 16, 3)
    return mask


def _pips(rng: Rng, count: int) -> Floats:
    """Pips; the same generator gives the same style for every count."""
    mask = np.zeros((SIZE, SIZE), np.float32)
    size, spread = rng.uniform(0.065, 0.13), rng.uniform(0.19, 0.3)
    narrow = spread * rng.uniform(0.7, 1.0)
    large = rng.uniform(1.2, 1.8) if rng.random() < 0.3 else 1.0
    square, turned = rng.random() < 0.06, rng.random() < 0.5
    places = {
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }[count]
    across = narrow if count == 6 else spread
    for column, row in places:
        at = (0.5 + column * across, 0.5 + (row if not turned else -row) * spread)
        radius = size * (large if count == 1 else 1.0) * SIZE
        middle = (round(at[0] * SIZE * 8), round(at[1] * SIZE * 8))
        if square:
            low = tuple(round(c - radius * 7) for c in middle)
            high = tuple(round(c + radius * 7) for c in middle)
            cv2.rectangle(mask, low, high, 1.0, -1, 16, 3)
        else:
            cv2.circle(mask, middle, round(radius * 8), 1.0, -1, 16, 3)
    return mask


def _tallies(rng: Rng, count: int) -> Floats:
    mask = np.zeros((SIZE, SIZE), np.float32)
    thick = int(rng.integers(5, 9))
    for index in range(count):
        x = round(SIZE * (0.5 + (index - (count - 1) / 2) * 0.13))
        cv2.line(mask, (x, round(0.25 * SIZE)), (x, round(0.75 * SIZE)), 1.0, thick, 16)
    return mask


def _glyph(glyph: str, font: str, size: float, hershey: int, thick: int) -> Floats:
    """A glyph in the middle of a face."""
    if hershey >= 0:
        drawn = np.zeros((SIZE, SIZE), np.uint8)
        (width, height), _ = cv2.getTextSize(glyph, hershey, 1.0, 1)
        scale = size * SIZE / max(width, height)
        at = (round(SIZE / 2 - width * scale / 2), round(SIZE / 2 + height * scale / 2))
        cv2.putText(drawn, glyph, at, hershey, scale, 255, thick, 16)
        return np.asarray(drawn / 255, np.float32)
    image = Image.new("L", (SIZE, SIZE))
    pen, face = ImageDraw.Draw(image), _font(font, round(size * SIZE * 1.15))
    left, top, right, bottom = pen.textbbox((0, 0), glyph, font=face)
    pen.text(((SIZE - left - right) / 2, (SIZE - top - bottom) / 2), glyph, fill=255, font=face)
    return np.asarray(np.asarray(image) / 255, np.float32)


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(str(folder / f"{name}.ttf"), size)


def _ring(rng: Rng) -> Floats:
    mask = np.zeros((SIZE, SIZE), np.float32)
    radius = round(SIZE * rng.uniform(0.4, 0.46))
    cv2.circle(mask, (SIZE // 2, SIZE // 2), radius, 1.0, int(rng.integers(2, 5)), 16)
    return mask


def _border(rng: Rng) -> Floats:
    mask = np.zeros((SIZE, SIZE), np.float32)
    low = round(SIZE * rng.uniform(0.04, 0.1))
    cv2.rectangle(mask, (low, low), (SIZE - low, SIZE - low), 1.0, int(rng.integers(2, 5)), 16)
    return mask


def _dotted(mask: Floats) -> Floats:
    mask = mask.copy()
    cv2.circle(mask, (SIZE // 2, round(SIZE * 0.92)), 4, 1.0, -1, 16)
    return mask
