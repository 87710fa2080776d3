"""Ray casting: what each ray from the eye meets first, where, and how that surface lies."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from lab.rendering.scene import Ball, Block, Floats, Recesses, Scene, Where
from lab.rendering.shapes import edge_depth, edge_way, rim_depth, rim_way
from lab.rendering.vectors import length

_MARCH_STEPS = 14  # distances shrink geometrically; what is left is below 0.05 mm
_CLOSE_MM = 0.03
_BEVEL_MM = 0.5


LABELS = 4096
"""Labels of one kind of thing lie between a multiple of this and the next."""


class HitKind(IntEnum):
    """What a ray met."""

    ROOM = 0
    TABLE = 1
    BALL = 2
    FACE = 3
    SIDE = 4
    FLOOR = 5
    WALL = 6


@dataclass
class Hits:
    """For each of N rays: what it met, which of them, how far off, and the surface's normal.

    ``index`` counts balls or blocks; for the table it is the block through which it is seen, or −1.
    """

    distance: Floats
    kind: NDArray[np.uint8]
    index: NDArray[np.int16]
    normal: Floats

    @property
    def label(self) -> NDArray[np.int32]:
        """A number (N,) for each thing, the same for all rays that met it."""
        return self.kind.astype(np.int32) * LABELS + self.index + 1

    def put(self, where: Where, kind: HitKind, index: int, distance: Floats) -> None:
        """Note that these rays met this."""
        self.distance[where] = distance
        self.kind[where] = kind
        self.index[where] = index


@dataclass(frozen=True)
class Descent:
    """Rays that cross the level of a block's face, and how they go on below it."""

    where: Where
    at_top: Floats
    per_mm: Floats
    """Sideways run (N, 2) for each mm of sinking."""
    to_top: Floats
    per_sunk: Floats
    """Length (N,) of ray for each mm of sinking."""

    def at(self, part: Where) -> "Descent":
        """Some of the rays."""
        return Descent(
            self.where[part],
            self.at_top[part],
            self.per_mm[part],
            self.to_top[part],
            self.per_sunk[part],
        )

    def after(self, sunk: Floats) -> Floats:
        """Places (N, 2) of the rays once they have sunk so many mm below the face."""
        return self.at_top + self.per_mm * sunk[:, None]


def cast(scene: Scene, eye: Floats, rays: Floats) -> Hits:
    """What unit rays (N, 3) from the eye meet."""
    count = len(rays)
    hits = Hits(
        np.full(count, np.inf, dtype=np.float32),
        np.full(count, HitKind.ROOM, dtype=np.uint8),
        np.full(count, -1, dtype=np.int16),
        np.zeros((count, 3), dtype=np.float32),
    )
    _cast_table(scene, eye, rays, hits)
    for index, block in enumerate(scene.blocks):
        _cast_block(block, index, eye, rays, hits)
    for index, ball in enumerate(scene.balls):
        _cast_ball(ball, index, eye, rays, hits)
    return hits


def _cast_table(scene: Scene, eye: Floats, rays: Floats, hits: Hits) -> None:
    where = np.nonzero(rays[:, 2] < -1e-4)[0]
    hits.put(where, HitKind.TABLE, -1, (scene.table.z - eye[2]) / rays[where, 2])
    hits.normal[where] = (0.0, 0.0, 1.0)


def _cast_ball(ball: Ball, index: int, eye: Floats, rays: Floats, hits: Hits) -> None:
    centre = np.asarray(ball.centre, dtype=np.float32) - eye
    squared = float(centre @ centre) - ball.radius**2
    along = rays @ centre
    where = np.nonzero(along > np.sqrt(max(squared, 0.0)))[0]
    entry = along[where] - np.sqrt(along[where] ** 2 - np.float32(squared))
    nearer = entry < hits.distance[where]
    where, entry = where[nearer], entry[nearer]
    hits.put(where, HitKind.BALL, index, entry)
    hits.normal[where] = (rays[where] * entry[:, None] - centre) / np.float32(ball.radius)


def _cast_block(block: Block, index: int, eye: Floats, rays: Floats, hits: Hits) -> None:
    """Face, recesses and side of a block; the eye must be above its face."""
    where = _towards(block, eye, rays)
    picked = rays[where]
    to_top = np.float32(block.top - eye[2]) / picked[:, 2]
    before = to_top < hits.distance[where]
    where, picked, to_top = where[before], picked[before], to_top[before]
    at_top = eye[:2] + picked[:, :2] * to_top[:, None]
    per_mm = picked[:, :2] / -picked[:, 2:]  # how far a ray runs sideways while it sinks by 1 mm
    per_sunk = 1.0 / -picked[:, 2]
    depth = edge_depth(block, at_top)
    top = depth > 0.0
    beside = Descent(where[~top], at_top[~top], per_mm[~top], to_top[~top], per_sunk[~top])
    _cast_side(block, index, beside, hits)
    hits.put(where[top], HitKind.FACE, index, to_top[top])
    hits.normal[where[top]] = (0.0, 0.0, 1.0)
    edge = top & (depth < _BEVEL_MM)
    hits.normal[where[edge]] = _bevel(depth[edge], edge_way(block, at_top[edge]))
    if block.recesses is not None:
        above = Descent(where[top], at_top[top], per_mm[top], to_top[top], per_sunk[top])
        _cast_recesses(block.recesses, block.top, index, above, hits)


def _towards(block: Block, eye: Floats, rays: Floats) -> Where:
    """Indices of rays that go down into a sphere around the block."""
    half = (block.top - block.bottom) / 2
    centre = np.append(block.middle, np.float32(block.top - half)) - eye
    squared = max(float(centre @ centre) - block.reach**2 - half**2, 0.0)
    return np.nonzero((rays @ centre > np.sqrt(squared)) & (rays[:, 2] < -1e-3))[0]


def _cast_side(block: Block, index: int, beside: Descent, hits: Hits) -> None:
    """Rays that pass beside the face and sink into the side of the block."""
    height = block.top - block.bottom
    sunk = _march(beside, height, lambda points: -edge_depth(block, points))
    distance = beside.to_top + sunk * beside.per_sunk
    met = (sunk < height) & (distance < hits.distance[beside.where])
    where = beside.where[met]
    hits.put(where, HitKind.SIDE, index, distance[met])
    hits.normal[where, :2] = edge_way(block, beside.after(sunk)[met])
    hits.normal[where, 2] = 0.0


def _cast_recesses(recesses: Recesses, top: float, index: int, above: Descent, hits: Hits) -> None:
    """Rays that enter the face through a hole or slot, on to its wall or floor."""
    depth = rim_depth(recesses, above.at_top)
    rim = (depth <= 0.0) & (depth > -_BEVEL_MM)
    hits.normal[above.where[rim]] = _bevel(-depth[rim], -rim_way(recesses, above.at_top[rim]))
    into = above.at(np.nonzero(depth > 0.0)[0])
    deepest = top - recesses.floor_z
    sunk = _march(into, deepest, lambda points: rim_depth(recesses, points))
    hits.put(into.where, HitKind.WALL, index, into.to_top + sunk * into.per_sunk)
    hits.normal[into.where, :2] = -rim_way(recesses, into.after(sunk))
    hits.normal[into.where, 2] = 0.0
    floor = into.where[sunk >= deepest]
    hits.kind[floor] = HitKind.TABLE if recesses.floor is None else HitKind.FLOOR
    hits.normal[floor] = (0.0, 0.0, 1.0)


def _march(rays: Descent, deepest: float, free: Callable[[Floats], Floats]) -> Floats:
    """How far (N,) rays sink until ``free``, the way they can go unhindered, is used up."""
    sunk = np.zeros(len(rays.where), dtype=np.float32)
    speed = np.maximum(length(rays.per_mm), np.float32(1e-4))
    moving = np.arange(len(sunk))
    for _ in range(_MARCH_STEPS):
        gap = free(rays.at_top[moving] + rays.per_mm[moving] * sunk[moving, None])
        sunk[moving] += np.maximum(gap, 0.0) / speed[moving]
        moving = moving[(gap > _CLOSE_MM) & (sunk[moving] < deepest)]
    sunk[moving] = deepest
    return np.minimum(sunk, np.float32(deepest))


def _bevel(depth: Floats, way: Floats) -> Floats:
    """Normals (N, 3) of a face whose edge is rounded off over the last half millimetre."""
    lean = np.clip(1.0 - depth / np.float32(_BEVEL_MM), 0.0, 1.0) * np.float32(0.9)
    up = np.sqrt(1.0 - lean**2)
    return np.concatenate([way * lean[:, None], up[:, None]], axis=1)
