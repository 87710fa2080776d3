"""The building that explains all photos best, its heights and colours jointly.

Heights are climbed column by column. A colour belongs to a cube, not to a pixel: all lines that
end in a cube, from all photos, vote on one colour, so a wrong height that mixes two cubes' pixels
pays for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cube.evidence import CELLS, Evidence
from vision.cube.sightlines import COLUMNS, SIDE, Ints

MOST_SWEEPS = 8
FULL = 9
"""Height of the column behind everything: every line ends there at last."""


def turned(turn: int) -> Ints:
    """For each column of a photo, its column in the building, the photo turned by quarters."""
    grid = np.arange(COLUMNS).reshape(SIDE, SIDE)
    return np.ascontiguousarray(np.rot90(grid, turn)).ravel()


TURNS = tuple(turned(turn) for turn in range(4))


@dataclass(frozen=True)
class Placed:
    """A photo's evidence and by how many quarters it is turned."""

    evidence: Evidence
    turn: int

    def own(self, heights: Ints) -> Ints:
        """Heights of the building as this photo counts columns, with the one behind all."""
        return np.append(heights[TURNS[self.turn]], FULL)

    def cells_in_building(self) -> Ints:
        """For each place of a cube in this photo, its place in the building."""
        return (TURNS[self.turn][:, None] * SIDE + np.arange(SIDE)).ravel()


def score(placed: Sequence[Placed], heights: Ints) -> float:
    """Log likelihood of all photos, each cube in its best colour."""
    total, colors = 0.0, np.zeros((CELLS, 4))
    for one in placed:
        part, sums = one.evidence.weigh(one.own(heights))
        total += part
        colors[one.cells_in_building()] += sums
    return total + float(colors.max(axis=1).sum())


def color_sums(placed: Sequence[Placed], heights: Ints) -> NDArray[np.float64]:
    """Log likelihood of every colour (cells, colours) of every place, over all photos."""
    colors = np.zeros((CELLS, 4))
    for one in placed:
        colors[one.cells_in_building()] += one.evidence.weigh(one.own(heights))[1]
    return colors


class Climb:
    """Heights, changed column by column, with the colour sums of every place kept up to date."""

    def __init__(self, placed: Sequence[Placed], heights: Ints) -> None:
        self.placed = tuple(placed)
        self.heights = heights.copy()
        self._cells = [one.cells_in_building() for one in self.placed]
        self._local = [np.argsort(TURNS[one.turn]) for one in self.placed]
        self._colors = color_sums(self.placed, self.heights)

    def gains(self, column: int) -> NDArray[np.float64]:
        """Score (5,) of every height of a column, up to a constant common to all."""
        return self._tries(column)[0]

    def _tries(self, column: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Score (5,) and colour sums (5, cells, colours) for every height of a column."""
        totals, sums = np.zeros(SIDE + 1), np.zeros((SIDE + 1, CELLS, 4))
        for one, cells, local in zip(self.placed, self._cells, self._local, strict=True):
            some = one.evidence.through[int(local[column])]
            for height in range(SIDE + 1):
                heights = self.heights.copy()
                heights[column] = height
                part, colors = one.evidence.weigh_lines(one.own(heights), some)
                totals[height] += part
                sums[height, cells] += colors
        sums += self._colors - sums[self.heights[column]]
        return totals + sums.max(axis=2).sum(axis=1), sums

    def sweep(self, order: Sequence[int]) -> bool:
        """Set every column to its best height; whether anything changed."""
        moved = False
        for column in order:
            tries, sums = self._tries(column)
            best = int(tries.argmax())
            if tries[best] > tries[self.heights[column]] + 1e-6:
                self.heights[column] = best
                self._colors = sums[best]
                moved = True
        return moved

    def run(self, sweeps: int = MOST_SWEEPS) -> "Climb":
        """Climb until nothing gains any more."""
        order = list(range(COLUMNS))
        for sweep in range(sweeps):
            if not self.sweep(order if sweep % 2 == 0 else order[::-1]):
                break
        return self


def best_heights(placed: Sequence[Placed], starts: Sequence[Ints]) -> tuple[Ints, float]:
    """The best heights found from any of the starts, and their score."""
    found = [Climb(placed, start).run().heights for start in starts]
    scores = [score(placed, heights) for heights in found]
    best = int(np.argmax(scores))
    return found[best], scores[best]
