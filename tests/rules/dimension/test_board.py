from collections import Counter
from itertools import product
from math import factorial, prod

import pytest

from rules.dimension import board
from rules.dimension.board import SEATS, contacts_between, level, seat_set, shapes

# docs/notation.md: legal sets of occupied seats by number of spheres 0…11
SHAPES_BY_SPHERES = [1, 7, 21, 35, 41, 45, 43, 34, 24, 9, 2, 2]
COLORED_LAYOUTS = 56_632_756


def test_there_are_264_shapes_in_the_known_numbers() -> None:
    found = Counter(shape.bit_count() for shape in shapes())
    assert [found[n] for n in range(12)] == SHAPES_BY_SPHERES
    assert len(shapes()) == 264


def colorings(spheres: int) -> int:
    """Ways to colour so many seats with at most three of each of five colours."""
    counts = [c for c in product(range(4), repeat=5) if sum(c) == spheres]
    return sum(factorial(spheres) // prod(map(factorial, c)) for c in counts)


def test_there_are_56_632_756_colored_layouts() -> None:
    by_hand = sum(n * colorings(spheres) for spheres, n in enumerate(SHAPES_BY_SPHERES))
    by_shape = sum(colorings(shape.bit_count()) for shape in shapes())
    assert by_shape == by_hand == COLORED_LAYOUTS


@pytest.mark.parametrize(
    ("a", "b", "touch"),
    [
        ("C", "R0", True),
        ("R0", "R1", True),
        ("R0", "R5", True),
        ("R0", "R2", False),
        ("T0", "C", True),
        ("T0", "R0", True),
        ("T0", "R1", True),
        ("T0", "R2", False),
        ("T5", "R0", True),
        ("T0", "T2", True),
        ("T0", "T4", True),
        ("T0", "T3", False),
        ("A", "T0", True),
        ("A", "C", False),
        ("A", "R0", False),
    ],
)
def test_contacts(a: str, b: str, touch: bool) -> None:
    assert bool(contacts_between(seat_set([a]), seat_set([b]))) is touch
    assert bool(board.TOUCHING[seat_set([a])] & seat_set([b])) is touch


def test_contacts_look_the_same_from_every_side() -> None:
    turned = {frozenset(board.rotate_seat(seat) for seat in contact) for contact in board.CONTACTS}
    assert turned == set(map(frozenset, board.CONTACTS))


def test_what_rests_touches_what_it_rests_on() -> None:
    for seat in SEATS:
        for support in board.SUPPORTS[seat]:
            assert all((low, seat) in board.CONTACTS for low in support)
            assert all(level(low) == level(seat) - 1 for low in support)


@pytest.mark.parametrize(
    ("seats", "stands"),
    [
        ("C R0 R1 T0", True),
        ("C R0 T0", False),
        ("C R0 R1 R2 T0 T1", False),  # neighbours on level two overlap
        ("C R0 R1 R3 R4 T0 T3", True),  # opposite ones do not
        ("C R0 R1 R2 R3 R4 R5 T0 T2 T4 A", True),
        ("C R0 R1 R2 R3 R4 R5 T0 T2 A", False),
        ("C R0 R1 R2 R3 R4 R5 T1 T3 T5 A", True),
    ],
)
def test_what_can_stand(seats: str, stands: bool) -> None:
    assert board.can_stand(seat_set(seats.split())) is stands
