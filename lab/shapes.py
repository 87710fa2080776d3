"""Distances in the plane: to the edge of a block, to the rim of its recesses."""

import numpy as np

from lab.scene import Block, Floats, Recesses


def edge_distance(block: Block, points: Floats) -> tuple[Floats, Floats]:
    """How deep points (N, 2) lie inside a block's outline, and the way out (N, 2) from there."""
    ends = np.roll(block.core, -1, axis=0)
    distance, way = _nearest(block.core, ends, points)
    if len(block.core) < 3:
        return block.rounding - distance, way
    within = np.ones(len(points), dtype=np.bool_)
    for (x, y), (end_x, end_y) in zip(block.core.tolist(), ends.tolist(), strict=True):
        within &= (end_x - x) * (points[:, 1] - y) >= (end_y - y) * (points[:, 0] - x)
    sign = np.where(within, np.float32(1.0), np.float32(-1.0))
    return block.rounding + sign * distance, -sign[:, None] * way


def rim_distance(recesses: Recesses, points: Floats) -> tuple[Floats, Floats]:
    """How deep points (N, 2) lie inside a recess, and the way out (N, 2) from there."""
    distance, way = _nearest(recesses.starts, recesses.ends, points)
    return recesses.half_width - distance, way


def _nearest(starts: Floats, ends: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Distance (N,) to the nearest of a few segments, and the unit vector (N, 2) away from it."""
    x, y = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
    away_x, away_y = np.empty_like(x), np.empty_like(y)
    least = np.full(len(points), np.inf, dtype=np.float32)
    for (start_x, start_y), (end_x, end_y) in zip(starts.tolist(), ends.tolist(), strict=True):
        side_x, side_y = end_x - start_x, end_y - start_y
        dx, dy = x - start_x, y - start_y
        squared = side_x**2 + side_y**2
        if squared > 0.0:
            along = np.clip((dx * side_x + dy * side_y) / squared, 0.0, 1.0)
            dx -= along * side_x
            dy -= along * side_y
        distance = dx * dx + dy * dy
        nearer = distance < least
        np.copyto(least, distance, where=nearer)
        np.copyto(away_x, dx, where=nearer)
        np.copyto(away_y, dy, where=nearer)
    least = np.sqrt(least)
    return least, np.stack([away_x, away_y], axis=1) / np.maximum(least, 1e-6)[:, None]
