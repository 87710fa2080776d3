"""Sets of dice: a design with the material it is printed on. A number gives the same set always."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from lab.high_score.die import Material
from lab.high_score.faces import FAMILIES, SIZE, Design, Floats, Rng, draw_design

_SHARES = (0.3, 0.24, 0.28, 0.14, 0.04)
"""Of the families."""


@dataclass(frozen=True, eq=False)
class DiceSet:
    """A set of dice: all its dice are alike."""

    number: int
    design: Design
    material: Material
    marbling: Floats


@lru_cache(maxsize=512)
def dice_set(number: int) -> DiceSet:
    """The set of this number."""
    rng = np.random.default_rng([20, number])
    design = draw_design(rng, str(rng.choice(FAMILIES, p=_SHARES)))
    return DiceSet(number, design, _material(rng), _marbling(rng))


def plain_color(rng: Rng) -> Floats:
    """A colour as things have them: white, black, grey, wood or any hue; linear, blue first."""
    kind = rng.random()
    if kind < 0.3:
        return _hsv(rng.uniform(20, 60), rng.uniform(0, 0.22), rng.uniform(0.75, 1.0))
    if kind < 0.45:
        return _hsv(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.08, 0.25))
    if kind < 0.55:
        return _hsv(rng.uniform(20, 42), rng.uniform(0.3, 0.65), rng.uniform(0.45, 0.9))
    return _hsv(rng.uniform(0, 360), rng.uniform(0.4, 1.0), rng.uniform(0.25, 1.0))


def ink_color(rng: Rng, body: Floats, least: float) -> Floats:
    """A colour that differs from the body's by at least this much, of about 1."""
    ink = np.zeros(3, np.float32)
    for _ in range(40):
        kind = rng.random()
        if kind < 0.4:
            ink = _hsv(0, 0, rng.uniform(0.02, 0.2))
        elif kind < 0.65:
            ink = _hsv(0, 0, rng.uniform(0.85, 1.0))
        else:
            ink = _hsv(rng.uniform(0, 360), rng.uniform(0.5, 1.0), rng.uniform(0.3, 1.0))
        if float(np.linalg.norm(ink ** (1 / 2.2) - body ** (1 / 2.2))) > least:
            break
    return ink


def _material(rng: Rng) -> Material:
    body = plain_color(rng)
    least = 0.35 if rng.random() < 0.25 else 0.65
    ink = ink_color(rng, body, least)
    last = ink_color(rng, body, least) if rng.random() < 0.4 else ink
    glossy = rng.random() < 0.6
    clear = rng.random() < 0.12
    return Material(
        body=body,
        second=plain_color(rng) if rng.random() < 0.6 else body * np.float32(0.7),
        marble=float(rng.uniform(0.2, 0.6)) if rng.random() < 0.25 else float(rng.uniform(0, 0.08)),
        inks=(ink,) * 5 + (last,),
        rounding=float(rng.uniform(0.03, 0.2)),
        ball=float(rng.uniform(0.68, 0.84)) if rng.random() < 0.6 else 1.0,
        gloss=float(rng.uniform(0.1, 0.6)) if glossy else float(rng.uniform(0.0, 0.1)),
        sharpness=float(rng.uniform(20, 150)) if glossy else float(rng.uniform(4, 20)),
        clear=float(rng.uniform(0.1, 0.3)) if clear else 0.0,
    )


def _marbling(rng: Rng) -> Floats:
    small = rng.random((6, 6)).astype(np.float32)
    smooth = cv2.resize(small, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.4:  # as wood is: drawn out one way
        smooth = cv2.resize(rng.random((24, 3)).astype(np.float32), (SIZE, SIZE))
    return np.asarray(np.clip(2.2 * (smooth - 0.5) + 0.5, 0, 1), np.float32)


def _hsv(hue: float, saturation: float, value: float) -> Floats:
    pixel = np.array([[[hue % 360, saturation, value]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] ** 2.2, np.float32)
