"""Light as it arrives: from lamps and windows, from the room, and what mirrors show of both."""

from dataclasses import dataclass

import numpy as np

from lab.rendering.scene import Floats, Light, Room, Where
from lab.rendering.vectors import dot, length, smooth, vector

_UP = np.array([0.0, 0.0, 1.0], dtype=np.float32)


@dataclass(frozen=True)
class Patch:
    """Points (N, 3) of one thing that are seen, with their normals and the rays that met them."""

    points: Floats
    normal: Floats
    rays: Floats

    def at(self, where: Where) -> "Patch":
        """A part of the patch."""
        return Patch(self.points[where], self.normal[where], self.rays[where])

    def mirrored(self) -> Floats:
        """Directions (N, 3) into which the surface reflects the rays."""
        return self.rays - 2.0 * dot(self.rays, self.normal)[:, None] * self.normal


@dataclass(frozen=True)
class Beam:
    """A light as points see it: the way to it (N, 3), and the sine of its angular radius (N,)."""

    light: Light
    way: Floats
    breadth: Floats
    passed: Floats
    """Share (N,) of the light that its slit, if it has one, lets through to the point."""

    @classmethod
    def to(cls, light: Light, points: Floats) -> "Beam":
        """The light as seen from these points."""
        way = vector(light.position) - points
        distance = length(way)
        way /= distance[:, None]
        breadth = np.minimum(np.float32(light.radius) / distance, 0.9)
        return cls(light, way, breadth, _through_slit(light, points, way))

    def at(self, where: Where) -> "Beam":
        """The same light as seen from some of the points."""
        return Beam(self.light, self.way[where], self.breadth[where], self.passed[where])

    def falling_on(self, normal: Floats) -> Floats:
        """Cosine law (N,), softened where a broad light sets behind the surface."""
        facing = (dot(normal, self.way) + self.breadth) / (1.0 + self.breadth)
        return np.clip(facing, 0.0, 1.0) * self.passed


def _through_slit(light: Light, points: Floats, way: Floats) -> Floats:
    """Share (N,) of the light that comes through its slit: by where its rays cross z = 0."""
    if light.slit is None:
        return np.ones(len(points), dtype=np.float32)
    angle, offset, half_width = light.slit
    drop = (points[:, 2] / np.maximum(way[:, 2], np.float32(0.05)))[:, None]
    level = points[:, :2] - way[:, :2] * drop
    across = level @ vector((-np.sin(angle), np.cos(angle))) - np.float32(offset)
    return smooth((half_width - np.abs(across)) / 1.5 + 0.5)


def ambient(room: Room, normal: Floats, ground: Floats) -> Floats:
    """Light (N, 3) that a surface gets from all around; ``ground`` is what comes from below."""
    zenith, horizon = vector(room.zenith), vector(room.horizon)
    upward = (0.5 + 0.5 * normal[:, 2])[:, None]
    sky = horizon + (zenith - horizon) * upward
    return np.asarray(sky * upward + ground * (1.0 - upward), dtype=np.float32)


def room_radiance(room: Room, rays: Floats) -> Floats:
    """What rays (N, 3) that leave the table see of the room, lamps and windows left aside."""
    zenith, horizon = vector(room.zenith), vector(room.horizon)
    seen = horizon + (zenith - horizon) * np.sqrt(np.clip(rays[:, 2:], 0.0, 1.0))
    for direction, sharpness, color in room.blobs:
        weight = np.exp(np.float32(sharpness) * (rays @ vector(direction) - 1.0))
        seen += weight[:, None] * vector(color)
    return np.maximum(seen, 0.0)


def glare(beam: Beam, rays: Floats, blur: float) -> tuple[Where, Floats]:
    """Which mirror rays (N, 3) see a light, and what (M, 3), smeared by ``blur`` radians."""
    facing = dot(rays, beam.way)
    widest = min(1.6 * float(beam.breadth.max(initial=0.0)) + 3.0 * blur, 1.4)
    where = np.nonzero(facing > np.cos(widest))[0]
    part, shape = beam.at(where), _disc if beam.light.shape == "disc" else _window
    share = shape(part, rays[where], facing[where], blur)
    brightness = share * part.passed / part.breadth**2
    return where, np.asarray(brightness[:, None] * vector(beam.light.color), dtype=np.float32)


def _disc(beam: Beam, _rays: Floats, facing: Floats, blur: float) -> Floats:
    apart = np.sqrt(np.maximum(2.0 - 2.0 * facing, 0.0))
    width = np.hypot(beam.breadth, blur)
    inside = smooth((width - apart) / (2 * blur + 0.2 * beam.breadth) + 0.5)
    return np.asarray(inside * (beam.breadth / width) ** 2, dtype=np.float32)


def _window(beam: Beam, rays: Floats, facing: Floats, blur: float) -> Floats:
    """A square of the disc's area, upright, with bars between its panes."""
    right = np.cross(beam.way, _UP)
    right /= np.maximum(length(right), 1e-3)[:, None]
    above = np.cross(right, beam.way)
    half = np.float32(np.sqrt(np.pi) / 2) * beam.breadth
    x, y = dot(rays, right) / facing / half, dot(rays, above) / facing / half
    soft = blur / half + 0.02
    inside = smooth((1.0 - np.abs(x)) / soft + 0.5) * smooth((1.0 - np.abs(y)) / soft + 0.5)
    pane = np.abs((x * 0.5 + 0.5) * beam.light.panes % 1.0 - 0.5) * 2.0
    between = np.minimum(1.0 - pane, np.abs(y))
    return np.asarray(inside * smooth((between - 0.06) / soft + 0.5), dtype=np.float32)
