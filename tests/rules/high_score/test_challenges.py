import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from rules.errors import RulesError
from rules.high_score.challenges import Challenge, Deck, Scoring, Vortex, Way, standard_deck
from rules.high_score.words import (
    LANGUAGES,
    challenge_name,
    scoring_sentence,
    vortex_sentence,
    way_sentence,
)
from tests.rules.high_score.strategies import challenges


@given(challenges())
def test_a_challenge_is_written_as_it_is_read(challenge: Challenge) -> None:
    assert Challenge.parse(str(challenge)) == challenge


@pytest.mark.parametrize(
    ("text", "vortex"),
    [
        ("total/four/0", 0),
        ("total/four/-20", -20),
        ("total/four/+7", 7),
        ("total/four/frozen", Vortex.FROZEN),
        ("total/four/free", Vortex.FREE),
    ],
)
def test_what_a_vortex_is_worth(text: str, vortex: int | Vortex) -> None:
    assert Challenge.parse(text).vortex == vortex


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["pairs-rest/three/free"]),
        ("total/four", ["pairs-rest/three/free"]),
        ("total/four/0/0", ["pairs-rest/three/free"]),
        ("sum/four/0", ["'sum'"]),
        ("total/five/0", ["'five'"]),
        ("total/four/21", ["'21'"]),
        ("total/four/-21", ["'-21'"]),
        ("total/four/", ["''"]),
        ("total/four/1.5", ["'1.5'"]),
        ("total/four/٣", ["'٣'"]),
        ("tens/two/ice", ["'tens'", "'two'", "'ice'"]),
    ],
)
def test_all_that_is_wrong_with_a_challenge_is_told_at_once(text: str, told: list[str]) -> None:
    with pytest.raises(RulesError) as refusal:
        Challenge.parse(text)
    assert refusal.value.code == "bad_challenge"
    for part in told:
        assert part in refusal.value.text


def test_our_deck_is_varied() -> None:
    cards = standard_deck().cards
    assert len(standard_deck()) == 21
    assert {card.scoring for card in cards} == set(Scoring)
    assert Counter(card.way for card in cards) == dict.fromkeys(Way, 7)
    kinds = Counter(
        card.vortex if isinstance(card.vortex, Vortex) else (card.vortex > 0) - (card.vortex < 0)
        for card in cards
    )
    assert set(kinds) == {-1, 0, 1, *Vortex}
    assert min(kinds.values()) >= 2


def test_a_table_may_bring_its_own_deck(tmp_path: Path) -> None:
    codes = [f"total/four/{vortex}" for vortex in range(7)]
    file = tmp_path / "deck.json"
    file.write_text(json.dumps({"cards": codes}))
    assert [str(card) for card in Deck.load(file).cards] == codes


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_deck"),
        ("[]", "bad_deck"),
        ('{"cards": "total/four/0"}', "bad_deck"),
        ('{"cards": [1]}', "bad_deck"),
        ('{"cards": ["total/four/0"]}', "bad_deck"),
        ('{"cards": ["total/four"]}', "bad_challenge"),
        (json.dumps({"cards": ["total/four/0"] * 7}), "duplicate_card"),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused(text: str, code: str) -> None:
    with pytest.raises(RulesError) as refusal:
        Deck.parse(text)
    assert refusal.value.code == code


def test_a_missing_deck_is_told(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="Cannot read the deck"):
        Deck.load(tmp_path / "none.json")


def test_every_challenge_is_explained_in_both_languages() -> None:
    told = set()
    for scoring in Scoring:
        for way in Way:
            for vortex in (-3, 0, 4, *Vortex):
                challenge = Challenge(scoring, way, vortex)
                sentences = (scoring_sentence, way_sentence, vortex_sentence)
                for sentence in (sentence(challenge) for sentence in sentences):
                    assert all(sentence[language].endswith(".") for language in LANGUAGES)
                told.add(challenge_name(challenge))
    assert len(told) == len(Scoring) * len(Way) * 5


def test_the_words_of_a_challenge() -> None:
    challenge = Challenge.parse("pairs-rest/aside/frozen")
    assert challenge_name(challenge).en == "Pairs minus rest, Set aside, vortex frozen"
    assert challenge_name(challenge).de == "Paare minus Rest, Beiseitelegen, Wirbel eingefroren"
    assert scoring_sentence(challenge).en == "Pairs count. All other dice are subtracted."
    assert "must be set aside" in vortex_sentence(challenge).en
    assert vortex_sentence(Challenge.parse("run/four/-3")).de == "Ein Wirbel ist −3 wert."
    assert "0 bis 6" in vortex_sentence(Challenge.parse("run/four/free")).de
    assert "rolled again" in vortex_sentence(Challenge.parse("run/four/frozen")).en
