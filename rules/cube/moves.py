"""What may be moved: the highest cube of a column, unless something holds it."""

from collections.abc import Iterable

from rules.cube.building import CORNERS, SIZE, SPACES, Building, Cube, Space


def movable(
    building: Building,
    last: Cube | None = None,
    first_round: bool = False,
    closed_rows: bool = False,
) -> tuple[Cube, ...]:
    """The cubes that may be moved now.

    ``last`` was moved in the turn just before; in the first round the corners stay; with
    ``closed_rows`` nobody may take a cube out of a full row of four either.
    """
    return tuple(
        cube
        for cube in building.cubes
        if why_held(building, cube, last, first_round, closed_rows) is None
    )


def why_held(
    building: Building,
    cube: Cube,
    last: Cube | None = None,
    first_round: bool = False,
    closed_rows: bool = False,
) -> str | None:
    """What forbids to move a cube: the name of the rule, or ``None`` if it may be moved."""
    x, y, z = cube
    across, along = [(i, y) for i in range(SIZE)], [(x, i) for i in range(SIZE)]
    rules = {
        "covered": z < building.height((x, y)) - 1,
        "twin": building[cube].islower(),
        "last_moved": cube == last,
        "corner": first_round and z == 0 and (x, y) in CORNERS,
        "closed_level": _filled(building, SPACES, z),
        "closed_row": closed_rows and (_filled(building, across, z) or _filled(building, along, z)),
    }
    return next((rule for rule, holds in rules.items() if holds), None)


def _filled(building: Building, spaces: Iterable[Space], level: int) -> bool:
    return all(building.height(space) > level for space in spaces)
