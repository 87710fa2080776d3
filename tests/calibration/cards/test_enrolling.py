"""Decks learned from photos of a grid, read row by row."""

import numpy as np
import pytest

from calibration.cards.enrolling import CardEnrolmentError, enrol, enrol_cut, in_reading_order
from tests.vision.cards.photos import deck, photo

CODES = [f"card-{number}" for number in range(12)]


def test_each_card_gets_its_own_code() -> None:
    pictures = deck(3).pictures
    enrolled = enrol(photo(pictures, 4), CODES)
    assert [card.code for card in enrolled] == CODES
    for card, picture in zip(enrolled, pictures, strict=True):
        kept = card.decoded()
        assert kept is not None
        assert np.abs(kept.mean(axis=(0, 1)) - picture.mean(axis=(0, 1))).max() < 20


def test_too_few_codes_are_told() -> None:
    with pytest.raises(CardEnrolmentError, match="cards were found, but there are 30 codes"):
        enrol(photo(deck(3).pictures, 4), [str(number) for number in range(30)])


def test_an_empty_table_has_no_cards() -> None:
    with pytest.raises(CardEnrolmentError, match=r"^0 cards"):
        enrol(photo([], 1), ["A"])


@pytest.mark.parametrize("turn", [-0.3, 0.0, 0.25])
def test_rows_are_read_as_the_picture_is_seen(turn: float) -> None:
    square = np.array([[0.0, 0.0], [80, 0], [80, 110], [0, 110]])
    way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    wanted = [
        (square + np.array([100 * column, 140 * row])) @ way
        for row in range(3)
        for column in range(5)
    ]
    shuffled = [wanted[index] for index in np.random.default_rng(0).permutation(15)]
    for found, there in zip(in_reading_order(shuffled), wanted, strict=True):
        assert np.array_equal(found, there)


def test_a_cut_out_card_is_kept_whole() -> None:
    picture = deck(3).pictures[0]
    kept = enrol_cut(picture, "one").decoded()
    assert kept is not None
    assert kept.shape[0] / kept.shape[1] == pytest.approx(
        picture.shape[0] / picture.shape[1], abs=0.02
    )
