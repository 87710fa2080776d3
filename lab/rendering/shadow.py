"""Shadows: how much of a light reaches a surface past balls, blocks and the rims of recesses.

Soft shadows are computed, not sampled: no noise, and one evaluation for each ball and light.
Balls and blocks are looked at only where their shadow can fall.
"""

import numpy as np

from lab.rendering.light import Beam, Patch
from lab.rendering.scene import Ball, Block, Floats, Light, Recesses, Scene
from lab.rendering.shapes import edge_depth, rim_depth
from lab.rendering.vectors import dot, length, smooth, vector, within

_SHADOW_HEIGHTS = 5  # a block's shadow is taken at so many heights between its foot and its top


def light_on_ball(scene: Scene, beam: Beam, patch: Patch, casters: list[Ball]) -> Floats:
    """Light (N, 3) that a ball's surface gets, past those other balls that stand in the way."""
    share = beam.falling_on(patch.normal)
    for other in casters:
        share *= past_ball(other, patch.points, beam)
    for block in scene.blocks:
        below = np.nonzero((patch.points[:, 2] < block.top - 0.3) & (share > 0.0))[0]
        if len(below):
            share[below] *= past_block(block, patch.points[below], beam.at(below))
    return share[:, None] * vector(beam.light.color)


def light_on_plane(scene: Scene, beam: Beam, patch: Patch, inside: Block | None) -> Floats:
    """Light (N, 3) that table or block gets; ``inside`` is the block whose recess they lie in."""
    share, points = beam.falling_on(patch.normal), patch.points
    lowest = float(points[:, 2].min())
    for ball in scene.balls:
        near = within(points, *_ball_shadow(beam.light, ball, lowest))
        if len(near):
            share[near] *= past_ball(ball, points[near], beam.at(near))
    for block in scene.blocks:
        if block is inside and block.recesses is not None:
            share *= _into_recess(block.recesses, block.top - points[:, 2], points, beam)
        elif block.top - lowest > 0.5:
            x, y = block.middle.tolist()
            near = within(points, x, y, _block_shadow(beam, block, lowest))
            near = near[points[near, 2] < block.top - 0.3]
            share[near] *= past_block(block, points[near], beam.at(near))
    return share[:, None] * vector(beam.light.color)


def casters_on(light: Light, ball: Ball, others: list[Ball]) -> list[Ball]:
    """The other balls that may stand between a ball and a light."""
    centre = np.asarray(ball.centre)
    way = np.asarray(light.position) - centre
    distance = float(np.linalg.norm(way))
    offset = np.array([other.centre for other in others]).reshape(-1, 3) - centre
    along = offset @ (way / distance)
    beside = np.sqrt(np.maximum((offset**2).sum(axis=1) - along**2, 0.0))
    radii = np.array([other.radius for other in others])
    spread = min(light.radius / distance, 0.9) * np.maximum(along + ball.radius, 0.0)
    shadows = (along > -ball.radius) & (beside < radii + ball.radius + spread)
    return [other for other, casts in zip(others, shadows, strict=True) if casts]


def past_ball(ball: Ball, points: Floats, beam: Beam) -> Floats:
    """Share (N,) of a light that a ball does not hide from points.

    Both are discs on the sky of the point. The area they share grows from where they first touch
    to where the smaller lies within the larger: for very unequal discs as a smooth step, for equal
    ones as a power (within 0.03 of the areas by formula, at a fraction of their cost).
    """
    offset = vector(ball.centre) - points
    distance = np.maximum(length(offset), np.float32(1e-3))
    cosine = np.clip(dot(offset, beam.way) / distance, -1.0, 1.0)
    apart, wide = np.arccos(cosine), np.arcsin(np.minimum(np.float32(ball.radius) / distance, 1.0))
    inner, outer = np.abs(wide - beam.breadth), wide + beam.breadth
    depth = np.clip((outer - apart) / np.maximum(outer - inner, 1e-4), 0.0, 1.0)
    alike = np.minimum(wide, beam.breadth) / np.maximum(wide, beam.breadth)
    shared = smooth(depth) * (1.0 - alike) + depth**1.36 * alike
    whole = np.minimum(wide / np.maximum(beam.breadth, 1e-4), 1.0) ** 2
    return np.asarray(1.0 - shared * whole, dtype=np.float32)


def past_block(block: Block, points: Floats, beam: Beam) -> Floats:
    """Share (N,) of a light that a block leaves to points outside of it and below its face."""
    share = np.ones(len(points), dtype=np.float32)
    rise = np.maximum(block.top - points[:, 2], 0.0)
    up = np.maximum(beam.way[:, 2], 0.05)
    shift = beam.way[:, :2] * (rise / up)[:, None]
    blur = beam.breadth * rise / up**2
    near = np.nonzero(edge_depth(block, points[:, :2]) > -length(shift) - blur - 0.3)[0]
    foot, shift, blur = points[near, :2], shift[near], blur[near]
    deepest = np.full(len(near), -np.inf, dtype=np.float32)
    for part in np.linspace(0.08, 1.0, _SHADOW_HEIGHTS, dtype=np.float32):
        depth = edge_depth(block, foot + part * shift)
        deepest = np.maximum(deepest, depth / (0.3 + part * blur))
    share[near] = 1.0 - smooth(0.5 + 0.5 * deepest)
    return share


def _into_recess(recesses: Recesses, rise: Floats, points: Floats, beam: Beam) -> Floats:
    """Share (N,) of a light that reaches points in a hole or slot through its opening above."""
    rise = np.maximum(rise, 0.0)
    up = np.maximum(beam.way[:, 2], 0.05)
    opening = points[:, :2] + beam.way[:, :2] * (rise / up)[:, None]
    depth = rim_depth(recesses, opening)
    return smooth(0.5 + 0.5 * depth / (0.15 + beam.breadth * rise / up**2))


def _ball_shadow(light: Light, ball: Ball, lowest: float) -> tuple[float, float, float]:
    """Middle and reach of a square that holds a ball's shadow, from its height to the lowest."""
    centre = np.asarray(ball.centre)
    way = np.asarray(light.position) - centre
    distance = float(np.linalg.norm(way))
    up = max(float(way[2]) / distance, 0.1)
    far = max(ball.centre[2] - lowest, 0.0) / up + ball.radius
    end = centre - way / distance * far
    spread = (ball.radius + far * min(light.radius / distance, 0.9)) / up
    middle = (centre + end) / 2
    reach = float(np.abs(centre[:2] - end[:2]).max()) / 2 + spread
    return float(middle[0]), float(middle[1]), reach


def _block_shadow(beam: Beam, block: Block, lowest: float) -> float:
    """Reach from a block's middle of a square that holds its shadow."""
    high, up = block.top - lowest, max(float(beam.way[:, 2].min()), 0.05)
    return block.reach + high * (1.0 / up + float(beam.breadth.max()) / up**2) + 1.0
