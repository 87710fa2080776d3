"""Reflections in clear coats, one bounce deep: other balls, tray, table, room, lamps, windows."""

import numpy as np

from lab.rendering.light import Beam, Patch, ambient, glare, room_radiance
from lab.rendering.scene import Ball, Floats, Paint, Scene, Where
from lab.rendering.shapes import edge_depth, rim_depth
from lab.rendering.surface import face_albedo, table_albedo
from lab.rendering.vectors import dot, vector, within

_BASE_REFLECTANCE = 0.04  # any clear coat seen straight on
_BRIGHTEST = 400.0
_FARTHEST_MM = 3000.0
_BLURRED_AWAY = 0.15  # a coat that smears by so many radians shows no balls


def coated(paint: Paint, seen: Floats, patch: Patch, reflected: Floats) -> Floats:
    """Radiance (N, 3) of a surface once its coat has added what it reflects."""
    facing = np.clip(-dot(patch.normal, patch.rays), 0.0, 1.0)
    fresnel = _BASE_REFLECTANCE + (1.0 - _BASE_REFLECTANCE) * (1.0 - facing) ** 5
    coat = (fresnel * paint.gloss)[:, None]
    return np.asarray(seen * (1.0 - coat) + coat * reflected, dtype=np.float32)


def room_in(scene: Scene, paint: Paint, mirror: Floats, beams: list[Beam]) -> Floats:
    """Room and lights (N, 3) as mirror rays see them."""
    seen = room_radiance(scene.room, mirror)
    for beam in beams:
        where, shine = glare(beam, mirror, paint.blur)
        seen[where] += shine
    return np.minimum(seen, _BRIGHTEST)


def surroundings_in(
    scene: Scene, ball: Ball, near: list[Ball], patch: Patch, beams: list[Beam]
) -> Floats:
    """All that (N, 3) a ball's surface mirrors."""
    mirror, points = patch.mirrored(), patch.points
    seen = room_in(scene, ball.paint, mirror, beams)
    down = np.nonzero(mirror[:, 2] < -0.02)[0]
    seen[down] = _ground(scene, ball, points[down], mirror[down])
    nearest = np.full(len(points), np.inf, dtype=np.float32)
    everywhere = np.arange(len(points))
    for other in near:
        _reflect_ball(scene, other, (points, mirror, everywhere), seen, nearest)
    return seen


def plane_in(scene: Scene, paint: Paint, patch: Patch, beams: list[Beam]) -> Floats:
    """What (N, 3) table or block mirrors: the room, and balls unless the coat blurs them away."""
    mirror, points = patch.mirrored(), patch.points
    seen = room_in(scene, paint, mirror, beams)
    clear = 1.0 - paint.blur / _BLURRED_AWAY
    if clear <= 0.0:
        return seen
    sharp = seen.copy()
    nearest = np.full(len(points), np.inf, dtype=np.float32)
    slant = float((np.abs(mirror[:, :2]).max(axis=1) / np.maximum(mirror[:, 2], 0.05)).max())
    for ball in scene.balls:
        height = max(ball.centre[2] + ball.radius - float(points[:, 2].min()), 0.0)
        where = within(points, *ball.centre[:2], ball.radius + slant * height)
        if len(where):
            _reflect_ball(scene, ball, (points[where], mirror[where], where), sharp, nearest)
    return np.asarray(seen + np.float32(clear) * (sharp - seen), dtype=np.float32)


def _reflect_ball(
    scene: Scene, ball: Ball, rays: tuple[Floats, Floats, Where], seen: Floats, nearest: Floats
) -> None:
    """Put a ball into what mirror rays see, where it is nearer than what they saw so far.

    ``rays`` are their points (M, 3), directions (M, 3) and places (M,) in ``seen``.
    """
    points, mirror, where = rays
    offset = vector(ball.centre) - points
    along = dot(offset, mirror)
    beyond = along**2 - dot(offset, offset) + np.float32(ball.radius**2)
    entry = along - np.sqrt(np.maximum(beyond, 0.0))
    met = np.nonzero((beyond > 0.0) & (entry > 0.0) & (entry < nearest[where]))[0]
    if len(met):
        nearest[where[met]] = entry[met]
        normal = (mirror[met] * entry[met, None] - offset[met]) / np.float32(ball.radius)
        seen[where[met]] = _plain_ball(scene, ball, normal)


def _plain_ball(scene: Scene, ball: Ball, normal: Floats) -> Floats:
    """A ball as a reflection shows it: lit, without shadows."""
    ground = np.tile(0.3 * scene.mean_light, (len(normal), 1))
    light = 0.6 * ambient(scene.room, normal, ground)
    for source in scene.lights:
        way = vector(source.position) - vector(ball.centre)
        facing = np.maximum(normal @ (way / np.linalg.norm(way)), 0.0)
        light += 0.7 * facing[:, None] * vector(source.color)
    return np.asarray(light * vector(ball.paint.albedo), dtype=np.float32)


def _ground(scene: Scene, ball: Ball, points: Floats, mirror: Floats) -> Floats:
    """Blocks and table as a ball's reflection shows them, darker where the ball itself stands."""
    seen = np.zeros((len(points), 3), dtype=np.float32)
    todo = np.ones(len(points), dtype=np.bool_)
    for block in scene.blocks:
        if np.linalg.norm(vector(ball.centre[:2]) - block.middle) > 2.0 * block.reach:
            continue
        drop = (block.top - points[:, 2]) / mirror[:, 2]
        at = points[:, :2] + mirror[:, :2] * drop[:, None]
        on_top = np.nonzero(todo & (drop > 0.0) & (edge_depth(block, at) > 0.0))[0]
        seen[on_top] = face_albedo(block, at[on_top])
        if block.recesses is not None and len(on_top):
            seen[on_top[rim_depth(block.recesses, at[on_top]) > 0.0]] *= 0.3
        todo[on_top] = False
    drop = (scene.table.z - points[todo, 2]) / mirror[todo, 2]
    far = np.minimum(drop, _FARTHEST_MM)[:, None]
    seen[todo] = table_albedo(scene.table, points[todo, :2] + mirror[todo, :2] * far)
    steep = np.clip(-mirror[:, 2:], 0.0, 1.0)
    return np.asarray(seen * scene.mean_light * (0.75 - 0.35 * steep), dtype=np.float32)
