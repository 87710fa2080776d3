"""Ray casting: what each ray from the eye meets first, where, and how that surface lies."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from lab.scene import Ball, Block, Floats, Recesses, Scene
from lab.shapes import edge_distance, rim_distance
from lab.vectors import length

_MARCH_STEPS = 14  # distances shrink geometrically; what is left is below 0.05 mm
_CLOSE_MM = 0.03
_BEVEL_MM = 0.5


LABELS = 4096
"""Labels of one kind of thing lie between a multiple of this and the next."""


class Kind(IntEnum):
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

    def put(self, where: NDArray[np.intp], kind: Kind, index: int, distance: Floats) -> None:
        """Note that these rays met this."""
        self.distance[where] = distance
        self.kind[where] = kind
        self.index[where] = index


@dataclass(frozen=True)
class Descent:
    """Rays that cross the level of a block's face, and how they go on below it."""

    where: NDArray[np.intp]
    at_top: Floats
    per_mm: Floats
    """Sideways run (N, 2) for each mm of sinking."""
    to_top: Floats
    per_sunk: Floats
    """Length (N,) of ray for each mm of sinking."""


def cast(scene: Scene, eye: Floats, rays: Floats) -> Hits:
    """What unit rays (N, 3) from the eye meet."""
    count = len(rays)
    hits = Hits(
        np.full(count, np.inf, dtype=np.float32),
        np.full(count, Kind.ROOM, dtype=np.uint8),
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
    hits.put(where, Kind.TABLE, -1, (scene.table.z - eye[2]) / rays[where, 2])
    hits.normal[where] = (0.0, 0.0, 1.0)


def _cast_ball(ball: Ball, index: int, eye: Floats, rays: Floats, hits: Hits) -> None:
    centre = np.asarray(ball.centre, dtype=np.float32) - eye
    squared = float(centre @ centre) - ball.radius**2
    along = rays @ centre
    where = np.nonzero(along > np.sqrt(max(squared, 0.0)))[0]
    entry = along[where] - np.sqrt(along[where] ** 2 - np.float32(squared))
    nearer = entry < hits.distance[where]
    where, entry = where[nearer], entry[nearer]
    hits.put(where, Kind.BALL, index, entry)
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
    depth, way = edge_distance(block, at_top)
    top = depth > 0.0
    beside = Descent(where[~top], at_top[~top], per_mm[~top], to_top[~top], per_sunk[~top])
    _cast_side(block, index, beside, hits)
    hits.put(where[top], Kind.FACE, index, to_top[top])
    hits.normal[where[top]] = _bevel(depth[top], way[top])
    if block.recesses is not None:
        above = Descent(where[top], at_top[top], per_mm[top], to_top[top], per_sunk[top])
        _cast_recesses(block.recesses, block.top, index, above, hits)


def _towards(block: Block, eye: Floats, rays: Floats) -> NDArray[np.intp]:
    """Indices of rays that go down into a sphere around the block."""
    half = (block.top - block.bottom) / 2
    centre = np.append(block.middle, np.float32(block.top - half)) - eye
    squared = max(float(centre @ centre) - block.reach**2 - half**2, 0.0)
    return np.nonzero((rays @ centre > np.sqrt(squared)) & (rays[:, 2] < -1e-3))[0]


def _cast_side(block: Block, index: int, beside: Descent, hits: Hits) -> None:
    """Rays that pass beside the face and sink into the side of the block."""
    sunk = np.zeros(len(beside.where), dtype=np.float32)
    speed = np.maximum(length(beside.per_mm), np.float32(1e-4))
    for _ in range(_MARCH_STEPS):
        depth, way = edge_distance(block, beside.at_top + beside.per_mm * sunk[:, None])
        sunk += np.maximum(-depth, 0.0) / speed
    distance = beside.to_top + sunk * beside.per_sunk
    met = (depth > -_CLOSE_MM) & (sunk < block.top - block.bottom)
    met &= distance < hits.distance[beside.where]
    where = beside.where[met]
    hits.put(where, Kind.SIDE, index, distance[met])
    hits.normal[where, :2], hits.normal[where, 2] = way[met], 0.0


def _cast_recesses(recesses: Recesses, top: float, index: int, above: Descent, hits: Hits) -> None:
    """Rays that enter the face through a hole or slot, on to its wall or floor."""
    depth, way = rim_distance(recesses, above.at_top)
    rim = (depth <= 0.0) & (depth > -_BEVEL_MM)
    hits.normal[above.where[rim]] = _bevel(-depth[rim], -way[rim])
    entered = depth > 0.0
    where, at_top, per_mm = above.where[entered], above.at_top[entered], above.per_mm[entered]
    sunk = np.zeros(len(where), dtype=np.float32)
    speed = np.maximum(length(per_mm), np.float32(1e-4))
    for _ in range(_MARCH_STEPS):
        depth, way = rim_distance(recesses, at_top + per_mm * sunk[:, None])
        sunk += np.maximum(depth, 0.0) / speed
    deepest = np.float32(top - recesses.floor_z)
    on_floor = sunk >= deepest
    distance = above.to_top[entered] + np.minimum(sunk, deepest) * above.per_sunk[entered]
    hits.put(where, Kind.WALL, index, distance)
    hits.normal[where, :2], hits.normal[where, 2] = -way, 0.0
    hits.kind[where[on_floor]] = Kind.TABLE if recesses.floor is None else Kind.FLOOR
    hits.normal[where[on_floor]] = (0.0, 0.0, 1.0)


def _bevel(depth: Floats, way: Floats) -> Floats:
    """Normals (N, 3) of a face whose edge is rounded off over the last half millimetre."""
    lean = np.clip(1.0 - depth / np.float32(_BEVEL_MM), 0.0, 1.0) * np.float32(0.9)
    up = np.sqrt(1.0 - lean**2)
    return np.concatenate([way * lean[:, None], up[:, None]], axis=1)
