"""Draws scenes of Cube by casting a ray a pixel: the picture and what every pixel shows."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from lab.cube.scene import SIDE, Box, Rng, Scene

F32 = NDArray[np.float32]

OTHER, PLATE, TOP, FRONT, LEFT, RIGHT, BACK = range(7)
"""What a pixel shows: the table, the board, or a face of a cube of the building."""

_NORMALS = np.array(
    [[0, 0, 1], [0, -1, 0], [-1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1]], np.float32
)
_FACES = np.array([TOP, FRONT, LEFT, RIGHT, BACK, OTHER])


@dataclass(frozen=True)
class Drawn:
    """A picture and its truth, pixel by pixel."""

    picture: NDArray[np.uint8]
    """Blue, green, red."""
    surface: NDArray[np.uint8]
    """One of ``OTHER`` … ``BACK``."""
    color: NDArray[np.int8]
    """Which of the four colours, −1 where there is no cube of the building."""
    cell: NDArray[np.int8]
    """x + 4 y + 16 z of the cube, −1 elsewhere."""


def draw(scene: Scene, rng: Rng) -> Drawn:
    """The scene as a camera sees it."""
    camera = scene.view.camera
    width, height = camera.width, camera.height
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)
    rays = scene.view.rays(grid.reshape(-1, 2).astype(np.float64)).astype(np.float32)
    eye = scene.view.pose.eye.astype(np.float32)
    hit = _cast(scene, rays, eye, width, height)
    where = eye + rays * np.minimum(hit.far, 300.0)[:, None]
    albedo = _albedo(scene, hit, where, rng)
    lit = _lit(scene, hit, where, rays, albedo, rng, (height, width))
    picture = _developed(lit.reshape(height, width, 3), scene, rng)
    surface = np.zeros(len(rays), np.uint8)
    color = np.full(len(rays), -1, np.int8)
    cell = np.full(len(rays), -1, np.int8)
    for index, box in enumerate(scene.boxes):
        mine = hit.box == index
        if box.kind == "plate":
            surface[mine] = PLATE
        elif box.kind == "cube":
            x, y, z = box.cell
            surface[mine] = _FACES[hit.face[mine]]
            color[mine] = scene.colors[y, x, z]
            cell[mine] = x + 4 * y + 16 * z
    shape = (height, width)
    return Drawn(picture, surface.reshape(shape), color.reshape(shape), cell.reshape(shape))


@dataclass(frozen=True)
class _Hits:
    far: F32
    box: NDArray[np.int32]
    """−1: the table; −2: nothing."""
    face: NDArray[np.int8]
    local: F32
    """Place in the box's own axes."""


def _enter(box: Box, start: F32, way: F32) -> tuple[F32, F32, NDArray[np.int64]]:
    """Distances at which rays enter and leave a box, and the axis by which they enter.

    ``start`` and ``way`` are (3,) or (3, rays): by component, which is several times faster.
    """
    low, high = np.float32(-np.inf), np.float32(np.inf)
    axis: NDArray[np.int64] = np.zeros(max(start[0].size, way[0].size), np.int64)
    origin = _own_axes(box, start - _column(box.centre, start.ndim))
    ahead = _own_axes(box, way)
    for index, half in enumerate(box.half):
        along = ahead[index]
        inverse = 1.0 / np.where(np.abs(along) < 1e-7, np.float32(1e-7), along)
        middle, reach = -origin[index] * inverse, np.abs(np.float32(half) * inverse)
        near = middle - reach
        axis = np.where(near > low, index, axis)
        low, high = np.maximum(low, near), np.minimum(high, middle + reach)
    return np.asarray(low), np.asarray(high), axis


def _column(values: tuple[float, float, float], dimensions: int) -> F32:
    column = np.array(values, np.float32)
    return column if dimensions == 1 else column[:, None]


def _own_axes(box: Box, vectors: F32) -> F32:
    if box.turn == 0.0:
        return vectors
    cos, sin = np.float32(np.cos(box.turn)), np.float32(np.sin(box.turn))
    x, y, z = vectors
    return np.stack([x * cos + y * sin, y * cos - x * sin, z])


def _cast(scene: Scene, rays: F32, eye: F32, width: int, height: int) -> _Hits:
    count = len(rays)
    ground = np.float32(scene.extra["ground"])
    down = rays[:, 2] < -1e-4
    far = np.full(count, 1e4, np.float32)
    far[down] = (ground - eye[2]) / rays[down, 2]
    which = np.where(down, -1, -2).astype(np.int32)
    face = np.zeros(count, np.int8)
    local = np.zeros((count, 3), np.float32)
    grid = np.arange(count).reshape(height, width)
    by_component = np.ascontiguousarray(rays.T)
    for index, box in enumerate(scene.boxes):
        part = _window(scene.view, box, width, height)
        if part is None:
            continue
        inside = grid[part].ravel()
        enter, leave, axis = _enter(box, eye, by_component[:, inside])
        seen = (enter < leave) & (enter > 0) & (enter < far[inside])
        mine = inside[seen]
        if not len(mine):
            continue
        far[mine], which[mine] = enter[seen], index
        cos, sin = np.cos(box.turn), np.sin(box.turn)
        turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float32)
        spot = (eye + rays[mine] * enter[seen, None] - np.array(box.centre, np.float32)) @ turn
        local[mine] = spot
        side = axis[seen]
        up = spot[np.arange(len(mine)), side] > 0
        face[mine] = np.array([[2, 3], [1, 4], [5, 0]])[side, up.astype(int)]
    return _Hits(far, which, face, local)


def _window(view: View, box: Box, width: int, height: int) -> tuple[slice, slice] | None:
    """The part of the picture that a box can be in."""
    half = np.array(box.half) * [1.5 if box.turn else 1, 1.5 if box.turn else 1, 1]
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), axis=-1).reshape(-1, 3)
    corners = np.array(box.centre) + signs * half
    if (view.depth(corners) < 0.05).any():
        return slice(0, height), slice(0, width)
    uv = view.project(corners)
    (left, top), (right, bottom) = np.floor(uv.min(axis=0)) - 2, np.ceil(uv.max(axis=0)) + 3
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, width), min(bottom, height)
    if right <= left or bottom <= top:
        return None
    return slice(int(top), int(bottom)), slice(int(left), int(right))


def _albedo(scene: Scene, hit: _Hits, where: F32, rng: Rng) -> F32:
    color = np.zeros((len(hit.far), 3), np.float32)
    table = hit.box == -1
    color[table] = _table(scene, where[table], rng)
    for index, box in enumerate(scene.boxes):
        mine = hit.box == index
        if not mine.any():
            continue
        spot = hit.local[mine]
        paint = np.array(box.paint, np.float32)[None] * _grain(box, spot)[:, None]
        if box.kind == "plate":
            paint = paint * _lines(scene, where[mine], hit.face[mine])[:, None]
        else:
            edge = np.sort(np.array(box.half, np.float32) - np.abs(spot), axis=1)[:, 1]
            worn = np.exp(-edge / (0.03 * box.half[0] * 2 + 1e-6))
            paint = paint * (1 + (0.5 * np.sin(box.seed)) * worn)[:, None]
        color[mine] = paint
    return color


def _grain(box: Box, spot: F32) -> F32:
    s = box.seed
    way = np.array([np.sin(s * 3), np.cos(s * 5), np.sin(s * 7 + 1)], np.float32)
    bend = np.sin(spot @ np.roll(way, 1) * 2.2 + s) * 0.9
    wave = np.sin((spot @ way) * (9 + 9 * np.sin(s) ** 2) + bend * 2 + s)
    return np.asarray(1 + box.grain * wave, np.float32)


def _lines(scene: Scene, where: F32, face: NDArray[np.int8]) -> F32:
    """How dark the pattern of the field makes the plate."""
    board = scene.board
    x, y = where[:, 0], where[:, 1]
    on = (face == 0) & (x > -0.05) & (x < SIDE + 0.05) & (y > -0.05) & (y < SIDE + 0.05)
    from_line = np.minimum(np.abs(x - np.round(x)), np.abs(y - np.round(y)))
    shade = np.ones(len(where), np.float32)
    dark = np.float32(board.line_depth)
    if board.lines == "ink":
        shade[on & (from_line < board.line_width / 2)] = 1 - 0.9 * dark
    else:
        shade[on & (from_line > board.line_width / 2)] = 1 - 0.4 * dark
        rim = on & (np.abs(from_line - board.line_width / 2 - 0.02) < 0.03)
        shade[rim] = 1 - 0.8 * dark if board.lines == "pits" else 1.25
    return shade


def _table(scene: Scene, where: F32, rng: Rng) -> F32:
    texture, first, second, scale, turn = scene.table
    cos, sin = np.cos(turn), np.sin(turn)
    u = (where[:, 0] * cos + where[:, 1] * sin) / scale
    v = (where[:, 1] * cos - where[:, 0] * sin) / scale
    if texture == "check":
        share = ((np.floor(u) + np.floor(v)) % 2).astype(np.float32)
    elif texture == "stripes":
        share = (np.floor(u * 2) % 2).astype(np.float32)
    elif texture == "plain":
        share = np.zeros(len(u), np.float32)
    else:
        noise = np.asarray(
            cv2.GaussianBlur(rng.random((256, 256)).astype(np.float32), (0, 0), 2.5), np.float32
        )
        noise = (noise - noise.mean()) / noise.std()
        stretch = 0.4 if texture == "wood" else 1.0

        def at(fine: float) -> F32:
            row = np.floor(v * fine * 8 * stretch).astype(np.int64) % 256
            column = np.floor(u * fine * 8).astype(np.int64) % 256
            return np.asarray(noise[row, column], np.float32)

        if texture == "wood":
            share = 0.5 + 0.5 * np.sin(u * 6 + at(1.0) * 1.2)
        elif texture == "marble":
            share = np.clip(0.5 + 0.3 * at(0.6) + 0.2 * at(2.0), 0, 1)
        else:
            share = np.clip(0.3 + 0.15 * at(4.0), 0, 1)
    mix = first[None] * (1 - share[:, None]) + second[None] * share[:, None]
    return np.asarray(mix, np.float32)


def _lit(
    scene: Scene, hit: _Hits, where: F32, rays: F32, albedo: F32, rng: Rng, shape: tuple[int, int]
) -> F32:
    light = scene.light
    turns = np.array([box.turn for box in scene.boxes] + [0.0, 0.0], np.float32)
    normal = _NORMALS[hit.face].copy()
    normal[hit.box < 0] = (0, 0, 1)
    turn = turns[hit.box]
    cos, sin = np.cos(turn), np.sin(turn)
    normal[:, 0], normal[:, 1] = (
        normal[:, 0] * cos - normal[:, 1] * sin, normal[:, 0] * sin + normal[:, 1] * cos,
    )  # fmt: skip
    start = where + normal * np.float32(0.012)
    open_sky = np.zeros(len(rays), np.float32)
    looks = 3
    for _ in range(looks):
        way = rng.normal(0, 1, 3)
        way[2] = abs(way[2]) + 0.4
        open_sky += 1 - _shadow(scene, start, way / np.linalg.norm(way), shape)
    open_sky = np.float32(0.25) + np.float32(0.75 / looks) * open_sky
    up = normal[:, 2:3] * 0.5 + 0.5
    total = (light.sky * up + light.ground * (1 - up)).astype(np.float32) * open_sky[:, None]
    shine = np.zeros_like(total)
    for way, color, wide in light.lamps:
        free = np.zeros(len(rays), np.float32)
        samples = 1 if wide < 0.05 else 2
        for _ in range(samples):
            bent = way + rng.normal(0, wide, 3)
            bent[2] = max(bent[2], 0.05)
            free += 1 - _shadow(scene, start, bent / np.linalg.norm(bent), shape)
        free /= samples
        facing = np.maximum(normal @ way.astype(np.float32), 0) * free
        total += facing[:, None] * color.astype(np.float32)
        half = way.astype(np.float32) - rays
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        gleam = np.maximum((normal * half).sum(axis=1), 0) ** (1.5 / (wide * wide + 0.015))
        shine += (gleam * free * light.gloss)[:, None] * color.astype(np.float32)
    graze = (1 - np.abs((normal * rays).sum(axis=1))) ** 4
    shine += (graze * light.gloss * 0.5 * open_sky)[:, None] * light.sky.astype(np.float32)
    lit = albedo * total + np.where((hit.box == -1)[:, None], 0.5, 1.0).astype(np.float32) * shine
    lit[hit.box == -2] = light.sky * 0.8
    haze = np.clip(hit.far / 60 - 0.3, 0, 0.8)[:, None] * (hit.box == -1)[:, None]
    return np.asarray(lit * (1 - haze) + light.sky.astype(np.float32) * 0.5 * haze, np.float32)


def _shadow(scene: Scene, start: F32, way: NDArray[np.float64], shape: tuple[int, int]) -> F32:
    """Which rays towards a light are stopped, looked at for every second pixel of each row."""
    height, width = shape
    coarse = np.ascontiguousarray(start.reshape(height, width, 3)[::2, ::2].reshape(-1, 3).T)
    stopped = np.zeros(coarse.shape[1], bool)
    ahead = way.astype(np.float32)
    for box in _blockers(scene):
        enter, leave, _ = _enter(box, coarse, ahead)
        stopped |= (enter < leave) & (leave > 0.0) & (enter > -0.02)
    half = stopped.reshape((height + 1) // 2, (width + 1) // 2).astype(np.float32)
    full = np.asarray(cv2.resize(half, (width, height), interpolation=cv2.INTER_LINEAR))
    return np.asarray(full.ravel(), np.float32)


def _blockers(scene: Scene) -> list[Box]:
    """The boxes that cast shadows; the cubes of a column as one."""
    found = [box for box in scene.boxes if box.kind != "cube" and box.half[2] > 0.02]
    if not scene.has_board:
        return found
    size = scene.board.cube
    for row in range(SIDE):
        for column in range(SIDE):
            tall = int(scene.heights[row, column]) * size
            if tall:
                middle = (column + 0.5, SIDE - row - 0.5, tall / 2)
                found.append(Box(middle, (size / 2, size / 2, tall / 2), 0.0, (0, 0, 0), "cube"))
    return found


def _developed(lit: F32, scene: Scene, rng: Rng) -> NDArray[np.uint8]:
    """What a phone makes of the light: blur, exposure, balance, noise."""
    height, width = lit.shape[:2]
    blur = abs(rng.normal(0, 0.5)) * width / 384
    if blur > 0.3:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), blur), np.float32)
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    vignette = 1 - rng.uniform(0, 0.35) * (x**2 + y**2) / 2
    bright = np.percentile(lit.mean(axis=2), 85) + 1e-4
    seen = lit * (0.62 / bright) * scene.light.exposure * scene.light.balance
    seen = np.maximum(seen * vignette[..., None], 0)
    seen = seen / (1 + np.maximum(seen - 0.7, 0) * rng.uniform(0.2, 0.8))
    shown = np.clip(seen, 0, 1) ** (1 / 2.2)
    contrast = rng.uniform(0, 0.6)
    shown = shown * (1 - contrast) + contrast * (3 * shown**2 - 2 * shown**3)
    shown = shown + rng.normal(0, rng.uniform(0.003, 0.02), shown.shape)
    return np.asarray(np.clip(shown[..., ::-1] * 255 + 0.5, 0, 255), np.uint8)
