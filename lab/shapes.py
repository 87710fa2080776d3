"""Distances in the plane: to the edge of a block, to the rim of its recesses."""

import numpy as np

from lab.scene import Block, Floats, Recesses


def edge_distance(block: Block, points: Floats) -> tuple[Floats, Floats]:
    """How deep points (N, 2) lie inside a block's outline, and the way out (N, 2) from there."""
    start = block.core
    offset, distance, way = _nearest(start, np.roll(start, -1, axis=0), points)
    if len(start) < 3:
        return np.asarray(block.rounding - distance, dtype=np.float32), way
    side = np.roll(start, -1, axis=0) - start
    leftward = side[:, 0] * offset[..., 1] - side[:, 1] * offset[..., 0]
    within = (leftward >= 0.0).all(axis=1)
    sign = np.where(within, np.float32(1.0), np.float32(-1.0))
    return block.rounding + sign * distance, -sign[:, None] * way


def rim_distance(recesses: Recesses, points: Floats) -> tuple[Floats, Floats]:
    """How deep points (N, 2) lie inside a recess, and the way out (N, 2) from there."""
    _, distance, way = _nearest(recesses.starts, recesses.ends, points)
    return np.asarray(recesses.half_width - distance, dtype=np.float32), way


def _nearest(starts: Floats, ends: Floats, points: Floats) -> tuple[Floats, Floats, Floats]:
    """Offsets from starts (N, M, 2); distance (N,) to the nearest segment; unit vector from it."""
    side = ends - starts
    squared = np.maximum((side**2).sum(axis=1), np.float32(1e-9))
    offset = points[:, None] - starts
    along = np.clip((offset * side).sum(axis=2) / squared, 0.0, 1.0)
    away = offset - along[..., None] * side
    distances = (away**2).sum(axis=2)
    nearest = distances.argmin(axis=1)
    row = np.arange(len(points))
    distance = np.sqrt(distances[row, nearest])
    return offset, distance, away[row, nearest] / np.maximum(distance, 1e-6)[:, None]
