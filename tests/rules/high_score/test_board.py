"""Places, drops and chips: the book's rules and point 8 of our checklist."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.high_score.board import Chip, Piece, awarded, chips_for, moved
from rules.high_score.reasons import moved_to

GOLD, SILVER, BRONZE = Chip


def places(*results: int) -> list[int | None]:
    return [piece.place for piece in moved(results)]


def chips(*results: int) -> list[Chip | None]:
    return list(awarded(moved(results)))


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((17, 9, 23), [17, 9, 23]),
        ((17, 17, 17), [17, 16, 15]),
        ((17, 16, 17), [17, 16, 15]),  # taken for whatever reason
        ((37, 7), [37, 7]),  # one space, two places
        ((31, 31), [31, 30]),
        ((30, 31, 31), [30, 31, 29]),
        ((75, 60, 99), [60, 59, 58]),
        ((0, -4, 3), [None, None, 3]),
        ((1, 1, 1), [1, 0, -1]),  # the middle, the first to come ahead
        ((2, 1, 2), [2, 1, 0]),
    ],
)
def test_where_pieces_land(results: tuple[int, ...], expected: list[int | None]) -> None:
    assert places(*results) == expected


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((17, 9), [GOLD, BRONZE]),
        ((9, 9), [GOLD, BRONZE]),
        ((-1, 9), [None, GOLD]),
        ((0, -1), [None, None]),
        ((17, 9, 23), [SILVER, BRONZE, GOLD]),
        ((17, 9, 23, 4, 10), [SILVER, None, GOLD, None, BRONZE]),
        ((0, 9, -3), [None, GOLD, None]),
        ((1, 1, 1), [GOLD, SILVER, BRONZE]),  # from the middle one may still win a chip
        ((1, 1, 2, 1), [SILVER, BRONZE, GOLD, None]),
        ((17, 16, 17, 15), [GOLD, SILVER, BRONZE, None]),
        ((17,), [None]),
    ],
)
def test_who_gets_which_chip(results: tuple[int, ...], expected: list[Chip | None]) -> None:
    assert chips(*results) == expected


def test_what_the_chips_are_worth() -> None:
    assert [chip.points for chip in Chip] == [3, 2, 1]
    assert chips_for(2) == (GOLD, BRONZE)
    assert chips_for(5) == (GOLD, SILVER, BRONZE)
    assert chips_for(1) == ()


def test_a_piece_as_it_stands_on_the_board() -> None:
    far, seven, middle, still = moved((37, 7, 1, 0))
    assert (far.space, far.marker, far.dropped) == (7, True, 0)
    assert (seven.space, seven.marker) == (7, False)
    assert Piece(30, 30).space == 30
    assert Piece(60, 60).space == 30
    assert Piece(60, 60).marker
    assert Piece(99, 58).dropped == 2
    assert middle.to_json() == {"result": 1, "place": 1, "space": 1, "marker": False}
    assert still.to_json() == {"result": 0, "place": None, "space": None, "marker": False}
    assert still.in_the_middle
    assert still.dropped == 0
    assert Piece(1, -1).to_json()["place"] is None
    assert Piece(1, -1).in_the_middle


@pytest.mark.parametrize(
    ("results", "en", "de"),
    [
        ((17,), "The piece goes to space 17.", "Die Figur zieht auf Feld 17."),
        (
            (17, 17),
            "Place 17 is taken, so the piece goes to space 16.",
            "Platz 17 ist besetzt, also zieht die Figur auf Feld 16.",
        ),
        (
            (37,),
            "The piece goes to space 7, the 30+ marker is turned.",
            "Die Figur zieht auf Feld 7, der 30+-Marker wird umgedreht.",
        ),
        (
            (75, 99),
            "Place 60 is taken, so the piece goes to space 29, the 30+ marker is turned.",
            "Platz 60 ist besetzt, also zieht die Figur auf Feld 29, "
            "der 30+-Marker wird umgedreht.",
        ),
        (
            (1, 1),
            "Every place from 1 down is taken, so the piece stays in the middle.",
            "Ab 1 abwärts ist jeder Platz besetzt, also bleibt die Figur in der Mitte.",
        ),
        (
            (-4,),
            "No positive result, so the piece does not move.",
            "Kein positives Ergebnis, also zieht die Figur nicht.",
        ),
    ],
)
def test_where_a_piece_goes_in_words(results: tuple[int, ...], en: str, de: str) -> None:
    text = moved_to(moved(results)[-1])
    assert (text.en, text.de) == (en, de)


@given(st.lists(st.integers(-10, 70), min_size=2, max_size=5))
def test_no_two_pieces_share_a_place_and_nobody_gains(results: list[int]) -> None:
    pieces = moved(results)
    taken = [piece.place for piece in pieces if piece.place is not None]
    assert len(set(taken)) == len(taken)
    for piece in pieces:
        assert (piece.place is not None) == (piece.result > 0)
        assert piece.dropped >= 0
        assert piece.dropped < len(results)


@given(st.lists(st.integers(-3, 6), min_size=2, max_size=5), st.randoms())
def test_which_places_are_taken_does_not_depend_on_who_came_first(
    results: list[int], random: st.DataObject
) -> None:
    shuffled = list(results)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert {*places(*results)} == {*places(*shuffled)}
