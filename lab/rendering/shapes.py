"""Distances in the plane: to the edge of a block, to the rim of its recesses."""

import numpy as np

from lab.rendering.scene import Block, Floats, Recesses


def edge_depth(block: Block, points: Floats) -> Floats:
    """How deep points (N, 2) lie inside a block's outline; negative outside."""
    x, y = _columns(points)
    distance = np.sqrt(_least(block.core, np.roll(block.core, -1, axis=0), x, y))
    return block.rounding + np.where(_within(block, x, y), distance, -distance)


def edge_way(block: Block, points: Floats) -> Floats:
    """The shortest way (N, 2) out of a block's outline, or on outward, as unit vectors."""
    x, y = _columns(points)
    away = _away(block.core, np.roll(block.core, -1, axis=0), x, y)
    return np.where(_within(block, x, y)[:, None], -away, away)


def rim_depth(recesses: Recesses, points: Floats) -> Floats:
    """How deep points (N, 2) lie inside a recess; negative outside."""
    distance = np.sqrt(_least(recesses.starts, recesses.ends, *_columns(points)))
    return recesses.half_width - distance


def rim_way(recesses: Recesses, points: Floats) -> Floats:
    """The shortest way (N, 2) out of a recess, or on outward, as unit vectors."""
    return _away(recesses.starts, recesses.ends, *_columns(points))


def _columns(points: Floats) -> tuple[Floats, Floats]:
    return np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])


def _within(block: Block, x: Floats, y: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether points lie inside the core; a core of one or two corners has no inside."""
    if len(block.core) < 3:
        return np.zeros(len(x), dtype=np.bool_)
    within = np.ones(len(x), dtype=np.bool_)
    ends = np.roll(block.core, -1, axis=0).tolist()
    for (from_x, from_y), (to_x, to_y) in zip(block.core.tolist(), ends, strict=True):
        within &= (to_x - from_x) * (y - from_y) >= (to_y - from_y) * (x - from_x)
    return within


def _least(starts: Floats, ends: Floats, x: Floats, y: Floats) -> Floats:
    """Squared distance (N,) to the nearest of a few segments."""
    least = np.full(len(x), np.inf, dtype=np.float32)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        dx, dy = _beside(start, end, x, y)
        np.minimum(least, dx * dx + dy * dy, out=least)
    return least


def _away(starts: Floats, ends: Floats, x: Floats, y: Floats) -> Floats:
    """Unit vectors (N, 2) away from the nearest of a few segments."""
    least = np.full(len(x), np.inf, dtype=np.float32)
    away = np.zeros((len(x), 2), dtype=np.float32)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        dx, dy = _beside(start, end, x, y)
        distance = dx * dx + dy * dy
        nearer = distance < least
        least[nearer] = distance[nearer]
        away[nearer, 0], away[nearer, 1] = dx[nearer], dy[nearer]
    return away / np.maximum(np.sqrt(least), 1e-6)[:, None]


def _beside(start: list[float], end: list[float], x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Offsets (N,) in x and y from the nearest point of a segment."""
    side_x, side_y = end[0] - start[0], end[1] - start[1]
    dx, dy = x - start[0], y - start[1]
    squared = side_x**2 + side_y**2
    if squared > 0.0:
        along = np.clip((dx * side_x + dy * side_y) / squared, 0.0, 1.0)
        dx -= along * side_x
        dy -= along * side_y
    return dx, dy
