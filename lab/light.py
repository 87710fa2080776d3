"""Light: how much of it reaches a point past balls and blocks, and what reflections show of it."""

import numpy as np

from lab.scene import Ball, Block, Floats, Light, Room
from lab.shapes import edge_distance, rim_distance

_SHADOW_HEIGHTS = 5  # a block's shadow is taken at so many heights between its foot and its top
_UP = np.array([0.0, 0.0, 1.0], dtype=np.float32)


def towards(light: Light, points: Floats) -> tuple[Floats, Floats]:
    """Unit vectors (N, 3) from points to the light, and the sine of its angular radius (N,)."""
    way = np.asarray(light.position, dtype=np.float32) - points
    distance = np.sqrt((way**2).sum(axis=1))
    return way / distance[:, None], np.minimum(np.float32(light.radius) / distance, 0.9)


def past_ball(ball: Ball, points: Floats, way: Floats, breadth: Floats) -> Floats:
    """Share (N,) of a light of angular radius ``breadth`` that a ball does not hide.

    Both are discs on the sky of the point; the area they share is taken to grow smoothly from
    where they first touch to where the smaller one lies within the larger.
    """
    offset = np.asarray(ball.centre, dtype=np.float32) - points
    distance = np.sqrt((offset**2).sum(axis=1))
    sine = np.minimum(np.float32(ball.radius) / np.maximum(distance, 1e-3), 1.0)
    cosine = np.clip((offset * way).sum(axis=1) / np.maximum(distance, 1e-3), -1.0, 1.0)
    apart, wide = np.arccos(cosine), np.arcsin(sine)
    inner, outer = np.abs(wide - breadth), wide + breadth
    shared = _smooth((outer - apart) / np.maximum(outer - inner, 1e-4))
    whole = np.minimum(wide / np.maximum(breadth, 1e-4), 1.0) ** 2
    return 1.0 - shared * whole


def past_block(block: Block, points: Floats, way: Floats, breadth: Floats) -> Floats:
    """Share (N,) of a light that a block leaves to points outside of it and below its face."""
    rise = np.maximum(block.top - points[:, 2], 0.0)
    up = np.maximum(way[:, 2], 0.05)
    shift = way[:, :2] * (rise / up)[:, None]
    deepest = np.full(len(points), -np.inf, dtype=np.float32)
    for part in np.linspace(0.08, 1.0, _SHADOW_HEIGHTS, dtype=np.float32):
        depth, _ = edge_distance(block, points[:, :2] + part * shift)
        softness = 0.3 + part * breadth * rise / up**2
        deepest = np.maximum(deepest, depth / softness)
    return np.asarray(1.0 - _smooth(0.5 + 0.5 * deepest), dtype=np.float32)


def into_recess(block: Block, points: Floats, way: Floats, breadth: Floats) -> Floats:
    """Share (N,) of a light that reaches points within a hole or slot through its opening."""
    assert block.recesses is not None
    rise = np.maximum(block.top - points[:, 2], 0.0)
    up = np.maximum(way[:, 2], 0.05)
    opening = points[:, :2] + way[:, :2] * (rise / up)[:, None]
    depth, _ = rim_distance(block.recesses, opening)
    return _smooth(0.5 + 0.5 * depth / (0.15 + breadth * rise / up**2))


def ambient(room: Room, normal: Floats, ground: Floats) -> Floats:
    """Light (N, 3) that a surface gets from all around; ``ground`` is what comes from below."""
    zenith = np.asarray(room.zenith, dtype=np.float32)
    horizon = np.asarray(room.horizon, dtype=np.float32)
    upward = (0.5 + 0.5 * normal[:, 2])[:, None]
    sky = horizon + (zenith - horizon) * upward
    return np.asarray(sky * upward + ground * (1.0 - upward), dtype=np.float32)


def room_radiance(room: Room, rays: Floats) -> Floats:
    """What rays (N, 3) that leave the table see of the room, lamps and windows left aside."""
    zenith = np.asarray(room.zenith, dtype=np.float32)
    horizon = np.asarray(room.horizon, dtype=np.float32)
    height = np.clip(rays[:, 2:], 0.0, 1.0)
    seen = horizon + (zenith - horizon) * np.sqrt(height)
    for direction, sharpness, color in room.blobs:
        cosine = rays @ np.asarray(direction, dtype=np.float32)
        weight = np.exp(np.float32(sharpness) * (cosine - 1.0))
        seen = seen + weight[:, None] * np.asarray(color, dtype=np.float32)
    return np.asarray(np.maximum(seen, 0.0), dtype=np.float32)


def glare(light: Light, points: Floats, rays: Floats, blur: float) -> Floats:
    """What mirror rays (N, 3) from points see of a light, smeared by ``blur`` radians."""
    way, sine = towards(light, points)
    radiance = np.asarray(light.color, dtype=np.float32) / (sine**2)[:, None]
    if light.shape == "disc":
        apart = np.sqrt(np.maximum(2.0 - 2.0 * (rays * way).sum(axis=1), 0.0))
        width = np.hypot(sine, blur)
        inside = _smooth((width - apart) / (2 * blur + 0.2 * sine) + 0.5)
        return np.asarray(radiance * (inside * (sine / width) ** 2)[:, None], dtype=np.float32)
    right = np.cross(way, _UP)
    right /= np.maximum(np.linalg.norm(right, axis=1, keepdims=True), 1e-3)
    above = np.cross(right, way)
    facing = np.maximum((rays * way).sum(axis=1), 1e-3)
    half = np.float32(np.sqrt(np.pi) / 2) * sine  # a square of the disc's area
    x = (rays * right).sum(axis=1) / facing / half
    y = (rays * above).sum(axis=1) / facing / half
    soft = blur / half + 0.02
    inside = _smooth((1.0 - np.abs(x)) / soft + 0.5) * _smooth((1.0 - np.abs(y)) / soft + 0.5)
    pane = np.abs((x * 0.5 + 0.5) * light.panes % 1.0 - 0.5) * 2.0
    cross = np.minimum(1.0 - pane, np.abs(y))
    inside *= _smooth((cross - 0.06) / soft + 0.5)
    inside *= (rays * way).sum(axis=1) > 0.0
    return np.asarray(radiance * inside[:, None], dtype=np.float32)


def _smooth(x: Floats) -> Floats:
    """0 below 0, 1 above 1, and a smooth step between."""
    x = np.clip(x, 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x), dtype=np.float32)
