from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dimension.cards import Card, Deck, Kind, parse_cards, standard_deck
from rules.dimension.words import LANGUAGES, card_name, card_sentence
from rules.errors import RulesError


def test_the_deck_has_sixty_cards_in_the_known_numbers() -> None:
    deck = standard_deck()
    numbers = {kind: sum(card.kind is kind for card in deck.cards) for kind in Kind}
    assert numbers == {
        Kind.EXACTLY: 10,
        Kind.TOUCH: 15,
        Kind.APART: 15,
        Kind.NOT_ABOVE: 5,
        Kind.NOT_BELOW: 5,
        Kind.MORE: 5,
        Kind.SUM4: 5,
    }
    assert len(deck) == len({card.key for card in deck.cards}) == 60


def test_the_deck_holds_the_directed_cards_one_way_only() -> None:
    assert Card.parse("more:OK") in standard_deck()
    assert Card.parse("more:KO") not in standard_deck()
    assert Card.parse("sum4:OW") in standard_deck()
    assert Card.parse("sum4:WO") in standard_deck()
    assert Card.parse("sum4:OG") not in standard_deck()


@pytest.mark.parametrize("card", standard_deck().cards, ids=str)
def test_every_card_can_be_spelled_named_and_said(card: Card) -> None:
    assert Card.parse(str(card)) == card
    for language in LANGUAGES:
        assert card_name(card)[language]
        assert card_sentence(card)[language].endswith(".")


def test_names_and_sentences_tell_all_cards_apart() -> None:
    for language in LANGUAGES:
        assert len({card_name(card)[language] for card in standard_deck().cards}) == 60
        assert len({card_sentence(card)[language] for card in standard_deck().cards}) == 60


@pytest.mark.parametrize(
    "code",
    [
        *("", " ", "touch", "touch:", "touch:B", "touch:BX", "touch:BKO", "TOUCH:BK", "touch:bk"),
        *("near:BK", "touch:BK ", "touch:BK\n", "exactly:O", "exactly:2", "exactly:12O"),
        *("exactly:²O", "notabove:OO", "more:OO", "sum4:WW"),
    ],
)
def test_what_is_no_card_is_refused(code: str) -> None:
    with pytest.raises(RulesError) as refusal:
        Card.parse(code)
    assert refusal.value.code == "bad_card"


@given(st.text())
def test_no_text_makes_parsing_raise_anything_else(code: str) -> None:
    try:
        assert str(Card.parse(code)) == code
    except RulesError as error:
        assert error.code == "bad_card"  # noqa: PT017 - either outcome is right


@pytest.mark.parametrize(
    ("codes", "error"),
    [
        ([], "bad_count"),
        (["touch:BK"] * 9, "bad_count"),
        (["touch:BK", "touch:KB"], "duplicate_card"),
        (["exactly:1O", "exactly:1O"], "duplicate_card"),
        (["more:KO"], "not_in_deck"),
        (["exactly:3O"], "not_in_deck"),
    ],
)
def test_what_cannot_be_revealed_is_refused(codes: list[str], error: str) -> None:
    with pytest.raises(RulesError) as refusal:
        parse_cards(codes, standard_deck())
    assert refusal.value.code == error


def test_any_well_formed_card_goes_without_a_deck() -> None:
    assert [str(card) for card in parse_cards(["more:KO", "touch:KB"], None)] == [
        "more:KO",
        "touch:KB",
    ]


def test_a_table_can_correct_the_deck(tmp_path: Path) -> None:
    own = tmp_path / "deck.json"
    own.write_text('{"cards": ["more:KO", "sum4:OG"]}')
    assert Card.parse("more:KO") in Deck.load(own)
    assert Card.parse("more:OK") not in Deck.load(own)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "bad_deck"),
        ("[]", "bad_deck"),
        ("{}", "bad_deck"),
        ('{"cards": "touch:BK"}', "bad_deck"),
        ('{"cards": [1]}', "bad_deck"),
        ("[" * 100_000, "bad_deck"),
        ('{"cards": ["touch"]}', "bad_card"),
        ('{"cards": ["touch:BK", "touch:KB"]}', "duplicate_card"),
    ],
    ids=range(8),
)
def test_a_broken_deck_is_refused(tmp_path: Path, text: str, error: str) -> None:
    own = tmp_path / "deck.json"
    own.write_text(text)
    with pytest.raises(RulesError) as refusal:
        Deck.load(own)
    assert refusal.value.code == error


def test_a_missing_deck_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="Cannot read"):
        Deck.load(tmp_path / "none.json")
