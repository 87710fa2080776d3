"""A hand that reaches over the tray: fingers as rows of balls that run into each other."""

import numpy as np

from lab.dimension.setting import Setting
from lab.rendering.colors import linear
from lab.rendering.scene import Ball, Floats, Paint

Rng = np.random.Generator
_FINGER = 0.42  # radius of a finger over the diameter of a sphere


def draw_hand(rng: Rng, setting: Setting) -> tuple[Ball, ...]:
    """Three or four fingers and the back of a hand, the tips above or beside the tray's middle."""
    sphere = setting.profile.sphere_mm
    skin = Paint(
        linear(rng.uniform(12, 32), rng.uniform(0.25, 0.6), rng.uniform(0.3, 0.95)), 0.2, 0.3
    )
    around = rng.uniform(0, 2 * np.pi)
    inward = -np.array([np.cos(around), np.sin(around), 0.0])
    sideways = np.array([inward[1], -inward[0], 0.0])
    tip = inward * sphere * rng.uniform(-2.5, 0.5) + (0.0, 0.0, sphere * rng.uniform(0.8, 2.2))
    wrist = tip - inward * sphere * 5.0 + (0.0, 0.0, sphere * rng.uniform(0.5, 2.0))
    balls = []
    for finger in range(int(rng.integers(2, 5))):
        aside = sideways * sphere * (finger - 1.5)
        shorter = -inward * sphere * rng.uniform(0.0, 0.8)
        balls += _row(tip + aside + shorter, wrist + 0.8 * aside, _FINGER * sphere, skin)
    balls += _row(wrist, wrist - inward * sphere * 8.0, 1.4 * sphere, skin)
    return tuple(balls)


def _row(start: Floats, end: Floats, radius: float, skin: Paint) -> list[Ball]:
    """Balls from start to end, each half within the next: bumpy, as hands are."""
    count = max(int(np.linalg.norm(end - start) / (0.8 * radius)), 2)
    places = start + (end - start) * np.linspace(0.0, 1.0, count)[:, None]
    return [Ball((float(x), float(y), float(z)), radius, skin) for x, y, z in places]
