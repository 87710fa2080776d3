"""Photos of revealed cards, read by a deck that was enrolled from one photo."""

from functools import cache

import numpy as np
import pytest

from calibration.cards.enrolling import enrol
from calibration.cards.profile import DeckProfile
from tests.vision.cards.photos import deck, jpeg, photo
from vision.cards.reader import CardsReader

CODES = [f"card-{number}" for number in range(12)]


@cache
def reader(seed: int = 3, known: int = 12) -> CardsReader:
    pictures = deck(seed).pictures[:known]
    cards = enrol(photo(pictures, 4), CODES[:known])
    return CardsReader(DeckProfile("ours", tuple(cards)))


@pytest.mark.parametrize(
    ("shown", "turns", "tilt"),
    [((0, 3, 5, 7, 8, 11), "000000", 0.0), ((1, 2, 4, 6, 9, 10), "020213", 0.15)],
)
def test_cards_are_read_whichever_way_they_lie(
    shown: tuple[int, ...], turns: str, tilt: float
) -> None:
    pictures = [deck(3).pictures[index] for index in shown]
    reading = reader().read(jpeg(photo(pictures, 3, tilt, turns)))
    assert sorted(card.code or "?" for card in reading.cards) == sorted(CODES[at] for at in shown)
    assert reading.status == "certain", reading.message
    assert reading.confidence is not None
    assert reading.confidence <= min(card.p for card in reading.cards)
    for card in reading.cards:
        assert card.alternatives[0].code == card.code
        assert len(card.alternatives) == 3


def test_corners_start_at_the_cards_own_top_left() -> None:
    reading = reader().read(jpeg(photo(deck(3).pictures[:1], 1, 0.0, "2")))
    (card,) = reading.cards
    top_left, _, bottom_right, _ = np.array(card.corners)
    assert (top_left > bottom_right).all()  # it lies upside down


def test_a_card_that_is_not_in_the_deck_is_never_certain() -> None:
    pictures = [deck(3).pictures[index] for index in (0, 1, 2, 11)]
    reading = reader(known=11).read(jpeg(photo(pictures, 2)))
    assert reading.status == "uncertain"
    assert "card-11" not in [card.code for card in reading.cards]


def test_the_same_card_twice_is_told() -> None:
    pictures = [deck(3).pictures[index] for index in (4, 4, 5, 6)]
    reading = reader().read(jpeg(photo(pictures, 2)))
    assert reading.status == "uncertain"
    assert "same_card_twice" in reading.warnings


def test_an_empty_table_has_no_cards() -> None:
    reading = reader().read(jpeg(photo([], 1)))
    assert (reading.status, reading.cards) == ("no_cards", ())
    assert "hold the camera" in reading.message


@pytest.mark.parametrize("content", [b"", b"no photo", jpeg(photo([], 1))[:300]])
def test_a_damaged_file_is_a_bad_image(content: bytes) -> None:
    assert reader().read(content).status == "bad_image"
