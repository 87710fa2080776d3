"""Shading: the radiance of what rays met, with shadows, coloured bounce light and reflections."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.cast import Hits, Kind, cast
from lab.light import ambient, glare, into_recess, past_ball, past_block, room_radiance, towards
from lab.scene import Ball, Block, Card, Floats, Light, Paint, Scene, Table
from lab.shapes import edge_distance, rim_distance

_BASE_REFLECTANCE = 0.04  # any clear coat seen straight on
_BOUNCE_RADII = 5.0  # balls further off than this neither darken nor tint
Where = NDArray[np.intp]


def radiance(scene: Scene, eye: Floats, rays: Floats) -> tuple[Floats, Hits]:
    """Radiance (N, 3) that comes to the eye along unit rays (N, 3), and what they met."""
    hits = cast(scene, eye, rays)
    seen = np.zeros((len(rays), 3), dtype=np.float32)
    for kind, index, where in _groups(hits):
        points = eye + rays[where] * hits.distance[where, None]
        if kind == Kind.ROOM:
            seen[where] = room_radiance(scene.room, rays[where])
        elif kind == Kind.BALL:
            seen[where] = _ball(scene, index, points, hits.normal[where], rays[where])
        else:
            group = (points, hits.normal[where], rays[where])
            seen[where] = _solid(scene, kind, index, group)
    return seen, hits


def _groups(hits: Hits) -> Iterator[tuple[Kind, int, Where]]:
    """Rays that met the same thing."""
    key = hits.kind.astype(np.int32) * 4096 + hits.index + 1
    order = np.argsort(key, kind="stable")
    values, starts = np.unique(key[order], return_index=True)
    for value, where in zip(values, np.split(order, starts[1:]), strict=True):
        yield Kind(int(value) // 4096), int(value) % 4096 - 1, where


def _ball(scene: Scene, index: int, points: Floats, normal: Floats, rays: Floats) -> Floats:
    ball = scene.balls[index]
    others = [b for i, b in enumerate(scene.balls) if i != index]
    albedo = np.asarray(ball.paint.albedo, dtype=np.float32)
    near = [b for b in others if _apart(b, ball) < _BOUNCE_RADII * ball.radius]
    open_sky, bounce = _bounce(scene, near, points, normal)
    light = ambient(scene.room, normal, _ground_light(scene, ball, points))
    light = light * open_sky[:, None] + bounce
    for source in scene.lights:
        light += _direct(scene, source, points, normal, _shadowing(source, ball, others))
    seen = albedo * light
    coat = _fresnel(normal, rays) * np.float32(ball.paint.gloss)
    if ball.paint.gloss > 0.0:
        mirror = rays - 2.0 * (rays * normal).sum(axis=1, keepdims=True) * normal
        seen *= 1.0 - coat[:, None]
        seen += coat[:, None] * _mirrored(scene, ball, near, (points, mirror))
    return np.asarray(seen, dtype=np.float32)


def _solid(scene: Scene, kind: Kind, index: int, group: tuple[Floats, Floats, Floats]) -> Floats:
    """Radiance of table and blocks."""
    points, normal, rays = group
    albedo, paint = _surface(scene, kind, index, points)
    open_sky, bounce = _planar_bounce(scene, points, normal)
    inside = index if kind in (Kind.FLOOR, Kind.WALL) or (kind == Kind.TABLE and index >= 0) else -1
    open_sky = open_sky * _openness(scene, inside, points)
    ground = np.asarray(scene.room.horizon, dtype=np.float32) * 0.4 * albedo.mean(axis=0)
    light = ambient(scene.room, normal, ground) * open_sky[:, None] + bounce
    for source in scene.lights:
        light += _planar_direct(scene, source, inside, points, normal)
    seen = albedo * light
    if paint.gloss > 0.0 and inside < 0:
        coat = _fresnel(normal, rays)[:, None] * np.float32(paint.gloss)
        mirror = rays - 2.0 * (rays * normal).sum(axis=1, keepdims=True) * normal
        seen = seen * (1.0 - coat) + coat * _reflected_room(scene, paint, points, mirror, normal)
    return np.asarray(seen, dtype=np.float32)


def _surface(scene: Scene, kind: Kind, index: int, points: Floats) -> tuple[Floats, Paint]:
    """Albedo (N, 3) of table and blocks at points, and the paint they have."""
    if kind == Kind.TABLE:
        paint = Paint((0.5, 0.5, 0.5), scene.table.gloss, scene.table.blur)
        return _table_albedo(scene.table, points[:, :2]), paint
    block = scene.blocks[index]
    if kind == Kind.FACE:
        return _face_albedo(block, points[:, :2]), block.face
    if kind == Kind.FLOOR and block.recesses is not None and block.recesses.floor is not None:
        paint = block.recesses.floor
    else:
        paint = block.side
    return np.tile(np.asarray(paint.albedo, dtype=np.float32), (len(points), 1)), paint


def _table_albedo(table: Table, points: Floats) -> Floats:
    cos, sin = np.float32(np.cos(table.angle)), np.float32(np.sin(table.angle))
    x = (points[:, 0] * cos + points[:, 1] * sin) / table.mm_per_px
    y = (points[:, 1] * cos - points[:, 0] * sin) / table.mm_per_px
    rows, columns = table.tile.shape[:2]
    albedo = _sample(table.tile, np.float32(np.mod(x, columns)), np.float32(np.mod(y, rows)))
    for card in table.cards:
        _print_card(card, points, albedo)
    return albedo


def _print_card(card: Card, points: Floats, albedo: Floats) -> None:
    reach = float(np.hypot(*card.half_size))
    offset = points - np.asarray(card.centre, dtype=np.float32)
    where = np.nonzero(np.abs(offset).max(axis=1) < reach)[0]
    cos, sin = np.cos(card.angle), np.sin(card.angle)
    x = offset[where, 0] * cos + offset[where, 1] * sin
    y = offset[where, 1] * cos - offset[where, 0] * sin
    on_card = (np.abs(x) < card.half_size[0]) & (np.abs(y) < card.half_size[1])
    albedo[where[on_card]] = card.color
    for at_x, at_y, radius, color in card.dots:
        dot = on_card & (np.hypot(x - at_x, y - at_y) < radius)
        albedo[where[dot]] = color


def _face_albedo(block: Block, points: Floats) -> Floats:
    albedo = np.tile(np.asarray(block.face.albedo, dtype=np.float32), (len(points), 1))
    if block.grain > 0.0:
        wave = np.sin(points @ np.array([[0.9, 0.31, -0.12], [0.2, -0.77, 1.3]], np.float32))
        wave += np.sin(points[:, ::-1] @ np.array([[2.9, 1.3, -4.1], [1.7, -3.7, 2.3]], np.float32))
        albedo *= 1.0 + np.float32(block.grain) * wave.sum(axis=1, keepdims=True)
    if block.stroke is not None and block.recesses is not None:
        depth, _ = rim_distance(block.recesses, points)
        albedo[depth > -block.stroke[0]] = block.stroke[1]
    return np.clip(albedo, 0.0, 1.0)


def _bounce(
    scene: Scene, near: list[Ball], points: Floats, normal: Floats
) -> tuple[Floats, Floats]:
    """Share of the surroundings that balls leave open (N,), and the light they throw (N, 3)."""
    open_sky = np.ones(len(points), dtype=np.float32)
    bounce = np.zeros((len(points), 3), dtype=np.float32)
    lit = 0.35 * _mean_light(scene)
    for ball in near:
        offset = np.asarray(ball.centre, dtype=np.float32) - points
        squared = np.maximum((offset**2).sum(axis=1), ball.radius**2)
        cosine = (offset * normal).sum(axis=1) / np.sqrt(squared)
        share = np.clip(0.15 + 0.85 * cosine, 0.0, 1.0) * np.float32(ball.radius**2) / squared
        open_sky *= 1.0 - np.minimum(share, 0.97)
        bounce += share[:, None] * (np.asarray(ball.paint.albedo, dtype=np.float32) * lit)
    return open_sky, bounce


def _planar_bounce(scene: Scene, points: Floats, normal: Floats) -> tuple[Floats, Floats]:
    """As ``_bounce``, computed only where each ball is near."""
    open_sky = np.ones(len(points), dtype=np.float32)
    bounce = np.zeros((len(points), 3), dtype=np.float32)
    for ball in scene.balls:
        where = _within(points, ball.centre[0], ball.centre[1], _BOUNCE_RADII * ball.radius)
        if len(where):
            open_here, thrown = _bounce(scene, [ball], points[where], normal[where])
            open_sky[where] *= open_here
            bounce[where] += thrown
    return open_sky, bounce


def _openness(scene: Scene, inside: int, points: Floats) -> Floats:
    """Share (N,) of the sky that blocks leave open: in recesses, and on the table beside them."""
    share = np.ones(len(points), dtype=np.float32)
    for index, block in enumerate(scene.blocks):
        height = np.maximum(block.top - points[:, 2], 0.0)
        if index == inside and block.recesses is not None:
            distance, _ = rim_distance(block.recesses, points[:, :2])
            width = np.float32(block.recesses.half_width) + np.maximum(distance, 0.0)
            share *= width**2 / (width**2 + 1.5 * height**2)
        elif height.max() > 0.5:
            reach = block.reach + 4.0 * float(height.max())
            near = _within(points, *map(float, block.middle), reach)
            depth, _ = edge_distance(block, points[near, :2])
            away = np.maximum(-depth, 0.0)
            share[near] *= 0.5 + 0.5 * away / np.hypot(away, height[near] + 1e-3)
    return share


def _direct(
    scene: Scene, source: Light, points: Floats, normal: Floats, casters: list[Ball]
) -> Floats:
    """Light (N, 3) that a ball's surface gets from a source past other balls and blocks."""
    way, breadth = towards(source, points)
    share = _lambert(normal, way, breadth)
    for other in casters:
        share *= past_ball(other, points, way, breadth)
    for block in scene.blocks:
        below = np.nonzero((points[:, 2] < block.top - 0.3) & (share > 0.0))[0]
        if len(below):
            share[below] *= past_block(block, points[below], way[below], breadth[below])
    return share[:, None] * np.asarray(source.color, dtype=np.float32)


def _planar_direct(
    scene: Scene, source: Light, inside: int, points: Floats, normal: Floats
) -> Floats:
    """Light (N, 3) that table and blocks get from a source; balls looked at only near shadows."""
    way, breadth = towards(source, points)
    share = _lambert(normal, way, breadth)
    lowest = float(points[:, 2].min())
    for ball in scene.balls:
        x, y, reach = _shadow(source, ball, lowest)
        near = _within(points, x, y, reach)
        if len(near):
            share[near] *= past_ball(ball, points[near], way[near], breadth[near])
    for index, block in enumerate(scene.blocks):
        if index == inside:
            share *= into_recess(block, points, way, breadth)
            continue
        high = float(block.top - lowest)
        if high > 0.5:
            near = _within(points, *map(float, block.middle), block.reach + 4.0 * high)
            near = near[points[near, 2] < block.top - 0.3]
            share[near] *= past_block(block, points[near], way[near], breadth[near])
    return share[:, None] * np.asarray(source.color, dtype=np.float32)


def _shadow(source: Light, ball: Ball, lowest: float) -> tuple[float, float, float]:
    """Middle and reach of a box that holds a ball's shadow, from its own height to the lowest."""
    centre = np.asarray(ball.centre)
    way = np.asarray(source.position) - centre
    distance = float(np.linalg.norm(way))
    way /= distance
    up = max(float(way[2]), 0.1)
    far = max(float(centre[2]) - lowest, 0.0) / up + ball.radius
    end = centre - way * far
    spread = (ball.radius + far * min(source.radius / distance, 0.9)) / up
    middle = (centre[:2] + end[:2]) / 2
    reach = float(np.abs(centre[:2] - end[:2]).max()) / 2 + spread
    return float(middle[0]), float(middle[1]), reach


def _shadowing(source: Light, ball: Ball, others: list[Ball]) -> list[Ball]:
    """The other balls that may stand between a ball and a source."""
    centre = np.asarray(ball.centre)
    way = np.asarray(source.position) - centre
    distance = float(np.linalg.norm(way))
    way /= distance
    spread = min(source.radius / distance, 0.9)
    casters = []
    for other in others:
        offset = np.asarray(other.centre) - centre
        along = float(offset @ way)
        beside = float(np.linalg.norm(offset - along * way))
        reach = other.radius + ball.radius
        if along > -ball.radius and beside < reach + spread * max(along + ball.radius, 0.0):
            casters.append(other)
    return casters


def _mirrored(
    scene: Scene, ball: Ball, near: list[Ball], group: tuple[Floats, Floats]
) -> Floats:
    """What mirror rays from a ball's surface see: other balls, tray, table, room and lights."""
    points, mirror = group
    seen = _reflected_room(scene, ball.paint, points, mirror, mirror)
    down = np.nonzero(mirror[:, 2] < -0.02)[0]
    seen[down] = _reflected_ground(scene, ball, points[down], mirror[down])
    nearest = np.full(len(points), np.inf, dtype=np.float32)
    for other in near:
        offset = np.asarray(other.centre, dtype=np.float32) - points
        along = (offset * mirror).sum(axis=1)
        beyond = along**2 - (offset**2).sum(axis=1) + np.float32(other.radius**2)
        entry = along - np.sqrt(np.maximum(beyond, 0.0))
        met = np.nonzero((beyond > 0.0) & (entry > 0.0) & (entry < nearest))[0]
        if len(met):
            nearest[met] = entry[met]
            normal = (mirror[met] * entry[met, None] - offset[met]) / np.float32(other.radius)
            seen[met] = _plain_ball(scene, other, normal)
    return seen


def _plain_ball(scene: Scene, ball: Ball, normal: Floats) -> Floats:
    """A ball as a reflection shows it: lit, without shadows."""
    ground = 0.3 * _mean_light(scene)
    light = 0.6 * ambient(scene.room, normal, np.tile(ground, (len(normal), 1)))
    for source in scene.lights:
        way = np.asarray(source.position, dtype=np.float32) - np.float32(ball.centre)
        way /= np.linalg.norm(way)
        facing = np.maximum(normal @ way, 0.0)[:, None]
        light += 0.7 * facing * np.asarray(source.color, dtype=np.float32)
    return np.asarray(light * np.asarray(ball.paint.albedo, dtype=np.float32), dtype=np.float32)


def _reflected_ground(scene: Scene, ball: Ball, points: Floats, mirror: Floats) -> Floats:
    """Tray or table as a ball's reflection shows it, darker where the ball itself stands."""
    seen = np.zeros((len(points), 3), dtype=np.float32)
    todo = np.ones(len(points), dtype=np.bool_)
    for block in scene.blocks[:1]:
        at = points[:, :2] + mirror[:, :2] * ((block.top - points[:, 2]) / mirror[:, 2])[:, None]
        on_top = (edge_distance(block, at)[0] > 0.0) & (points[:, 2] > block.top)
        seen[on_top] = _face_albedo(block, at[on_top])
        if block.recesses is not None:
            hole = np.nonzero(on_top)[0][rim_distance(block.recesses, at[on_top])[0] > 0.0]
            seen[hole] *= 0.3
        todo &= ~on_top
    drop = (scene.table.z - points[todo, 2]) / mirror[todo, 2]
    far = np.minimum(drop, 3000.0)[:, None]
    seen[todo] = _table_albedo(scene.table, points[todo, :2] + mirror[todo, :2] * far)
    steep = np.clip(-mirror[:, 2:], 0.0, 1.0)
    return np.asarray(seen * _mean_light(scene) * (0.75 - 0.35 * steep), dtype=np.float32)


def _reflected_room(
    scene: Scene, paint: Paint, points: Floats, mirror: Floats, normal: Floats
) -> Floats:
    """Room and lights in a coat; lights only where the surface is turned to them."""
    seen = room_radiance(scene.room, mirror)
    for source in scene.lights:
        shine = glare(source, points, mirror, paint.blur)
        way, _ = towards(source, points)
        seen += shine * ((normal * way).sum(axis=1) > -0.05)[:, None]
    return np.minimum(seen, 400.0)


def _ground_light(scene: Scene, ball: Ball, points: Floats) -> Floats:
    """Light (N, 3) thrown up by what a ball lies on, fading towards the point of contact."""
    on_tray = scene.blocks and ball.centre[2] > scene.blocks[0].top - ball.radius
    main = scene.blocks[0] if on_tray else None
    if main is not None and np.linalg.norm(np.asarray(ball.centre[:2]) - main.middle) < main.reach:
        below, level = np.asarray(main.face.albedo, dtype=np.float32), main.top
    else:
        below, level = scene.table.tile.mean(axis=(0, 1)), scene.table.z
    height = np.clip((points[:, 2:] - level) / np.float32(ball.radius), 0.0, 1.0)
    return np.asarray(0.55 * _mean_light(scene) * below * (0.15 + 0.85 * height), dtype=np.float32)


def _mean_light(scene: Scene) -> Floats:
    """Roughly what a level surface gets in all (3,)."""
    total = np.asarray(scene.room.zenith, dtype=np.float32).copy()
    for source in scene.lights:
        way = np.asarray(source.position, dtype=np.float32)
        slope = max(float(way[2] / np.linalg.norm(way)), 0.0)
        total += slope * np.asarray(source.color, dtype=np.float32)
    return total


def _lambert(normal: Floats, way: Floats, breadth: Floats) -> Floats:
    """Cosine law, softened where a broad light sets behind the surface."""
    return np.clip(((normal * way).sum(axis=1) + breadth) / (1.0 + breadth), 0.0, 1.0)


def _fresnel(normal: Floats, rays: Floats) -> Floats:
    """Share (N,) of light that a clear coat reflects."""
    facing = np.clip(-(normal * rays).sum(axis=1), 0.0, 1.0)
    rest = 1.0 - _BASE_REFLECTANCE
    return np.asarray(_BASE_REFLECTANCE + rest * (1.0 - facing) ** 5, dtype=np.float32)


def _within(points: Floats, x: float, y: float, reach: float) -> Where:
    """Indices of points in a square around (x, y)."""
    return np.nonzero((np.abs(points[:, 0] - x) < reach) & (np.abs(points[:, 1] - y) < reach))[0]


def _apart(a: Ball, b: Ball) -> float:
    return float(np.linalg.norm(np.subtract(a.centre, b.centre)))


def _sample(tile: Floats, x: Floats, y: Floats) -> Floats:
    """Bilinear values (N, 3) of a tile at places (N,), wrapped round its edges."""
    picked = np.empty((len(x), 3), dtype=np.float32)
    rows = 32000  # OpenCV's limit on the height of a map
    for start in range(0, len(x), rows):
        part = slice(start, start + rows)
        found = cv2.remap(tile, x[part, None], y[part, None], cv2.INTER_LINEAR, None, cv2.BORDER_WRAP)
        picked[part] = found[:, 0]
    return picked
