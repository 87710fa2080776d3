"""A building: which cube stands where, as an immutable value with a one-line notation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.errors import RulesError

SIZE = 4
"""Spaces along each side of the board, and the most cubes on a space."""

COLORS = "RYBG"
"""The letters of red, yellow, blue and green; a table's own cubes may have others."""

EMPTY = "."
UNKNOWN = "?"
"""A cube that is there but whose colour nobody saw."""

Cube = tuple[int, int, int]
"""Where a cube is: from the west, from the north, from the bottom, each 0–3."""

Space = tuple[int, int]
"""A space of the board: from the west, from the north."""

Supply = Mapping[str, int]
"""How many cubes of a colour there are; a colour it does not name has no limit."""

SPACES: tuple[Space, ...] = tuple((x, y) for y in range(SIZE) for x in range(SIZE))
"""All spaces in the order of the notation."""

CORNERS: tuple[Space, ...] = ((0, 0), (3, 0), (3, 3), (0, 3))
"""Where the first four cubes stand, clockwise from the north-west."""


@dataclass(frozen=True)
class Problem:
    """Something wrong with a building: a code for programs, the cubes, a sentence for people."""

    code: str
    cubes: tuple[Cube, ...]
    text: str

    def to_json(self) -> dict[str, object]:
        """The problem as decoded JSON."""
        return {"code": self.code, "cubes": list(map(list, self.cubes)), "text": self.text}


class BuildingError(RulesError):
    """A building that cannot be what it should be; ``problems`` has everything that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("bad_board", " ".join(problem.text for problem in problems))
        self.problems = problems


@dataclass(frozen=True, order=True)
class Building:
    """What stands on the board: sixteen columns in the order of ``SPACES``, bottom to top.

    >>> building = Building.parse("R,.,.,Y/.,BG,.,./.,.,.,./B,.,.,G")
    >>> building[1, 1, 1], building.height((1, 1)), len(building)
    ('G', 2, 6)
    >>> str(building)
    'R,.,.,Y/.,BG,.,./.,.,.,./B,.,.,G'

    A small letter is half of that colour's twin; ``?`` is a cube whose colour nobody saw.
    """

    columns: tuple[str, ...] = ("",) * len(SPACES)

    @classmethod
    def parse(cls, text: str, colors: str = COLORS) -> "Building":
        """The building of a line of notation; raises ``BuildingError`` with all that is wrong."""
        wrong = problems(text, colors)
        if wrong:
            raise BuildingError(wrong)
        columns = text.replace("/", ",").split(",")
        return cls(tuple(column.replace(EMPTY, "") for column in columns))

    @classmethod
    def of(cls, cubes: Mapping[Cube, str]) -> "Building":
        """The building of these cubes, letters by place; every cube stands on another."""
        heights = {space: sum((x, y) == space for x, y, _ in cubes) for space in SPACES}
        return cls(tuple("".join(cubes[*s, z] for z in range(heights[s])) for s in SPACES))

    def __str__(self) -> str:
        shown = [column or EMPTY for column in self.columns]
        return "/".join(",".join(shown[y * SIZE : (y + 1) * SIZE]) for y in range(SIZE))

    def __len__(self) -> int:
        return sum(map(len, self.columns))

    def __getitem__(self, cube: Cube) -> str:
        return self.column(cube[:2])[cube[2]]

    def __contains__(self, cube: object) -> bool:
        return cube in self.cubes

    def __iter__(self) -> Iterator[tuple[Cube, str]]:
        """Place and letter of each cube."""
        return (
            ((x, y, z), letter)
            for (x, y), column in zip(SPACES, self.columns, strict=True)
            for z, letter in enumerate(column)
        )

    @property
    def cubes(self) -> tuple[Cube, ...]:
        """All cubes, space by space from the north-west, each from the bottom to the top."""
        return tuple(cube for cube, _ in self)

    def column(self, space: Space) -> str:
        """The letters on a space, from the bottom to the top."""
        return self.columns[space[1] * SIZE + space[0]]

    def height(self, space: Space) -> int:
        """How many cubes stand on a space."""
        return len(self.column(space))

    def count(self, color: str) -> int:
        """How many single cubes of a colour there are; halves of twins do not count."""
        return sum(column.count(color) for column in self.columns)

    def with_column(self, space: Space, column: str) -> "Building":
        """The same building with other cubes on one space."""
        place = space[1] * SIZE + space[0]
        return Building((*self.columns[:place], column, *self.columns[place + 1 :]))

    def placed(self, space: Space, letter: str) -> "Building":
        """The building with one more cube on a space."""
        return self.with_column(space, self.column(space) + letter)

    def lifted(self, space: Space) -> "Building":
        """The building without the highest cube of a space."""
        return self.with_column(space, self.column(space)[:-1])

    def colored(self, cube: Cube, letter: str) -> "Building":
        """The building with another letter for one of its cubes."""
        x, y, z = cube
        column = self.column((x, y))
        return self.with_column((x, y), column[:z] + letter + column[z + 1 :])

    def turned(self, quarters: int = 1) -> "Building":
        """The building turned clockwise, seen from above."""
        building = self
        for _ in range(quarters % 4):
            building = Building(tuple(building.column((y, SIZE - 1 - x)) for x, y in SPACES))
        return building

    def same_as(self, other: "Building") -> bool:
        """Whether the two are one building, turned or not."""
        return any(self == other.turned(quarters) for quarters in range(4))


def problems(text: str, colors: str = COLORS, supply: Supply | None = None) -> tuple[Problem, ...]:
    """All that is wrong with a text as a building, at once."""
    rows = [row.split(",") for row in text.split("/")]
    columns = {
        (x, y): column
        for y, row in enumerate(rows[:SIZE])
        for x, column in enumerate(row[:SIZE])
        if column != EMPTY
    }
    letters = {
        (x, y, z): letter
        for (x, y), column in columns.items()
        for z, letter in enumerate(column[:SIZE])
    }
    return (
        *_wrong_shape(rows, columns),
        *_wrong_letters(columns, colors),
        *_too_high(columns),
        *_wrong_twins(letters, colors),
        *_too_many(letters, colors, supply or {}),
    )


def _wrong_shape(rows: list[list[str]], columns: Mapping[Space, str]) -> Iterator[Problem]:
    if len(rows) != SIZE:
        text = f"A board has four rows between slashes, this one has {len(rows)}."
        yield Problem("bad_shape", (), text)
    for y, row in enumerate(rows[:SIZE]):
        if len(row) != SIZE:
            text = f"Row {y + 1} from the north has {len(row)} columns instead of four."
            yield Problem("bad_shape", (), text)
    for (x, y), column in columns.items():
        if not column:
            text = f"Nothing is written for space {x},{y}: an empty space is a dot."
            yield Problem("bad_shape", (), text)
        elif EMPTY in column:
            text = f"The column on {x},{y} has a gap: cubes stand on each other."
            yield Problem("bad_shape", _cubes_of((x, y), column), text)


def _wrong_letters(columns: Mapping[Space, str], colors: str) -> Iterator[Problem]:
    known = set(colors) | set(colors.lower()) | {UNKNOWN, EMPTY}
    for (x, y), column in columns.items():
        wrong = [(z, letter) for z, letter in enumerate(column[:SIZE]) if letter not in known]
        if wrong:
            named = ", ".join(repr(letter) for _, letter in wrong)
            use = f"use {', '.join(colors)}, small letters for twins, or {UNKNOWN}"
            text = f"No colour on {x},{y}: {named}; {use}."
            yield Problem("bad_letter", tuple((x, y, z) for z, _ in wrong), text)


def _too_high(columns: Mapping[Space, str]) -> Iterator[Problem]:
    for (x, y), column in columns.items():
        if len(column) > SIZE:
            text = f"{len(column)} cubes stand on {x},{y}; no more than four may."
            yield Problem("too_high", _cubes_of((x, y), column), text)


def _cubes_of(space: Space, column: str) -> tuple[Cube, ...]:
    return tuple((*space, z) for z in range(min(len(column), SIZE)))


def _wrong_twins(letters: Mapping[Cube, str], colors: str) -> Iterator[Problem]:
    for color in colors.lower():
        halves = tuple(cube for cube, letter in letters.items() if letter == color)
        if len(halves) > 2:
            text = f"{color} is written {len(halves)} times; a colour has one twin of two halves."
            yield Problem("twin", halves, text)
        elif len(halves) == 2 and not joined(*halves):
            text = f"The halves of the twin {color} are not next to each other."
            yield Problem("twin", halves, text)
        elif len(halves) == 1 and not partners(halves[0], letters):
            text = f"The twin {color} has one half; the other must be next to it."
            yield Problem("twin", halves, text)


def joined(one: Cube, other: Cube) -> bool:
    """Whether two cubes may be the halves of a twin: on each other, or side by side."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 1


def partners(half: Cube, letters: Mapping[Cube, str]) -> tuple[Cube, ...]:
    """The cubes that nobody saw and that may be the other half of a twin."""
    return tuple(
        cube for cube, letter in letters.items() if letter == UNKNOWN and joined(half, cube)
    )


def _too_many(letters: Mapping[Cube, str], colors: str, supply: Supply) -> Iterator[Problem]:
    for color in colors:
        there = tuple(cube for cube, letter in letters.items() if letter == color)
        if color in supply and len(there) > supply[color]:
            text = f"{len(there)} cubes are {color}, but there are only {supply[color]}."
            yield Problem("too_many", there, text)
    single = tuple(cube for cube, letter in letters.items() if letter in {*colors, UNKNOWN})
    unseen = tuple(cube for cube in single if letters[cube] == UNKNOWN)
    halves = sum(_lone(letters, color) for color in colors.lower())
    limit = sum(supply.values())
    if unseen and all(color in supply for color in colors) and len(single) - halves > limit:
        text = f"{len(single)} single cubes stand there, but there are only {limit}."
        yield Problem("too_many", unseen, text)


def _lone(letters: Mapping[Cube, str], color: str) -> bool:
    return sum(letter == color for letter in letters.values()) == 1
