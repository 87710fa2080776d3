"""A layout: which colour lies on which seat, as an immutable value with a one-line notation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rules.dimension.board import BIT, OVERLAPS, SEATS, rotate_seat, seat_set, supported
from rules.errors import RulesError

COLORS = "OBGKW"
"""The letters of orange, blue, green, black and white."""

PER_COLOR = 3
"""Spheres of each colour that a player owns."""

EMPTY = "."
_LEVELS = (SEATS[:7], SEATS[7:13], SEATS[13:])


@dataclass(frozen=True)
class Problem:
    """Something wrong with a layout: a code for programs, the seats, a sentence for people."""

    code: str
    seats: tuple[str, ...]
    text: str

    def to_json(self) -> dict[str, object]:
        """The problem as decoded JSON."""
        return {"code": self.code, "seats": list(self.seats), "text": self.text}


class LayoutError(RulesError):
    """A layout that cannot be what it should be; ``problems`` has everything that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("bad_layout", " ".join(problem.text for problem in problems))
        self.problems = problems


@dataclass(frozen=True, order=True)
class Layout:
    """What lies on a tray: fourteen letters in the order of ``SEATS``, ``.`` where it is empty.

    >>> layout = Layout.parse("OKBGGWB/K.B.O./K")
    >>> layout["T0"], len(layout), str(layout)
    ('K', 11, 'OKBGGWB/K.B.O./K')

    A layout may hold what a tray cannot; ``problems()`` tells.

    >>> [problem.code for problem in Layout.parse("OOOO.../.BB.../.").problems()]
    ['too_many', 'floating', 'overlap']
    """

    cells: str = EMPTY * len(SEATS)

    def __post_init__(self) -> None:
        if len(self.cells) != len(SEATS) or not set(self.cells) <= set(COLORS + EMPTY):
            raise LayoutError(problems(notation(self.cells)))

    @classmethod
    def parse(cls, text: str) -> "Layout":
        """The layout written as ``C R0..R5 / T0..T5 / A``; raises ``LayoutError`` if it is not."""
        if any(problem.code in ("bad_letter", "bad_length") for problem in problems(text)):
            raise LayoutError(problems(text))
        return cls(text.replace("/", ""))

    @classmethod
    def of(cls, colors: Mapping[str, str]) -> "Layout":
        """The layout with these colours by seat."""
        return cls("".join(colors.get(seat, EMPTY) for seat in SEATS))

    def __str__(self) -> str:
        return notation(self.cells)

    def __len__(self) -> int:
        return len(SEATS) - self.cells.count(EMPTY)

    def __getitem__(self, seat: str) -> str:
        return self.cells[SEATS.index(seat)]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Seat and colour of each sphere."""
        return ((s, c) for s, c in zip(SEATS, self.cells, strict=True) if c != EMPTY)

    @cached_property
    def occupied(self) -> int:
        """The set of seats that hold a sphere."""
        return seat_set(seat for seat, _ in self)

    def of_color(self, color: str) -> int:
        """The set of seats that hold this colour."""
        return sum(BIT[seat] for seat, c in self if c == color)

    def count(self, color: str) -> int:
        """How many spheres of this colour lie on the tray."""
        return self.cells.count(color)

    def colors(self) -> set[str]:
        """The colours that lie on the tray."""
        return set(self.cells) - {EMPTY}

    def storage(self) -> dict[str, int]:
        """How many spheres of each colour are left beside the stack."""
        return {color: PER_COLOR - self.count(color) for color in COLORS}

    def with_seat(self, seat: str, color: str | None) -> "Layout":
        """The same layout with another colour on one seat (``None``: nothing)."""
        i = SEATS.index(seat)
        return Layout(self.cells[:i] + (color or EMPTY) + self.cells[i + 1 :])

    def rotated(self, steps: int = 1) -> "Layout":
        """The layout turned clockwise by ``steps`` × 60°."""
        return Layout.of({rotate_seat(seat, steps): color for seat, color in self})

    def canonical(self) -> "Layout":
        """The first in alphabetical order of the six rotations: equal for equal layouts."""
        return min(self.rotated(steps) for steps in range(6))

    def same_as(self, other: "Layout") -> bool:
        """Whether the two are one layout to the rules, which do not see rotation."""
        return self.canonical() == other.canonical()

    def problems(self) -> tuple[Problem, ...]:
        """All that a tray cannot hold; empty for a legal layout."""
        return problems(str(self))


def notation(cells: str) -> str:
    """Letters in the order of ``SEATS``, with the levels set apart."""
    return f"{cells[:7]}/{cells[7:13]}/{cells[13:]}"


def problems(text: str) -> tuple[Problem, ...]:
    """All that is wrong with a text as a layout, at once: writing first, then what cannot be.

    A seat that the text does not speak of may be filled: nothing floats because of it.
    """
    levels = text.split("/")
    cells = _fit(levels)
    return (
        *_wrong_lengths(levels),
        *_wrong_letters(cells),
        *_too_many(cells),
        *_floating(cells),
        *_overlapping(cells),
    )


def _fit(levels: list[str]) -> dict[str, str]:
    """Letter by seat, for the seats that the text speaks of."""
    return {
        seat: letter
        for seats, letters in zip(_LEVELS, levels, strict=False)
        for seat, letter in zip(seats, letters, strict=False)
    }


def _wrong_lengths(levels: list[str]) -> Iterator[Problem]:
    if len(levels) != len(_LEVELS):
        text = f"A layout has three levels separated by slashes; this one has {len(levels)}."
        missing = tuple(seat for seats in _LEVELS[len(levels) :] for seat in seats)
        yield Problem("bad_length", missing, text)
    names = ("one", "two", "three")
    for name, seats, letters in zip(names, _LEVELS, levels, strict=False):
        if len(letters) != len(seats):
            text = f"Level {name} has {len(letters)} places instead of {len(seats)}."
            yield Problem("bad_length", seats[len(letters) :], text)


def _wrong_letters(cells: dict[str, str]) -> Iterator[Problem]:
    for seat, letter in cells.items():
        if letter not in COLORS + EMPTY:
            text = f"{letter!r} on {seat} is not a colour. Use {', '.join(COLORS)} or a dot."
            yield Problem("bad_letter", (seat,), text)


def _too_many(cells: dict[str, str]) -> Iterator[Problem]:
    for color in COLORS:
        seats = tuple(seat for seat, letter in cells.items() if letter == color)
        if len(seats) > PER_COLOR:
            text = f"{len(seats)} spheres are {color}, but a player has only {PER_COLOR}."
            yield Problem("too_many", seats, text)


def _floating(cells: dict[str, str]) -> Iterator[Problem]:
    filled = seat_set(seat for seat in SEATS if cells.get(seat) != EMPTY)
    for seat, letter in cells.items():
        if letter in COLORS and not supported(seat, filled):
            text = f"The sphere on {seat} floats. It needs three spheres below it."
            yield Problem("floating", (seat,), text)


def _overlapping(cells: dict[str, str]) -> Iterator[Problem]:
    for a, b in OVERLAPS:
        if cells.get(a, EMPTY) in COLORS and cells.get(b, EMPTY) in COLORS:
            text = f"Spheres on {a} and {b} would overlap. There is room for only one of them."
            yield Problem("overlap", (a, b), text)
