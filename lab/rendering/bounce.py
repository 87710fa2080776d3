"""Light from all around: what balls and blocks take of it, and what they throw back."""

import numpy as np

from lab.rendering.scene import Ball, Block, Floats, Scene
from lab.rendering.shapes import edge_depth, rim_depth
from lab.rendering.vectors import dot, vector, within

NEAR_RADII = 5.0
"""Balls further off than so many of their radii neither darken nor tint."""

_THROWN = 0.35  # a ball is lit on one side, and shows but a part of it


def bounce(scene: Scene, near: list[Ball], points: Floats, normal: Floats) -> tuple[Floats, Floats]:
    """Share (N,) of the surroundings that balls leave open, and the light (N, 3) they throw.

    A ball takes the part (radius / distance)² · cosine of what a surface sees: exact while it is
    wholly above the surface's horizon.
    """
    open_sky = np.ones(len(points), dtype=np.float32)
    thrown = np.zeros((len(points), 3), dtype=np.float32)
    for ball in near:
        offset = vector(ball.centre) - points
        squared = np.maximum(dot(offset, offset), np.float32(ball.radius**2))
        cosine = dot(offset, normal) / np.sqrt(squared)
        share = np.clip(0.15 + 0.85 * cosine, 0.0, 1.0) * np.float32(ball.radius**2) / squared
        open_sky *= 1.0 - np.minimum(share, 0.97)
        thrown += share[:, None] * (_THROWN * vector(ball.paint.albedo) * scene.mean_light)
    return open_sky, thrown


def bounce_on_plane(scene: Scene, points: Floats, normal: Floats) -> tuple[Floats, Floats]:
    """As ``bounce`` for all balls, computed only where each is near."""
    open_sky = np.ones(len(points), dtype=np.float32)
    thrown = np.zeros((len(points), 3), dtype=np.float32)
    for ball in scene.balls:
        where = within(points, *ball.centre[:2], NEAR_RADII * ball.radius)
        if len(where):
            share, light = bounce(scene, [ball], points[where], normal[where])
            open_sky[where] *= share
            thrown[where] += light
    return open_sky, thrown


def openness(scene: Scene, inside: Block | None, points: Floats) -> Floats:
    """Share (N,) of the sky that blocks leave open: in recesses, and on the table beside them."""
    share = np.ones(len(points), dtype=np.float32)
    for block in scene.blocks:
        height = np.maximum(block.top - points[:, 2], 0.0)
        if block is inside and block.recesses is not None:
            distance = rim_depth(block.recesses, points[:, :2])
            width = np.float32(block.recesses.half_width) + np.maximum(distance, 0.0)
            share *= width**2 / (width**2 + 1.5 * height**2)
        elif (highest := float(height.max())) > 0.5:
            x, y = block.middle.tolist()
            near = within(points, x, y, block.reach + 4.0 * highest)
            away = np.maximum(-edge_depth(block, points[near, :2]), 0.0)
            share[near] *= 0.5 + 0.5 * away / np.hypot(away, height[near] + 1e-3)
    return share


def ground_light(scene: Scene, ball: Ball, points: Floats) -> Floats:
    """Light (N, 3) thrown up by what a ball lies on, fading towards the point of contact."""
    below, level = scene.table.mean_albedo, scene.table.z
    for block in scene.blocks:
        beside = float(np.linalg.norm(vector(ball.centre[:2]) - block.middle))
        if beside < block.reach and ball.centre[2] > block.top:
            below, level = vector(block.face.albedo), block.top
    height = np.clip((points[:, 2:] - level) / np.float32(ball.radius), 0.0, 1.0)
    light = 0.55 * scene.mean_light * below
    return np.asarray(light * (0.15 + 0.85 * height), dtype=np.float32)
