"""From the joined photos to a reading: what is seen, what is open, and how sure that is."""

from collections.abc import Mapping, Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from rules.cube.building import UNKNOWN, Building
from vision.cube.building import Climb, color_sums
from vision.cube.evidence import CELLS
from vision.cube.joining import Joined
from vision.cube.reading import WARNINGS, Cell, CubeReading, Reading, Status
from vision.cube.sightlines import COLUMNS, SIDE

ALIKE = 6.0
"""So many neighbouring lines of sight tell no more than one."""
FEWEST_LINES = 2
"""A cube in which fewer lines end was not seen."""
SETTLED = 0.9
"""A column whose height is less probable is open."""
CERTAIN = 0.93
"""Least confidence of a certain reading."""

NO_BOARD = (
    "I can't find a board in this photo. Hold the camera so that the whole board, with its border, "
    "is in the picture."
)


def compose(
    photo: str | tuple[str, ...],
    joined: Joined,
    letters: str,
    fit: float,
    warnings: set[str],
    ms: Mapping[str, float],
) -> Reading:
    """The reading of photos that were joined; ``fit`` is how well the building explains them."""
    colors = color_sums(joined.placed, joined.heights) / ALIKE
    lines = np.zeros(CELLS)
    for one in joined.placed:
        lines[one.cells_in_building()] += one.evidence.seen_cells(one.own(joined.heights))
    chances = _heights(joined)
    cubes: dict[Cell, CubeReading] = {}
    log_sure = log(max(fit, 1e-6))
    columns, unseen = [], []
    for number in range(COLUMNS):
        x, y, column = number % SIDE, number // SIDE, ""
        for z in range(int(joined.heights[number])):
            cell = SIDE * number + z
            if lines[cell] >= FEWEST_LINES:
                best, p = _best(colors[cell])
                cubes[x, y, z] = CubeReading(letters[best], p, "seen")
                log_sure += log(p)
            else:
                unseen.append((x, y, z))
                cubes[x, y, z] = CubeReading(UNKNOWN, 1.0, "supported")
            column += cubes[x, y, z].color
        columns.append(column)
        log_sure += log(max(chances[number], 1e-6))
    left_open = tuple(
        (number % SIDE, number // SIDE) for number in range(COLUMNS) if chances[number] < SETTLED
    )
    confidence = exp(log_sure)
    if left_open:
        warnings = warnings | {"heights_open"}
    doubtful = left_open or warnings & {"views_disagree"}
    status: Status = "certain" if confidence >= CERTAIN and not doubtful else "uncertain"
    return Reading(
        photo, status, Building(tuple(columns)), confidence, cubes, tuple(unseen), left_open,
        tuple(code for code in WARNINGS if code in warnings), ms,
        _message(status, left_open, cubes, warnings),
    )  # fmt: skip


def _heights(joined: Joined) -> NDArray[np.float64]:
    """How probable (columns,) the height of each column is, the others as they are."""
    climb = Climb(joined.placed, joined.heights)
    chances = np.empty(COLUMNS)
    for column in range(COLUMNS):
        tries = climb.gains(column) / ALIKE
        odds = np.exp(tries - tries.max())
        chances[column] = odds[joined.heights[column]] / odds.sum()
    return chances


def _best(sums: NDArray[np.float64]) -> tuple[int, float]:
    odds = np.exp(sums - sums.max())
    best = int(odds.argmax())
    return best, float(odds[best] / odds.sum())


def _message(
    status: Status,
    left_open: Sequence[tuple[int, int]],
    cubes: Mapping[Cell, CubeReading],
    warnings: set[str],
) -> str:
    if status == "certain":
        return ""
    told = []
    if "views_disagree" in warnings:
        told.append("The photos contradict each other. Was a cube moved? Take them again.")
    if left_open:
        where = ", ".join(_space(x, y) for x, y in left_open[:4])
        more = f" and {len(left_open) - 4} more" if len(left_open) > 4 else ""
        told.append(f"How high it is at {where}{more} cannot be seen. {_advice(left_open)}")
    unsure = [cell for cell, cube in cubes.items() if cube.how == "seen" and cube.p < SETTLED]
    if unsure:
        x, y, z = min(unsure, key=lambda cell: cubes[cell].p)
        told.append(f"The colour of the cube at {_space(x, y)}, level {z + 1}, is unsure.")
    return " ".join(told) or "I am not sure of this building. Take another photo, closer."


def _space(x: int, y: int) -> str:
    return f"row {y + 1}, column {x + 1}"


def _advice(left_open: Sequence[tuple[int, int]]) -> str:
    """Which view would settle what is open: that from the side nearest to it."""
    x, y = np.mean(np.array(left_open), axis=0) - (SIDE - 1) / 2
    if abs(x) < 0.5 and abs(y) < 0.5:
        return "Take one more photo from above."
    sides = {"north": -y, "south": y, "west": -x, "east": x}
    side = max(sides, key=lambda name: sides[name])
    return f"Take one more photo from the {side} side of the board (row 1 is in the north)."
