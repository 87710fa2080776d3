"""What buildings must have, as sets of places: many at once, in five rows of 64-bit numbers.

A column of such an array is one set of demands. Its rows are: places that are filled, places that
are empty, filled places whose colour is settled, and two bits for the number of that colour. What
is filled is filled from the bottom; what is empty is empty to the top. Demands of two sets are met
together by their union, unless they conflict.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rules.cube.building import SIZE, Building, Cube
from rules.cube.cards import Card
from rules.cube.views import LINES, Side

Demands = NDArray[np.uint64]
"""Sets of demands, five rows."""

FILLED, EMPTY, SETTLED, FIRST, SECOND = range(5)

MOST_WAYS = 120_000
"""Ways to show a card that are kept while they are listed; only cards of many cubes have more."""


def nothing() -> Demands:
    """No demand at all: an empty board, on which anything may be built."""
    return np.zeros((5, 1), np.uint64)


def count(places: NDArray[np.uint64]) -> NDArray[np.int16]:
    """How many places each set has."""
    return np.bitwise_count(places).astype(np.int16)


def by_color(demands: Demands) -> list[NDArray[np.uint64]]:
    """The places of each colour, in the order of the letters."""
    settled, first, second = demands[SETTLED], demands[FIRST], demands[SECOND]
    both = first & second
    return [settled & ~(first | second), first & ~second, second & ~first, both]


def ways(
    card: Card, colors: str, most_cubes: int, sides: Sequence[Side] = tuple(Side)
) -> tuple[Demands, bool]:
    """All ways to show a card with at most so many cubes, and whether these are all of them."""
    looks = [(side, placement) for side in sides for placement in card.placements]
    found, look, complete = np.zeros((5, len(looks)), np.uint64), np.arange(len(looks)), True
    for at in range(len(card.colors)):
        lines = np.array([_line(side, placement[at][0]) for side, placement in looks])[look]
        number = np.array([colors.index(placement[at][1]) for _, placement in looks])[look]
        filled = found[FILLED][:, None] | lines[:, FILLED]
        empty = found[EMPTY][:, None] | lines[:, EMPTY]
        cubes = np.bitwise_count(filled)
        row, depth = np.nonzero(((filled & empty) == 0) & (cubes <= most_cubes))
        if len(row) > MOST_WAYS:
            cheap = np.argsort(cubes[row, depth], kind="stable")[:MOST_WAYS]
            row, depth, complete = row[cheap], depth[cheap], False
        seen = lines[row, SETTLED, depth]
        found = found[:, row]
        found[FILLED], found[EMPTY] = filled[row, depth], empty[row, depth]
        found[SETTLED] |= seen
        found[FIRST] |= np.where(number[row] & 1, seen, np.uint64(0))
        found[SECOND] |= np.where(number[row] & 2, seen, np.uint64(0))
        look = look[row]
    return np.unique(found, axis=1), complete


def up_to_turns(card: Card, colors: str, most_cubes: int) -> tuple[Demands, bool]:
    """Ways to show a card, one of each four that differ by a turn of the board only.

    Turning the board makes any side the southern one. A way seen from above has four turns; the
    one whose settled places are the smallest number stands for them.
    """
    above, complete = ways(card, colors, most_cubes, (Side.TOP,))
    turned = [above[SETTLED]]
    for _ in range(3):
        turned.append(_turned(turned[-1]))
    first = turned[0] == np.min(turned, axis=0)
    south, complete_too = ways(card, colors, most_cubes, (Side.SOUTH,))
    return np.hstack([above[:, first], south]), complete and complete_too


def building(demands: Sequence[int], colors: str, spare: Sequence[str]) -> Building:
    """The building of one set of demands; ``spare`` colours the cubes that nobody sees."""
    filled, _, settled, first, second = demands
    hidden = iter(spare)
    cubes: dict[Cube, str] = {}
    for place in range(SIZE**3):
        bit = 1 << place
        if filled & bit:
            cube = (place // SIZE % SIZE, place // SIZE**2, place % SIZE)
            number = bool(first & bit) + 2 * bool(second & bit)
            cubes[cube] = colors[number] if settled & bit else next(hidden)
    return Building.of(cubes)


def _bit(cube: Cube) -> int:
    x, y, z = cube
    return 1 << ((y * SIZE + x) * SIZE + z)


@cache
def _line(side: Side, at: int) -> NDArray[np.uint64]:
    """What it takes that a line of sight ends at its first, second … place, in three rows."""
    line = LINES[side][at]
    rows: list[list[int]] = [[], [], []]
    for depth, (x, y, z) in enumerate(line):
        nearer = line[:depth]
        rows[FILLED].append(sum(_bit((x, y, below)) for below in range(z + 1)))
        rows[EMPTY].append(_all_above(nearer))
        rows[SETTLED].append(_bit((x, y, z)))
    return np.array(rows, np.uint64)


def _all_above(cubes: Sequence[Cube]) -> int:
    places = {(x, y, above) for x, y, z in cubes for above in range(z, SIZE)}
    return sum(map(_bit, places))


def _turned(places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The places after a quarter turn of the board."""
    result = np.zeros_like(places)
    column = np.uint64(0b1111)
    for y in range(SIZE):
        for x in range(SIZE):
            before = np.uint64((y * SIZE + x) * SIZE)
            after = np.uint64((x * SIZE + SIZE - 1 - y) * SIZE)
            result |= (places >> before & column) << after
    return result
