"""A photo of dice with its truth: dice thrown on a table, a camera, a light, a lens, a sensor."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.high_score.die import FACE_NORMALS, DiceCamera, DiceLight, Die, draw_die
from lab.high_score.faces import Floats, Rng
from lab.high_score.materials import DiceSet, dice_set
from lab.high_score.surfaces import SCALE, draw_table, to_table

Picture = NDArray[np.uint8]

SIZE = (640, 480)
LEANING = 0.35
"""Share of the rolls with leaning dice: far more than on a table, or nobody learns to see them."""
_UP = 4


@dataclass(frozen=True, eq=False)
class Label:
    """A die in a picture: its top face's middle and half edges in pixels, and what it is."""

    uv: Floats
    edges: Floats
    """Columns are half the edges of the face, right-handed in the picture."""
    kind: str
    face: int
    set_number: int
    cocked: bool


@dataclass(frozen=True)
class WantedDice:
    """What a picture is to show."""

    sets: tuple[int, ...]
    """Every die is of one of these."""
    count: int
    row: tuple[int, ...] = ()
    """If given, dice in a row with these faces, as for enrolment."""


def photograph(rng: Rng, wanted: WantedDice) -> tuple[Picture, list[Label]]:
    """A photo (blue, green, red) and what lies where in it."""
    camera, side = _camera(rng, row=bool(wanted.row))
    dice = _row(rng, wanted) if wanted.row else _throw(rng, wanted, side)
    light = _light(rng)
    blanks = (
        [_blank(rng, dice) for _ in range(int(rng.integers(1, 4)))] if rng.random() < 0.12 else []
    )
    table = draw_table(rng)
    seen = _ground(rng, table, camera, light, dice + blanks)
    everything = sorted(dice + blanks, key=lambda die: -np.linalg.norm(die.middle - camera.place))
    for die in everything:
        draw_die(seen, die, camera, light)
    labels = [_label(die, camera) for die in dice]
    inside = [label for label in labels if (label.uv > 2).all() and (label.uv < SIZE).all()]
    return _developed(rng, seen), inside


def _camera(rng: Rng, row: bool) -> tuple[DiceCamera, float]:
    """A camera above the table, and how many pixels a die's side is in the middle."""
    width, height = SIZE
    focal = width / 2 / np.tan(np.deg2rad(rng.uniform(45, 72)) / 2)
    side = float(np.exp(rng.uniform(np.log(36), np.log(70)) if row else
                        rng.uniform(np.log(22), np.log(76))))  # fmt: skip
    tilt = np.deg2rad(abs(rng.normal(0, 20)) if not row else abs(rng.normal(0, 12)))
    tilt = min(tilt, np.deg2rad(52))
    around = rng.normal(0, 0.12) if row else rng.uniform(0, 2 * np.pi)
    roll = rng.normal(0, 0.1)
    forward = np.array([0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0, 0])
    down = np.cross(forward, right)
    turn = np.stack([right, down, forward])
    ground = np.array(
        [[np.cos(around), -np.sin(around), 0], [np.sin(around), np.cos(around), 0], [0, 0, 1]]
    )
    rolled = np.array(
        [[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]
    )
    turn = rolled @ turn @ ground
    distance = focal / side
    shift = np.array([rng.normal(0, 0.04), rng.normal(0, 0.04), 1.0]) * distance
    matrix = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
    found = (matrix.astype(np.float32), turn.astype(np.float32), shift.astype(np.float32))
    return DiceCamera(*found), side


def _spin(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


_TO_TOP = {
    0: np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]]),
    1: np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
    2: np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
    3: np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]),
    4: np.eye(3),
    5: np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]]),
}
"""Turns that bring a side of the box to the top."""


def _die(rng: Rng, chosen: DiceSet, place: NDArray[np.float64], angle: float, face: int) -> Die:
    """A die that lies flat with this face of its design on top."""
    faces = rng.permutation(6)
    side = int(np.nonzero(faces == face)[0][0])
    turn = (_spin(angle) @ _TO_TOP[side]).astype(np.float32)
    middle = np.array([place[0], place[1], 0.5], np.float32)
    order = tuple(int(number) for number in faces)
    own = (chosen.design, chosen.material, chosen.marbling)
    return Die(turn, middle, *own, side, order, set_number=chosen.number)


def _row(rng: Rng, wanted: WantedDice) -> list[Die]:
    chosen, gap = dice_set(wanted.sets[0]), rng.uniform(1.02, 1.8)
    first = -gap * (len(wanted.row) - 1) / 2
    return [
        _die(
            rng, chosen,
            np.array([first + gap * index + rng.normal(0, 0.03), rng.normal(0, 0.12)]),
            rng.normal(0, 0.12), face,
        )
        for index, face in enumerate(wanted.row)
    ]  # fmt: skip


def _throw(rng: Rng, wanted: WantedDice, side: float) -> list[Die]:
    dice: list[Die] = []
    spots: list[tuple[NDArray[np.float64], float]] = []
    reach = min(0.36 * SIZE[1] / side, 7.0)
    middle = rng.normal(0, 0.12 * reach, 2)
    close = rng.random() < 0.35
    for _ in range(60 * wanted.count):
        if len(dice) == wanted.count:
            break
        if spots and rng.random() < (0.7 if close else 0.15):  # against another die
            near, angle = spots[rng.integers(len(spots))]
            way = rng.uniform(0, 2 * np.pi)
            place = near + rng.uniform(1.0, 1.35) * np.array([np.cos(way), np.sin(way)])
        else:
            place, angle = middle + rng.uniform(-1, 1, 2) * reach, rng.uniform(0, 2 * np.pi)
        angle += rng.uniform(0, 2 * np.pi) if rng.random() < 0.7 else 0.0
        if any(_overlap(place, angle, other, turned) for other, turned in spots):
            continue
        spots.append((place, angle))
        chosen = dice_set(wanted.sets[rng.integers(len(wanted.sets))])
        dice.append(_die(rng, chosen, place, angle, int(rng.integers(6))))
    if dice and rng.random() < LEANING:
        for which in rng.choice(len(dice), min(len(dice), int(rng.integers(1, 4))), replace=False):
            dice[which] = _leaning(rng, dice[which])
    return dice


def _overlap(a: NDArray[np.float64], turn_a: float, b: NDArray[np.float64], turn_b: float) -> bool:
    apart = float(np.hypot(*(a - b)))
    if apart > 1.415 or apart < 0.99:
        return apart < 0.99
    first, second = (
        ((float(at[0]), float(at[1])), (0.99, 0.99), float(np.rad2deg(turn)))
        for at, turn in ((a, turn_a), (b, turn_b))
    )
    return cv2.rotatedRectangleIntersection(first, second)[0] != cv2.INTERSECT_NONE


def _leaning(rng: Rng, die: Die) -> Die:
    """The die leaning by 10 to 45 degrees, its lowest corner on the table."""
    way, lean = rng.uniform(0, 2 * np.pi), np.deg2rad(rng.uniform(10, 44))
    axis = np.array([np.cos(way), np.sin(way), 0.0])
    turn = cv2.Rodrigues(axis * lean)[0] @ die.turn
    lowest = 0.5 * np.abs(turn[2]).sum() - 0.12 * die.material.rounding
    middle = np.array([die.middle[0], die.middle[1], lowest], np.float32)
    top = int((FACE_NORMALS @ turn[2]).argmax())
    return replace(die, turn=turn.astype(np.float32), middle=middle, top=top, cocked=True)


def _blank(rng: Rng, dice: list[Die]) -> Die:
    """A blank block, away from the dice."""
    spots = [die.middle[:2].astype(np.float64) for die in dice]
    place = np.zeros(2)
    for _ in range(30):
        place = rng.uniform(-6, 6, 2)
        if all(np.hypot(*(place - spot)) > 1.5 for spot in spots):
            break
    chosen = dice_set(int(rng.integers(1 << 20)))
    die = _die(rng, chosen, place, rng.uniform(0, 2 * np.pi), 0)
    return replace(die, faces=(-1,) * 6)


def _light(rng: Rng) -> DiceLight:
    height, around = np.deg2rad(rng.uniform(25, 85)), rng.uniform(0, 2 * np.pi)
    way = np.array(
        [np.cos(height) * np.cos(around), np.cos(height) * np.sin(around), np.sin(height)]
    )
    warmth = rng.normal(0, 0.18)
    tint = np.exp(np.array([-warmth, 0, warmth]) + rng.normal(0, 0.04, 3))
    share = rng.uniform(0.15, 0.8)
    cool = np.exp(np.array([0.5 * warmth, 0, -0.5 * warmth]))
    lamp, sky = share * tint / max(0.4, way[2]), (1 - share) * tint * cool
    return DiceLight(way.astype(np.float32), lamp.astype(np.float32), sky.astype(np.float32))


def _ground(
    rng: Rng, table: Picture, camera: DiceCamera, light: DiceLight, dice: list[Die]
) -> Floats:
    """The table as the camera sees it, with the dice's shadows, in linear light."""
    shadow, contact = (np.zeros([side // _UP for side in table.shape[:2]], np.uint8) for _ in "ab")
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.47
    for die in dice:
        points = corners @ die.turn.T + die.middle
        cast = points[:, :2] - points[:, 2:] * light.way[:2] / light.way[2]
        for drawn, spots in ((shadow, cast), (contact, points[:, :2])):
            hull = cv2.convexHull(to_table(spots.astype(np.float32)) / _UP)
            cv2.fillConvexPoly(drawn, hull.astype(np.int32), 255)
    soft = rng.uniform(0.03, 0.35) * SCALE / _UP
    blurred = ((shadow, soft), (contact, 0.16 * SCALE / _UP))
    dark, close = (
        np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma) / 255.0, np.float32)
        for plane, sigma in blurred
    )
    to_pixels = _table_to_pixels(camera)
    seen = cv2.warpPerspective(table, to_pixels, SIZE, borderMode=cv2.BORDER_REFLECT)
    reduced = to_pixels @ np.diag([_UP, _UP, 1.0])
    dark, close = (
        np.asarray(cv2.warpPerspective(plane, reduced, SIZE), np.float32)[..., None]
        for plane in (dark, close)
    )
    lamp = light.lamp * light.way[2]
    lit = (1 - dark) * lamp + (1 - 0.75 * close) * light.sky
    linear = np.power(np.arange(256, dtype=np.float32) / 255, 2.2)
    return np.asarray(linear[seen] * lit, np.float32)


def _table_to_pixels(camera: DiceCamera) -> NDArray[np.float64]:
    spots = np.array([[-5, -5], [5, -5], [5, 5], [-5, 5]], np.float32)
    flat = np.column_stack([spots, np.zeros(4)]).astype(np.float32)
    found = cv2.getPerspectiveTransform(to_table(spots), camera.project(flat))
    return np.asarray(found, np.float64)


def _label(die: Die, camera: DiceCamera) -> Label:
    normal = FACE_NORMALS[die.top]
    axis, flip = die.top // 2, die.top % 2
    across, down = np.eye(3, dtype=np.float32)[[(axis + 1) % 3, (axis + 2) % 3]]
    points = np.stack([normal, normal + across, normal + down]) * 0.5
    middle, right, below = camera.project((points @ die.turn.T + die.middle).astype(np.float32))
    edges = np.stack([right - middle, below - middle], axis=1)
    if np.linalg.det(edges) < 0:
        edges = edges[:, ::-1] if not flip else np.stack([-edges[:, 0], edges[:, 1]], axis=1)
    kind = die.design.kinds[die.faces[die.top]]
    return Label(middle, edges, kind, die.faces[die.top], die.set_number, die.cocked)


def _developed(rng: Rng, light: Floats) -> Picture:
    """The photo: exposed, blurred, with noise, in eight bits."""
    height, width = light.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    way = rng.uniform(0, 2 * np.pi)
    slope = (np.cos(way) * (x / width - 0.5) + np.sin(way) * (y / height - 0.5)).astype(np.float32)
    light = light * np.exp(rng.uniform(0, 0.9) * slope)[..., None]
    if rng.random() < 0.12:  # a lamp mirrored by the table
        spot = np.hypot(x - rng.uniform(0, width), y - rng.uniform(0, height))
        light = (
            light + rng.uniform(0.1, 0.5) * np.exp(-((spot / rng.uniform(30, 90)) ** 2))[..., None]
        )
    level = float(np.percentile(light[::4, ::4], 97))
    light = light * np.float32(rng.uniform(0.35, 1.3) / max(level, 1e-3))
    sigma = rng.uniform(0.3, 0.8) if rng.random() < 0.75 else rng.uniform(0.8, 1.6)
    light = np.asarray(cv2.GaussianBlur(light.astype(np.float32), (0, 0), sigma), np.float32)
    if rng.random() < 0.1:
        length = int(rng.integers(2, 5))
        size = (length, 1) if rng.random() < 0.5 else (1, length)
        light = np.asarray(cv2.blur(light, size), np.float32)
    noise = rng.standard_normal(light.shape, dtype=np.float32) * rng.uniform(0.002, 0.025)
    light = light + noise * np.sqrt(np.maximum(light, 0.01))
    curve = np.clip(light, 0, 1) ** np.float32(1 / rng.uniform(1.9, 2.5))
    picture = (255 * curve).astype(np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 97))]
    stored = cv2.imencode(".jpg", picture, quality)[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
