"""The oracle: every layout there is, one after the other, each scored. Slow and obvious."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import SEATS, can_stand, rotate_seat, seats_in
from rules.dimension.cards import Card
from rules.dimension.editions import Edition
from rules.dimension.layout import COLORS
from rules.dimension.many import Groups, score_many
from rules.dimension.rulings import Rulings

CHUNK = 400_000


@dataclass
class Optimum:
    """The best score so far, and how many layouts have it, equal ones under rotation once."""

    points: int = -100
    bonus: int = 0
    count: int = 0
    best_with_bonus: int | None = None


Deal = tuple[Sequence[Card], Edition, Rulings, int | None]


def optima(deals: Sequence[Deal]) -> list[Optimum]:
    """The optimum of each deal, by trying everything."""
    found = [Optimum() for _ in deals]
    for cells in every_layout():
        groups = Groups(_color_sets(cells))
        for (cards, edition, rulings, most), optimum in zip(deals, found, strict=True):
            _take_in(optimum, *score_many(groups, cards, edition, rulings, most))
    return found


def every_layout() -> Iterator[NDArray[np.uint8]]:
    """All layouts in chunks, of those equal under rotation one: a row a layout.

    A row has 0 or a colour's number for each seat. Of shapes that are rotations of each other only
    the first is coloured; where a shape is its own rotation, so may colourings be.
    """
    for mask in range(1 << len(SEATS)):
        rotations = [_rotated(mask, steps) for steps in range(1, 6)]
        if not can_stand(mask) or mask > min(rotations):
            continue
        own = [steps for steps, rotated in enumerate(rotations, 1) if rotated == mask]
        seats = [SEATS.index(seat) for seat in seats_in(mask)]
        for cells in _colored(np.zeros((1, len(SEATS)), np.uint8), seats):
            yield cells[_first_of_its_rotations(cells, own)] if own else cells


def _rotated(mask: int, steps: int) -> int:
    return sum(1 << SEATS.index(rotate_seat(seat, steps)) for seat in seats_in(mask))


def _colored(rows: NDArray[np.uint8], seats: list[int]) -> Iterator[NDArray[np.uint8]]:
    if not seats:
        yield rows
        return
    if len(rows) > CHUNK:
        for part in np.array_split(rows, len(rows) // CHUNK + 1):
            yield from _colored(part, seats)
        return
    longer = []
    for color in range(1, len(COLORS) + 1):
        fits = rows[np.count_nonzero(rows == color, axis=1) < 3]
        fits[:, seats[0]] = color
        longer.append(fits)
    yield from _colored(np.concatenate(longer), seats[1:])


def _first_of_its_rotations(
    cells: NDArray[np.uint8], rotations: Sequence[int]
) -> NDArray[np.bool_]:
    weights = 6 ** np.arange(len(SEATS), dtype=np.int64)
    number = cells @ weights
    first = np.ones(len(cells), bool)
    for steps in rotations:
        turned = [SEATS.index(rotate_seat(seat, steps)) for seat in SEATS]
        first &= number <= cells[:, turned] @ weights
    return first


def _color_sets(cells: NDArray[np.uint8]) -> NDArray[np.uint16]:
    bits = 1 << np.arange(len(SEATS))
    return np.stack([(cells == c) @ bits for c in range(1, len(COLORS) + 1)]).astype(np.uint16)


def _take_in(optimum: Optimum, points: NDArray[np.int64], bonus: NDArray[np.int64]) -> None:
    earning = points[bonus > 0]
    if earning.size:
        optimum.best_with_bonus = max(int(earning.max()), optimum.best_with_bonus or -100)
    if not points.size:
        return
    best = int(points.max())
    value = (best, int(bonus[points == best].max()))
    if value > (optimum.points, optimum.bonus):
        optimum.points, optimum.bonus = value
        optimum.count = 0
    same = (points == optimum.points) & (bonus == optimum.bonus)
    optimum.count += int(same.sum())
