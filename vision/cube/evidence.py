"""What one photo says for and against a building, line of sight by line of sight."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cube.network import COLORS, Seen
from vision.cube.sightlines import COLUMNS, EITHER, NOTHING, PLATE, SIDE, Floats, Ints, Sightlines

CELLS = COLUMNS * SIDE
"""Places of cubes: ``4 · column number + level``."""

DOUBT = 0.04
"""Share of pixels that show something else than they should: jitter, shadows, the network's own
errors."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Log likelihoods of one photo's lines of sight, in the photo's own turn."""

    lines: Sightlines
    ends: Floats
    """(n, passed): of what is seen if the line ends there, colours aside."""
    colors: Floats
    """(n, colours): of each colour, if a cube is seen."""
    through: tuple[Ints, ...]
    """For each column, the lines that pass it."""

    @classmethod
    def of(cls, seen: Seen, lines: Sightlines) -> "Evidence":
        """The evidence in what the network saw."""
        x, y = lines.cells[:, 0], lines.cells[:, 1]
        kinds = len(seen.surfaces)
        surface = np.log((1 - DOUBT) * np.exp(seen.surfaces[:, y, x].T) + DOUBT / kinds)
        colors = np.log((1 - DOUBT) * np.exp(seen.colors[:, y, x].T) + DOUBT / COLORS)
        index = np.arange(len(lines))[:, None]
        ends = surface[index, lines.face]
        either = np.logaddexp(surface[:, 0], surface[:, 1])
        behind = np.where(
            lines.behind == PLATE, surface[:, 1],
            np.where(lines.behind == EITHER, either, surface[:, 0]),
        )  # fmt: skip
        ends = np.where(lines.column == NOTHING, behind[:, None], ends)
        through = tuple(
            np.flatnonzero((lines.column == column).any(axis=1)) for column in range(COLUMNS)
        )
        return cls(lines, ends.astype(np.float32), colors.astype(np.float32), through)

    def weigh(self, heights: Ints) -> tuple[float, NDArray[np.float64]]:
        """The sum over all lines, and the colour sums (cells, colours) of the cubes seen."""
        return self.weigh_lines(heights, None)

    def weigh_lines(self, heights: Ints, some: Ints | None) -> tuple[float, NDArray[np.float64]]:
        """As ``weigh``, for some lines only."""
        lines = self.lines
        column = lines.column if some is None else lines.column[some]
        level = lines.level if some is None else lines.level[some]
        ends = self.ends if some is None else self.ends[some]
        colors = self.colors if some is None else self.colors[some]
        index = np.arange(len(column))
        first = (heights[column] > level).argmax(axis=1)
        total = float(ends[index, first].sum())
        where, height = column[index, first], level[index, first]
        cell = np.where(where == NOTHING, CELLS, where * SIDE + height)
        sums = np.stack(
            [np.bincount(cell, colors[:, k], CELLS + 1)[:CELLS] for k in range(COLORS)], axis=1
        )
        return total, np.asarray(sums, np.float64)

    def seen_cells(self, heights: Ints) -> Ints:
        """How many lines (cells,) end in each cube."""
        first = self.lines.first(heights)
        index = np.arange(len(self.lines))
        where, height = self.lines.column[index, first], self.lines.level[index, first]
        cell = np.where(where == NOTHING, CELLS, where * SIDE + height)
        return np.bincount(cell, minlength=CELLS + 1)[:CELLS]
