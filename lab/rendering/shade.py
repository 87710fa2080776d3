"""Shading: the radiance of what rays met, with shadows, coloured bounce light and reflections."""

from collections.abc import Iterator

import numpy as np

from lab.rendering.bounce import NEAR_RADII, bounce, bounce_on_plane, ground_light, openness
from lab.rendering.cast import LABELS, HitKind, Hits, cast
from lab.rendering.light import Beam, Patch, ambient, room_radiance
from lab.rendering.mirror import coated, plane_in, surroundings_in
from lab.rendering.scene import Floats, Scene, Where
from lab.rendering.shadow import casters_on, light_on_ball, light_on_plane
from lab.rendering.surface import surface
from lab.rendering.vectors import vector


def radiance(scene: Scene, eye: Floats, rays: Floats) -> tuple[Floats, Hits]:
    """Radiance (N, 3) that comes to the eye along unit rays (N, 3), and what they met."""
    hits = cast(scene, eye, rays)
    seen = np.zeros((len(rays), 3), dtype=np.float32)
    for kind, index, where in _groups(hits):
        if kind == HitKind.ROOM:
            seen[where] = room_radiance(scene.room, rays[where])
            continue
        points = eye + rays[where] * hits.distance[where, None]
        patch = Patch(points, hits.normal[where], rays[where])
        beams = [Beam.to(light, points) for light in scene.lights]
        if kind == HitKind.BALL:
            seen[where] = _ball(scene, index, patch, beams)
        else:
            seen[where] = _solid(scene, (kind, index), patch, beams)
    return seen, hits


def _groups(hits: Hits) -> Iterator[tuple[HitKind, int, Where]]:
    """Rays that met the same thing."""
    label = hits.label
    order = np.argsort(label, kind="stable")
    values, starts = np.unique(label[order], return_index=True)
    for value, where in zip(values.tolist(), np.split(order, starts[1:]), strict=True):
        yield HitKind(value // LABELS), value % LABELS - 1, where


def _ball(scene: Scene, index: int, patch: Patch, beams: list[Beam]) -> Floats:
    ball = scene.balls[index]
    others = [*scene.balls[:index], *scene.balls[index + 1 :]]
    centre, reach = np.asarray(ball.centre), NEAR_RADII * ball.radius
    near = [other for other in others if np.linalg.norm(centre - other.centre) < reach]
    open_sky, thrown = bounce(scene, near, patch.points, patch.normal)
    around = ambient(scene.room, patch.normal, ground_light(scene, ball, patch.points))
    light = around * open_sky[:, None] + thrown
    for beam in beams:
        light += light_on_ball(scene, beam, patch, casters_on(beam.light, ball, others))
    seen: Floats = vector(ball.paint.albedo) * light
    if ball.paint.gloss > 0.0:
        reflected = surroundings_in(scene, ball, near, patch, beams)
        seen = coated(ball.paint, seen, patch, reflected)
    return seen


def _solid(scene: Scene, what: tuple[HitKind, int], patch: Patch, beams: list[Beam]) -> Floats:
    """Radiance of table and blocks."""
    kind, index = what
    recessed = kind in (HitKind.FLOOR, HitKind.WALL) or (kind == HitKind.TABLE and index >= 0)
    inside = scene.blocks[index] if recessed else None
    albedo, paint = surface(scene, kind, index, patch.points)
    open_sky, thrown = bounce_on_plane(scene, patch.points, patch.normal)
    open_sky *= openness(scene, inside, patch.points)
    ground = 0.4 * vector(scene.room.horizon) * scene.table.mean_albedo
    light = ambient(scene.room, patch.normal, ground) * open_sky[:, None] + thrown
    for beam in beams:
        light += light_on_plane(scene, beam, patch, inside)
    seen: Floats = albedo * light
    if paint.gloss > 0.0 and inside is None:
        seen = coated(paint, seen, patch, plane_in(scene, paint, patch, beams))
    return seen
