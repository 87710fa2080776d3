"""Lines of sight, and the climb to the building that explains them best."""

import numpy as np
import pytest

from calibration.camera import View
from tests.vision.cube.photos import SIZE, scene
from vision.cube.building import TURNS, Climb, Placed, color_sums, score
from vision.cube.evidence import CELLS, Evidence
from vision.cube.joining import Glimpse, join
from vision.cube.network import Seen
from vision.cube.sightlines import COLUMNS, NOTHING, SIDE, Ints, Sightlines, lines_through

CUBE = 0.9


def lines(view: View, count: int = 300) -> tuple[Sightlines, np.ndarray]:
    pixels = np.random.default_rng(5).uniform(0, 1, (count, 2)) * SIZE
    grid = np.arange(2 * count).reshape(count, 2)
    found = lines_through(grid, pixels, view, CUBE, 0.4)
    return found, pixels[found.cells[:, 0] // 2]


def stepped(view: View, pixel: np.ndarray, heights: Ints) -> int:
    """The place of the cube that a line ends in, found by walking along it; −1 without one."""
    way = view.rays(pixel[None])[0]
    steps = np.arange(2.0, 20.0, 0.004)[:, None] / np.linalg.norm(way)
    spots = view.pose.eye + way * steps
    column, row = np.floor(spots[:, 0]), SIDE - 1 - np.floor(spots[:, 1])
    level, off = np.floor(spots[:, 2] / CUBE), spots[:, :2] % 1
    inside = (np.stack([column, row, level]) >= 0).all(axis=0) & (column < SIDE) & (row < SIDE)
    inside &= (np.minimum(off, 1 - off) > (1 - CUBE) / 2).all(axis=1)
    number = np.where(inside, column + SIDE * row, 0).astype(np.int64)
    met = np.flatnonzero(inside & (level < heights[number]))
    return int(SIDE * number[met[0]] + level[met[0]]) if len(met) else -1


@pytest.mark.parametrize(("seed", "kind"), [(1, "side"), (2, "side"), (3, "top")])
def test_a_line_ends_where_walking_along_it_ends(seed: int, kind: str) -> None:
    shown = scene(seed, kind)
    found, pixels = lines(shown.view)
    heights = np.append(shown.heights.ravel(), 9)
    first = found.first(heights)
    index = np.arange(len(found))
    column, level = found.column[index, first], found.level[index, first]
    ends = np.where(column == NOTHING, -1, SIDE * column + level)
    walked = [stepped(shown.view, pixel, heights) for pixel in pixels]
    assert len(ends) > 50
    assert np.mean(ends == walked) > 0.985  # steps may skip a corner


def evidence(view: View, heights: Ints, colors: Ints) -> Evidence:
    """What a faultless network would say of a building, with a little noise."""
    rng = np.random.default_rng(0)
    pixels = rng.uniform(0, 1, (4000, 2)) * SIZE
    found = lines_through(np.zeros((4000, 2), np.int64), pixels, view, CUBE, 0.4)
    first = found.first(np.append(heights, 9))
    index = np.arange(len(found))
    column, level = found.column[index, first], found.level[index, first]
    face = np.where(column == NOTHING, np.where(found.behind == 0, 1, 0), found.face[index, first])
    color = colors.reshape(COLUMNS, SIDE)[np.minimum(column, COLUMNS - 1), level]
    surfaces = np.log(np.where(np.arange(7)[:, None] == face, 0.9, 0.1 / 6))
    painted = np.log(np.where(np.arange(4)[:, None] == color, 0.85, 0.05))
    cells = np.stack([index, index * 0], axis=1)
    lines_there = Sightlines(cells, found.column, found.level, found.face, found.behind)
    seen = Seen.__new__(Seen)
    object.__setattr__(seen, "surfaces", surfaces[:, None].astype(np.float32))
    object.__setattr__(seen, "colors", painted[:, None].astype(np.float32))
    return Evidence.of(seen, lines_there)


def test_gains_are_differences_of_the_score() -> None:
    shown = scene(4, "side")
    heights = shown.heights.ravel()
    placed = [Placed(evidence(shown.view, heights, shown.colors), 0)]
    climb = Climb(placed, heights)
    for column in (0, 5, 15):
        gains = climb.gains(column)
        for height in range(SIDE + 1):
            other = heights.copy()
            other[column] = height
            wanted = score(placed, other) - score(placed, heights)
            assert gains[height] - gains[heights[column]] == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("seed", [4, 6, 7])
def test_a_climb_from_the_empty_board_explains_as_much_as_the_truth(seed: int) -> None:
    shown = scene(seed, "side")
    heights = shown.heights.ravel()
    placed = [Placed(evidence(shown.view, heights, shown.colors), 0)]
    climbed = Climb(placed, np.zeros(COLUMNS, np.int64)).run()
    assert score(placed, climbed.heights) >= score(placed, heights) - 1e-6


@pytest.mark.parametrize("turn", range(4))
def test_photos_find_their_quarter_turn_by_agreement(turn: int) -> None:
    shown = scene(4, "side")
    heights, colors = shown.heights.ravel(), shown.colors.reshape(COLUMNS, SIDE)
    first = Glimpse(evidence(shown.view, heights, colors), heights, 1.0)
    own = heights[TURNS[turn]]
    second = Glimpse(evidence(shown.view, own, colors[TURNS[turn]]), own, 0.5)
    joined = join([first, second])
    assert [one.turn for one in joined.placed] == [0, turn]
    assert np.array_equal(joined.heights, heights)


def test_four_quarter_turns_are_none() -> None:
    for turn in range(4):
        there, back = TURNS[turn], TURNS[-turn % 4]
        assert np.array_equal(there[back], np.arange(COLUMNS))


def test_colours_are_summed_by_cube_whatever_the_turn() -> None:
    shown = scene(4, "side")
    heights, colors = shown.heights.ravel(), shown.colors.reshape(COLUMNS, SIDE)
    turned = evidence(shown.view, heights[TURNS[1]], colors[TURNS[1]])
    sums = color_sums([Placed(turned, 1)], heights)
    seen = np.flatnonzero(sums.min(axis=1) < 0)
    assert 3 < len(seen) <= CELLS
    assert np.array_equal(sums[seen].argmax(axis=1), colors.reshape(CELLS)[seen])
