"""The five views of a building: for each line of sight, the cube that one sees."""

from enum import StrEnum

from rules.cube.building import SIZE, SPACES, Building, Cube


class Side(StrEnum):
    """Where one looks from; in this order a pattern is looked for."""

    TOP = "top"
    SOUTH = "south"
    NORTH = "north"
    WEST = "west"
    EAST = "east"


LINES: dict[Side, tuple[tuple[Cube, ...], ...]] = {
    Side.TOP: tuple(tuple((x, y, 3 - d) for d in range(SIZE)) for x, y in SPACES),
    Side.SOUTH: tuple(tuple((i, 3 - d, 3 - row) for d in range(SIZE)) for i, row in SPACES),
    Side.NORTH: tuple(tuple((3 - i, d, 3 - row) for d in range(SIZE)) for i, row in SPACES),
    Side.WEST: tuple(tuple((d, i, 3 - row) for d in range(SIZE)) for i, row in SPACES),
    Side.EAST: tuple(tuple((3 - d, 3 - i, 3 - row) for d in range(SIZE)) for i, row in SPACES),
}
"""For each view its sixteen lines of sight, row by row from the upper left, nearest place first."""

Sight = tuple[Cube | None, ...]
"""The cube at the end of each line of sight, ``None`` where one sees through."""


def sight(building: Building, view: Side) -> Sight:
    """What a view shows, row by row from the upper left."""
    heights = {space: building.height(space) for space in SPACES}
    return tuple(
        next((cube for cube in line if cube[2] < heights[cube[:2]]), None) for line in LINES[view]
    )


def letters(building: Building, seen: Sight) -> str:
    """The letters of what is seen, row by row; a dot where one sees through."""
    return "".join("." if cube is None else building[cube] for cube in seen)


def picture(building: Building, view: Side) -> str:
    """A view as four rows of letters between slashes, halves of twins like any cube.

    >>> picture(Building.parse("R,.,.,Y/.,BG,.,./.,.,.,./B,.,.,G"), Side.SOUTH)
    '..../..../.G../BB.G'
    """
    seen = letters(building, sight(building, view)).upper()
    return "/".join(seen[row * SIZE : (row + 1) * SIZE] for row in range(SIZE))
