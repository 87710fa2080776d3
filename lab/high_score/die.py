"""A die as a picture: a rounded box, cast ray by ray, lit by one lamp and the sky."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.high_score.faces import SIZE, Design

Floats = NDArray[np.float32]
Rng = np.random.Generator

_STEPS = 9
_FINER = 2
_LARGE = 60
"""Rays a pixel each way, for dice that are not this many pixels large."""


@dataclass(frozen=True, eq=False)
class DiceCamera:
    """A pinhole: pixels = ``matrix`` · (``turn`` · world + ``shift``)."""

    matrix: Floats
    turn: Floats
    shift: Floats

    @property
    def place(self) -> Floats:
        """Where the camera is in the world."""
        return np.asarray(-self.turn.T @ self.shift, np.float32)

    def project(self, points: Floats) -> Floats:
        """Pixels (N, 2) of points of the world (N, 3)."""
        seen = (points @ self.turn.T + self.shift) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float32)


@dataclass(frozen=True)
class Material:
    """What a set of dice is made of. Colours are linear, in the order blue, green, red."""

    body: Floats
    second: Floats
    marble: float
    inks: tuple[Floats, ...]
    rounding: float
    ball: float
    """Radius of the ball that cuts the corners off; above 0.87 it does not."""
    gloss: float
    sharpness: float
    clear: float
    """How much of the ink of the hidden side shines through."""


@dataclass(frozen=True, eq=False)
class Die:
    """A die in the world; its side is 1. ``turn``'s columns are its own axes."""

    turn: Floats
    middle: Floats
    design: Design
    material: Material
    marbling: Floats
    top: int
    """Index of the face on top; faces are numbered by axis and sign as ``FACE_NORMALS``."""
    faces: tuple[int, ...]
    """Which mask of the design lies on each of the box's six sides; −1 for none."""
    cocked: bool = False
    set_number: int = -1


FACE_NORMALS = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32
)


@dataclass(frozen=True, eq=False)
class DiceLight:
    """A lamp by its direction, and the light from all sides; linear colours."""

    way: Floats
    lamp: Floats
    sky: Floats


def draw_die(picture: Floats, die: Die, camera: DiceCamera, light: DiceLight) -> None:
    """Draw the die over the picture (linear light), in place."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5
    pixels = camera.project((corners @ die.turn.T + die.middle).astype(np.float32))
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
    high = np.ceil(pixels.max(axis=0)).astype(int) + 2
    high = np.minimum(high, [picture.shape[1], picture.shape[0]])
    if (high - low <= 1).any():
        return
    color, cover = _cast(die, camera, light, low, high - low)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shown = cv2.resize(color, size, interpolation=cv2.INTER_AREA)
    share = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.float32)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    patch *= 1.0 - share[..., None]
    patch += shown


def _cast(
    die: Die, camera: DiceCamera, light: DiceLight, low: NDArray[np.int64], size: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Light (rows, columns, 3), already times the cover (rows, columns)."""
    finer = _FINER if size.max() < _LARGE else 1
    columns, rows = size * finer
    v, u = np.mgrid[:rows, :columns].astype(np.float32)
    u, v = (u + 0.5) / finer - 0.5 + low[0], (v + 0.5) / finer - 0.5 + low[1]
    own = (camera.turn @ die.turn).T @ np.linalg.inv(camera.matrix)  # from pixels to the die
    rays = own.astype(np.float32) @ np.stack([u.ravel(), v.ravel(), np.ones(u.size, np.float32)])
    rays /= _length(rays)
    origin = (die.turn.T @ (camera.place - die.middle))[:, None]
    cover = np.zeros(rays.shape[1], np.float32)
    color = np.zeros((rays.shape[1], 3), np.float32)
    near, hits = _slab(origin, rays)
    index = np.nonzero(hits)[0]
    points, sound = _march(origin, rays[:, index], near[index], die.material)
    index, points = index[sound], points[:, sound]
    cover[index] = 1.0
    color[index] = _shade(die, points.T.copy(), rays[:, index].T.copy(), light)
    return color.reshape(rows, columns, 3), cover.reshape(rows, columns)


def _length(vectors: Floats) -> Floats:
    """Of each column of three; sums written out are several times faster than along an axis."""
    x, y, z = vectors
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def _largest(vectors: Floats) -> Floats:
    return np.asarray(np.maximum(np.maximum(vectors[0], vectors[1]), vectors[2]))


def _slab(origin: Floats, rays: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    inverse = 1.0 / np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    first, second = (-0.5 - origin) * inverse, (0.5 - origin) * inverse
    near = _largest(np.minimum(first, second))
    far = -_largest(-np.maximum(first, second))
    return np.asarray(near, np.float32), np.asarray(near < far)


def _march(
    origin: Floats, rays: Floats, near: Floats, material: Material
) -> tuple[Floats, NDArray[np.bool_]]:
    """Where the rays meet the rounded box, and which do."""
    inner, way = np.float32(0.5 - material.rounding), near.copy()
    away = np.zeros_like(way)
    for _ in range(_STEPS):
        points = origin + way * rays
        beyond = np.abs(points) - inner
        away = _length(np.maximum(beyond, 0.0)) - np.float32(material.rounding)
        away += np.minimum(_largest(beyond), 0.0)
        away = np.maximum(away, _length(points) - np.float32(material.ball))
        way += away
    return np.asarray(origin + way * rays), away < 0.02


def _shade(die: Die, points: Floats, rays: Floats, light: DiceLight) -> Floats:
    material = die.material
    inner = 0.5 - material.rounding
    outside = np.sign(points) * np.maximum(np.abs(points) - inner, 1e-5)
    distance = np.sqrt((points**2).sum(axis=1, keepdims=True))
    normals = np.where(distance > material.ball - 0.012, points, outside)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    albedo = _albedo(die, points)
    way = die.turn.T @ light.way
    up = die.turn.T @ np.array([0, 0, 1], np.float32)
    toward = np.maximum(normals @ way, 0.0)
    open_sky = 0.6 + 0.4 * (normals @ up)
    height = np.clip((points @ up + 0.5) * 1.5 + 0.4, 0.4, 1.0)
    lit = light.lamp * toward[:, None] + light.sky * (open_sky * height)[:, None]
    half = way - rays
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    shine = np.maximum((normals * half).sum(axis=1), 0.0) ** material.sharpness
    sheen = material.gloss * (1.0 - np.maximum(-(normals * rays).sum(axis=1), 0.0)) ** 3
    gleam = material.gloss * shine[:, None] * light.lamp + 0.5 * sheen[:, None] * light.sky
    return np.asarray(albedo * lit + gleam, np.float32)


def _albedo(die: Die, points: Floats) -> Floats:
    axis = np.abs(points).argmax(axis=1)
    sign = points[np.arange(len(points)), axis] > 0
    across = np.choose(axis, [points[:, 1], points[:, 2], points[:, 0]])
    down = np.choose(axis, [points[:, 2], points[:, 0], points[:, 1]])
    column = np.clip((across + 0.5) * SIZE, 0, SIZE - 1).astype(np.intp)
    row = np.clip((0.5 - down) * SIZE, 0, SIZE - 1).astype(np.intp)
    marble = die.marbling[(row + 17 * axis) % SIZE, (column + 31 * axis) % SIZE][:, None]
    material = die.material
    albedo = material.body + (material.second - material.body) * marble * material.marble
    for side in range(6):
        here = (axis == side // 2) & (sign == (side % 2 == 0))
        if not here.any():
            continue
        for face, share in ((die.faces[side], 1.0), (die.faces[side ^ 1], material.clear)):
            if face < 0 or share == 0.0:
                continue
            mask = die.design.masks[face]
            # seen from outside, a side whose normal is negative would be mirrored
            columns = column[here] if (side % 2 == 0) == (share == 1.0) else SIZE - 1 - column[here]
            ink = mask[row[here], columns][:, None] * share
            albedo[here] += (material.inks[face] - albedo[here]) * ink
    return np.asarray(albedo, np.float32)
