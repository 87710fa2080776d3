"""Random scenes of Cube: a board, a building, what lies around, light and a camera.

Everything is measured in spaces of the board (a space is 1 wide). The field is 0…4 along x (to the
right of a camera before it) and y (away from it), its surface at z = 0.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Pose, View

Floats = NDArray[np.float64]
Rng = np.random.Generator

SIDE = 4

PAINTS: dict[str, tuple[float, float, float]] = {
    "red": (0.60, 0.035, 0.04),
    "yellow": (0.80, 0.50, 0.03),
    "blue": (0.03, 0.11, 0.50),
    "green": (0.04, 0.28, 0.06),
    "orange": (0.80, 0.22, 0.02),
    "natural": (0.62, 0.42, 0.22),
    "white": (0.80, 0.79, 0.75),
    "black": (0.025, 0.025, 0.028),
    "purple": (0.22, 0.05, 0.38),
    "pink": (0.80, 0.25, 0.40),
    "turquoise": (0.04, 0.45, 0.45),
    "brown": (0.20, 0.09, 0.04),
    "grey": (0.30, 0.30, 0.31),
}
"""Linear red, green, blue of what cubes are painted with."""

CLASSIC = ("red", "yellow", "blue", "green")

BOARDS: tuple[tuple[float, float, float], ...] = (
    (0.55, 0.36, 0.18), (0.45, 0.30, 0.16), (0.16, 0.08, 0.045), (0.10, 0.055, 0.035),
    (0.17, 0.19, 0.18), (0.35, 0.35, 0.34), (0.04, 0.04, 0.045), (0.75, 0.73, 0.68),
    (0.10, 0.16, 0.30), (0.08, 0.20, 0.10), (0.35, 0.10, 0.08), (0.62, 0.50, 0.34),
)  # fmt: skip


@dataclass(frozen=True)
class Box:
    """A box that stands on its bottom, turned about the vertical."""

    centre: tuple[float, float, float]
    half: tuple[float, float, float]
    turn: float
    paint: tuple[float, float, float]
    kind: str
    """``cube``, ``plate``, ``extra``."""
    cell: tuple[int, int, int] = (-1, -1, -1)
    """x, y (row 0 is the far one) and z of a cube of the building."""
    grain: float = 0.1
    seed: float = 0.0


@dataclass(frozen=True)
class Light:
    """Daylight from everywhere and one or two lamps; colours are linear."""

    sky: Floats
    ground: Floats
    lamps: tuple[tuple[Floats, Floats, float], ...]
    """Direction towards the lamp, its colour, how wide it is."""
    gloss: float
    exposure: float
    balance: Floats


@dataclass(frozen=True)
class Board:
    """A make of board and cubes."""

    paint: tuple[float, float, float]
    colors: tuple[tuple[float, float, float], ...]
    """Paints of the four letters."""
    names: tuple[str, ...]
    cube: float
    """Edge of a cube, in spaces."""
    border: float
    thick: float
    hover: float
    lines: str
    """``ink``, ``pits`` or ``bars``."""
    line_width: float
    line_depth: float
    grain: float


@dataclass(frozen=True)
class Scene:
    """All that is in a picture."""

    board: Board
    heights: NDArray[np.int64]
    """(rows, columns), row 0 the far one."""
    colors: NDArray[np.int64]
    """(rows, columns, levels), −1 where there is no cube."""
    boxes: tuple[Box, ...]
    table: tuple[str, Floats, Floats, float, float]
    """Texture, two colours, scale, turn."""
    light: Light
    view: View
    has_board: bool = True
    extra: dict[str, float] = field(default_factory=dict)


def random_board(rng: Rng, classic: bool | None = None) -> Board:
    """A board of any make."""
    classic = rng.random() < 0.45 if classic is None else classic
    names = CLASSIC if classic else tuple(rng.permutation(list(PAINTS))[:4].tolist())
    names = tuple(rng.permutation(list(names)).tolist())

    def vary(paint: tuple[float, float, float]) -> tuple[float, float, float]:
        bent = np.clip(np.array(paint) * np.exp(rng.normal(0, 0.14, 3)), 0.01, 0.9)
        return (float(bent[0]), float(bent[1]), float(bent[2]))

    plain = rng.random() < 0.7
    paint = BOARDS[rng.integers(len(BOARDS))] if plain else tuple(rng.uniform(0.03, 0.7, 3))
    return Board(
        vary((float(paint[0]), float(paint[1]), float(paint[2]))),
        tuple(vary(PAINTS[name]) for name in names),
        names,
        cube=float(rng.uniform(0.86, 0.95)),
        border=float(rng.uniform(0.15, 0.75)),
        thick=float(rng.uniform(0.15, 0.6)),
        hover=float(rng.choice([0.0, rng.uniform(0, 0.4)])),
        lines=str(rng.choice(["ink", "pits", "bars"])),
        line_width=float(rng.uniform(0.02, 0.1)),
        line_depth=float(rng.uniform(0.25, 0.9)),
        grain=float(rng.choice([0.0, rng.uniform(0, 0.25)])),
    )


def random_building(rng: Rng) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Heights and colours of a building, from four cubes to full."""
    style = rng.random()
    if style < 0.08:
        heights = np.zeros((SIDE, SIDE), np.int64)
        heights[[0, 0, 3, 3], [0, 3, 0, 3]] = 1
    else:
        fill = 0.25 + rng.beta(1.2, 1.5) * 2.6
        heights = np.clip(rng.poisson(fill, (SIDE, SIDE)), 0, SIDE).astype(np.int64)
        if rng.random() < 0.4:
            heights = heights * (rng.random((SIDE, SIDE)) < rng.uniform(0.3, 0.9))
    colors = rng.integers(0, 4, (SIDE, SIDE, SIDE))
    if rng.random() < 0.2:
        colors = rng.choice(4, (SIDE, SIDE, SIDE), p=rng.dirichlet(np.ones(4)))
    for z in range(SIDE):
        colors[..., z][heights <= z] = -1
    return heights, colors


def building_boxes(
    rng: Rng, board: Board, heights: NDArray[np.int64], colors: NDArray[np.int64]
) -> list[Box]:
    """The plate and the cubes, each a little off its place."""
    size, wide = board.cube, SIDE / 2 + board.border
    boxes = [
        Box((2.0, 2.0, -board.thick / 2), (wide, wide, board.thick / 2), 0.0, board.paint,
            "plate", grain=board.grain, seed=float(rng.uniform(0, 99)))
    ]  # fmt: skip
    loose, turned = rng.uniform(0, 0.03), rng.uniform(0, 0.05)
    cube_grain = float(rng.choice([0.02, rng.uniform(0, 0.2)]))
    for row in range(SIDE):
        for column in range(SIDE):
            off = rng.normal(0, loose, 2)
            for z in range(int(heights[row, column])):
                off = np.clip(off + rng.normal(0, loose * 0.7, 2), -0.05, 0.05)
                boxes.append(
                    Box(
                        (column + 0.5 + off[0], SIDE - row - 0.5 + off[1], (z + 0.5) * size),
                        (size / 2, size / 2, size / 2), float(rng.normal(0, turned)),
                        board.colors[colors[row, column, z]], "cube", (column, row, z),
                        cube_grain, float(rng.uniform(0, 99)),
                    )
                )  # fmt: skip
    return boxes


def random_extras(rng: Rng, board: Board, ground: float) -> list[Box]:
    """Cubes and other things that lie around on the table."""
    boxes = []
    if rng.random() < 0.5:
        reach = SIDE / 2 + board.border
        for _ in range(rng.integers(1, 9)):
            angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(1.5, 4.5) + reach
            half = board.cube / 2
            paint = board.colors[rng.integers(4)]
            if rng.random() < 0.15:
                flat = rng.uniform(0.7, 1.6)
                shape = (flat, flat * 0.7, 0.01)
                paint = tuple(rng.uniform(0.2, 0.8, 3).tolist())
            else:
                shape = (half, half, half)
            spot = (2 + far * np.cos(angle), 2 + far * np.sin(angle), ground + shape[2])
            boxes.append(
                Box(spot, shape, float(rng.uniform(0, 3)), paint, "extra",
                    seed=float(rng.uniform(0, 99)))
            )  # fmt: skip
    return boxes


def random_light(rng: Rng) -> Light:
    """Light of an evening: warm lamps, cool windows, or both."""

    def tint(spread: float) -> Floats:
        warm = rng.normal(0, spread)
        return np.asarray(np.exp([warm, rng.normal(0, spread * 0.3), -warm]), np.float64)

    sky = tint(0.16) * rng.uniform(0.25, 1.0)
    lamps = []
    for _ in range(rng.choice([1, 1, 2])):
        angle, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 2.5)
        way = np.array([np.cos(angle), np.sin(angle), height])
        lamps.append(
            (way / np.linalg.norm(way), tint(0.2) * rng.uniform(0.2, 1.4),
             float(rng.choice([0.02, 0.1, 0.25])))
        )  # fmt: skip
    exposure = float(np.exp(rng.normal(0.1, 0.35)))
    return Light(
        sky, sky * rng.uniform(0.15, 0.5), tuple(lamps), float(rng.uniform(0, 0.5)),
        exposure, tint(0.1),
    )  # fmt: skip


def random_view(rng: Rng, size: tuple[int, int], kind: str | None = None) -> View:
    """A hand-held camera before or above the board."""
    kind = kind or str(rng.choice(["side", "top"], p=[0.72, 0.28]))
    tilt = np.radians(rng.uniform(38, 74) if kind == "side" else abs(rng.normal(0, 14)))
    wide = 30.0 if rng.random() < 0.8 else 45.0
    turn = np.radians(rng.uniform(-wide, wide) - 90.0)
    far = rng.uniform(6.2, 12.5)
    middle = np.array([2.0, 2.0, rng.uniform(0.0, 1.6)]) + rng.normal(0, 0.35, 3) * [1, 1, 0.4]
    way = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
    fov = rng.uniform(50, 74)
    camera = Camera.of_photo(size, fov, float(rng.normal(0, 0.018)))
    pose = _looking(np.array([2.0, 2.0, 0.0]) + way * far, middle, rng.normal(0, 5.0), turn)
    return View(camera, pose)


def _looking(eye: Floats, target: Floats, roll_deg: float, turn: float) -> Pose:
    """The pose of a camera whose picture has the far side of the board at the top."""
    forward = (target - eye) / np.linalg.norm(target - eye)
    away = np.array([-np.cos(turn), -np.sin(turn), 0.0])
    up = away if abs(forward[2]) > 0.85 else np.array([0.0, 0.0, 1.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    cos, sin = np.cos(np.radians(roll_deg)), np.sin(np.radians(roll_deg))
    rotation = np.stack([cos * right + sin * down, cos * down - sin * right, forward])
    return Pose.of(rotation, -rotation @ eye)


def random_table(rng: Rng) -> tuple[str, Floats, Floats, float, float]:
    """What the board stands on."""
    texture = str(rng.choice(["check", "wood", "marble", "cloth", "stripes", "plain"]))
    first = rng.uniform(0.03, 0.75, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0.03, 0.8))
    if rng.random() < 0.4:
        first = np.array([0.45, 0.27, 0.13]) * np.exp(rng.normal(0, 0.35, 3) * [0.6, 0.8, 1])
    second = (
        rng.uniform(0.03, 0.75, 3) if texture == "check" else first * np.exp(rng.normal(0, 0.4, 3))
    )
    return texture, first, second, float(rng.uniform(0.7, 3.0)), float(rng.uniform(0, 3.2))


def random_scene(
    rng: Rng, size: tuple[int, int], board: Board | None = None, has_board: bool = True,
    building: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None, kind: str | None = None,
) -> Scene:  # fmt: skip
    """A scene; without a board, the table and what lies on it."""
    board = board or random_board(rng)
    heights, colors = building or random_building(rng)
    ground = -board.thick - board.hover
    boxes = building_boxes(rng, board, heights, colors) if has_board else []
    boxes += random_extras(rng, board, ground if has_board else 0.0)
    return Scene(
        board, heights, colors, tuple(boxes), random_table(rng), random_light(rng),
        random_view(rng, size, kind), has_board, {"ground": ground if has_board else 0.0},
    )  # fmt: skip
