"""Tables without a tray that might be taken for one: fruit on a plate, egg boxes, racks."""

from collections.abc import Callable

import numpy as np

from lab.dimension.arrange import (
    Arrangement,
    TakenPlaces,
    ball_on_table,
    box_block,
    clutter,
    disc_block,
)
from lab.dimension.setting import Setting
from lab.rendering.colors import linear, random_color
from lab.rendering.scene import Ball, Block, Floats, Paint, Recesses
from rules.dimension.layout import COLORS

Rng = np.random.Generator
Things = tuple[list[Block], list[Ball]]


def arrange_negative(rng: Rng, setting: Setting) -> Arrangement:
    """Things on a table, none of which is a tray."""
    build = _KINDS[int(rng.integers(len(_KINDS)))]
    blocks, balls = build(rng, setting)
    places = TakenPlaces([(ball.centre[0], ball.centre[1], ball.radius) for ball in balls])
    for block in blocks:
        x, y = block.middle.tolist()
        places.taken.append((x, y, block.reach))
    more, cards = clutter(rng, setting, places, 6.0 * setting.profile.sphere_mm)
    return Arrangement(None, {}, tuple(balls), (*blocks, *more), cards)


def _paint(rng: Rng, setting: Setting) -> Paint:
    return setting.paints[str(rng.choice(list(COLORS)))]


def _only_clutter(_rng: Rng, _setting: Setting) -> Things:
    return [], []


def _scattered(rng: Rng, setting: Setting) -> Things:
    """Spheres of the game, anywhere, without a tray."""
    places, radius = TakenPlaces(), setting.profile.sphere_radius_mm
    spots = [places.place(rng, radius, 8 * radius) for _ in range(int(rng.integers(3, 16)))]
    z = setting.table.z
    return [], [ball_on_table(at, radius, z, _paint(rng, setting)) for at in spots if at]


def _plate_of_fruit(rng: Rng, setting: Setting) -> Things:
    """Oranges, limes or plums on a plate, some on top of others."""
    radius = setting.profile.sphere_radius_mm * rng.uniform(1.0, 2.0)
    hue = rng.choice([rng.uniform(15, 50), rng.uniform(80, 130), rng.uniform(0, 360)])
    plate = Paint(random_color(rng, value=(0.4, 0.97)), rng.uniform(0.0, 0.8), 0.05)
    z = setting.table.z
    blocks = [disc_block((0.0, 0.0), 4.2 * radius, z, rng.uniform(3, 10), plate)]
    balls = []
    ring = np.concatenate([[[0.0, 0.0]], _ring(6, 2.05 * radius, rng.uniform(0, 60))])
    for x, y in ring[: int(rng.integers(3, 8))]:
        skin = Paint(
            linear(hue + rng.uniform(-8, 8), rng.uniform(0.6, 1.0), rng.uniform(0.5, 1.0)), 0.4, 0.1
        )
        balls.append(Ball((float(x), float(y), blocks[0].top + radius), radius, skin))
    if len(balls) == 7 and rng.random() < 0.5:
        above = blocks[0].top + radius + 1.63 * radius
        x, y = _ring(1, 2.05 * radius / np.sqrt(3), rng.uniform(0, 60))[0]
        balls.append(Ball((float(x), float(y), above), radius, balls[0].paint))
    return blocks, balls


def _egg_box(rng: Rng, setting: Setting) -> Things:
    """Rows of holes, some with eggs, in a box."""
    radius = setting.profile.sphere_radius_mm
    rows, columns, gap = int(rng.integers(2, 5)), int(rng.integers(3, 7)), rng.uniform(2.1, 2.8)
    y, x = np.mgrid[:rows, :columns].reshape(2, -1) * gap * radius
    spots = np.stack([x - x.mean(), y - y.mean()], axis=1).astype(np.float32)
    paint = Paint(random_color(rng))
    high = radius * rng.uniform(0.4, 1.0)
    z = setting.table.z
    half = np.abs(spots).max(axis=0)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float32) * half
    recesses = Recesses(spots, spots, 0.75 * radius, z + 0.2, Paint(random_color(rng)))
    box = Block(corners, 1.4 * radius, z + high, z, paint, paint, recesses=recesses)
    balls = []
    for at in spots[rng.random(len(spots)) < rng.uniform(0.0, 1.0)]:
        centre = (float(at[0]), float(at[1]), box.top + 0.66 * radius)
        balls.append(Ball(centre, radius, _paint(rng, setting)))
    return [box], balls


def _rack(rng: Rng, setting: Setting) -> Things:
    """A triangle of balls as before a game of billiards."""
    radius = setting.profile.sphere_radius_mm * rng.uniform(0.9, 1.6)
    turn = rng.uniform(0, 2 * np.pi)
    balls = []
    for row in range(int(rng.integers(3, 6))):
        for place in range(row + 1):
            spot = np.array([(place - row / 2) * 2.03, (row - 2) * 1.76]) * radius
            x = float(spot[0] * np.cos(turn) - spot[1] * np.sin(turn))
            y = float(spot[0] * np.sin(turn) + spot[1] * np.cos(turn))
            balls.append(ball_on_table((x, y), radius, setting.table.z, _paint(rng, setting)))
    return [], balls


def _palette(rng: Rng, setting: Setting) -> Things:
    """A painter's palette or muffin tin: a disc with a ring of wells that is not ours."""
    radius = setting.profile.sphere_radius_mm
    count = int(rng.choice([4, 5, 8, 9, 10]))
    spots: Floats = _ring(count, radius * 1.35 / np.sin(np.pi / count), rng.uniform(0, 360))
    z, paint = setting.table.z, Paint(random_color(rng), rng.uniform(0, 0.6))
    reach = float(np.linalg.norm(spots[0])) + 1.6 * radius
    recesses = Recesses(spots, spots, rng.uniform(0.6, 1.1) * radius, z + 0.2, paint)
    block = Block(np.zeros((1, 2), np.float32), reach, z + 6.0, z, paint, paint, recesses=recesses)
    return [block], []


def _cups(rng: Rng, setting: Setting) -> Things:
    """Cups and boxes: round and square things larger than spheres."""
    places, blocks = TakenPlaces(), []
    sphere = setting.profile.sphere_mm
    for _ in range(int(rng.integers(1, 5))):
        radius = sphere * rng.uniform(0.8, 2.5)
        if spot := places.place(rng, radius, 4 * sphere):
            build_round = rng.random() < 0.5
            height, paint = sphere * rng.uniform(0.3, 2.0), Paint(random_color(rng), 0.4)
            blocks.append(
                disc_block(spot, radius, setting.table.z, height, paint)
                if build_round
                else box_block(rng, spot, radius, setting.table.z, height, paint)
            )
    return blocks, []


def _ring(count: int, radius: float, start_deg: float) -> Floats:
    angle = np.radians(start_deg + 360.0 / count * np.arange(count))
    return np.asarray(radius * np.stack([np.cos(angle), np.sin(angle)], axis=1), dtype=np.float32)


_KINDS: tuple[Callable[[Rng, Setting], Things], ...] = (
    _only_clutter,
    _scattered,
    _plate_of_fruit,
    _egg_box,
    _rack,
    _palette,
    _cups,
)
