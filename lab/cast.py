"""Ray casting: what each ray from the eye meets first, where, and how that surface lies."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from lab.scene import Ball, Block, Floats, Scene
from lab.shapes import edge_distance, rim_distance

_MARCH_STEPS = 14  # distances shrink geometrically; what is left is below 0.05 mm
_CLOSE_MM = 0.03
_BEVEL_MM = 0.5


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

    def put(self, where: NDArray[np.intp], kind: Kind, index: int, distance: Floats) -> None:
        """Note that these rays met this."""
        self.distance[where] = distance
        self.kind[where] = kind
        self.index[where] = index


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
    steep = np.minimum(rays[:, 2], -1e-3)
    to_top = np.float32(block.top - eye[2]) / steep
    at_top = eye[:2] + rays[:, :2] * to_top[:, None]
    per_mm = rays[:, :2] / -steep[:, None]  # how far a ray runs sideways while it sinks by 1 mm
    sideways = np.abs(per_mm).sum(axis=1) * np.float32(block.top - block.bottom)
    close = np.abs(at_top - block.middle).max(axis=1) < block.reach + sideways
    where = np.nonzero(close & (rays[:, 2] < -1e-3) & (to_top < hits.distance))[0]
    if not len(where):
        return
    depth, way = edge_distance(block, at_top[where])
    on_top = depth > 0.0
    _cast_side(block, index, where[~on_top], at_top, per_mm, (rays, hits, to_top))
    where, depth, way = where[on_top], depth[on_top], way[on_top]
    hits.put(where, Kind.FACE, index, to_top[where])
    hits.normal[where] = _bevel(depth, way)
    if block.recesses is not None:
        _cast_recesses(block, index, where, at_top, per_mm, (rays, hits, to_top))


def _cast_side(
    block: Block,
    index: int,
    where: NDArray[np.intp],
    at_top: Floats,
    per_mm: Floats,
    state: tuple[Floats, Hits, Floats],
) -> None:
    """Rays that pass beside the face and sink into the side of the block."""
    rays, hits, to_top = state
    sunk = np.zeros(len(where), dtype=np.float32)
    speed = np.maximum(np.linalg.norm(per_mm[where], axis=1), np.float32(1e-4))
    for _ in range(_MARCH_STEPS):
        depth, way = edge_distance(block, at_top[where] + per_mm[where] * sunk[:, None])
        sunk += np.maximum(-depth, 0.0) / speed
    met = (depth > -_CLOSE_MM) & (sunk < block.top - block.bottom)
    distance = to_top[where] - sunk / np.minimum(rays[where, 2], -1e-3)
    met &= distance < hits.distance[where]
    where, way = where[met], way[met]
    hits.put(where, Kind.SIDE, index, distance[met])
    hits.normal[where, :2], hits.normal[where, 2] = way, 0.0


def _cast_recesses(
    block: Block,
    index: int,
    where: NDArray[np.intp],
    at_top: Floats,
    per_mm: Floats,
    state: tuple[Floats, Hits, Floats],
) -> None:
    """Rays that enter the face through a hole or slot, on to its wall or floor."""
    assert block.recesses is not None
    rays, hits, to_top = state
    depth, way = rim_distance(block.recesses, at_top[where])
    rim = (depth <= 0.0) & (depth > -_BEVEL_MM)
    hits.normal[where[rim]] = _bevel(-depth[rim], -way[rim])
    entered = depth > 0.0
    where = where[entered]
    sunk = np.zeros(len(where), dtype=np.float32)
    speed = np.maximum(np.linalg.norm(per_mm[where], axis=1), np.float32(1e-4))
    for _ in range(_MARCH_STEPS):
        place = at_top[where] + per_mm[where] * sunk[:, None]
        depth, way = rim_distance(block.recesses, place)
        sunk += np.maximum(depth, 0.0) / speed
    deepest = np.float32(block.top - block.recesses.floor_z)
    on_floor = sunk >= deepest
    sunk = np.minimum(sunk, deepest)
    hits.put(where, Kind.WALL, index, to_top[where] - sunk / np.minimum(rays[where, 2], -1e-3))
    hits.normal[where, :2], hits.normal[where, 2] = -way, 0.0
    floor = where[on_floor]
    through = block.recesses.floor is None
    hits.kind[floor] = Kind.TABLE if through else Kind.FLOOR
    hits.normal[floor] = (0.0, 0.0, 1.0)


def _bevel(depth: Floats, way: Floats) -> Floats:
    """Normals (N, 3) of a face whose edge is rounded off over the last half millimetre."""
    lean = np.clip(1.0 - depth / np.float32(_BEVEL_MM), 0.0, 1.0) * np.float32(0.9)
    up = np.sqrt(1.0 - lean**2)
    return np.concatenate([way * lean[:, None], up[:, None]], axis=1)
