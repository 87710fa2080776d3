"""Several photos of one building: each photo's quarter turn, by agreement, and the building."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.cube.building import TURNS, Climb, Placed, score
from vision.cube.evidence import Evidence
from vision.cube.sightlines import COLUMNS, Ints


@dataclass(frozen=True, eq=False)
class Glimpse:
    """One photo's evidence and the building that it alone suggests, in its own turn."""

    evidence: Evidence
    heights: Ints
    trust: float


@dataclass(frozen=True, eq=False)
class Joined:
    """Photos in one turn, the building they show together, and how plain each turn was."""

    placed: tuple[Placed, ...]
    heights: Ints
    turn_margins: tuple[float, ...]
    """For each photo but the first, by how much its turn is better than the next best, a line."""


def join(glimpses: Sequence[Glimpse]) -> Joined:
    """All photos together: the most trusted first, the others turned to agree with it."""
    order = sorted(range(len(glimpses)), key=lambda index: -glimpses[index].trust)
    first = glimpses[order[0]]
    placed = [Placed(first.evidence, 0)]
    heights, margins = first.heights, []
    for index in order[1:]:
        placed, heights, margin = _added(placed, heights, glimpses[index])
        margins.append(margin)
    return Joined(tuple(placed), heights, tuple(margins))


def _added(
    placed: list[Placed], heights: Ints, glimpse: Glimpse
) -> tuple[list[Placed], Ints, float]:
    tries = []
    for turn in range(4):
        together = [*placed, Placed(glimpse.evidence, turn)]
        own = np.empty(COLUMNS, np.int64)
        own[TURNS[turn]] = glimpse.heights
        start = max((heights, own), key=lambda one: score(together, one))
        tries.append((score(together, start), turn, start))
    tries.sort(key=lambda one: -one[0])
    climbed = []
    for _, turn, start in tries[:2]:
        together = [*placed, Placed(glimpse.evidence, turn)]
        found = Climb(together, start).run(3).heights
        climbed.append((score(together, found), turn, found))
    climbed.sort(key=lambda one: -one[0])
    best, second = climbed[0][0], max(climbed[1][0], *(one[0] for one in tries[2:]))
    chosen = [*placed, Placed(glimpse.evidence, climbed[0][1])]
    return chosen, climbed[0][2], (best - second) / max(1, len(glimpse.evidence.lines))
