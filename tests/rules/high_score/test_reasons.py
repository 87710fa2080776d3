"""Why dice are worth what they are, in sentences that a player reads aloud."""

import pytest
from hypothesis import given, settings

from rules.high_score.challenges import Challenge
from rules.high_score.dice import Dice
from rules.high_score.scoring import score
from rules.high_score.words import LANGUAGES, enumeration, number
from tests.rules.high_score.strategies import challenges, dice


@pytest.mark.parametrize(
    ("faces", "challenge", "en", "de"),
    [
        (
            "5533V12",
            "pairs-rest/three/free",
            "The vortex is best taken as 2. Pairs count: (5 + 5) + (3 + 3) + (2 + 2) = 20. "
            "The rest is subtracted: 20 − 1 = 19.",
            "Der Wirbel zählt am besten als 2. Paare zählen: (5 + 5) + (3 + 3) + (2 + 2) = 20. "
            "Der Rest wird abgezogen: 20 − 1 = 19.",
        ),
        (
            "5534V12",
            "total/four/-3",
            "A vortex is worth −3. All dice count: 5 + 5 + 4 + 3 + 2 + 1 − 3 = 17.",
            "Ein Wirbel ist −3 wert. Alle Würfel zählen: 5 + 5 + 4 + 3 + 2 + 1 − 3 = 17.",
        ),
        (
            "V123455",
            "same-rest/four/-5",
            "A vortex is worth −5. Numbers shown more than once count: 5 + 5 = 10. "
            "The rest is subtracted: 10 − (4 + 3 + 2 + 1 − 5) = 5.",
            "Ein Wirbel ist −5 wert. Mehrfach liegende Zahlen zählen: 5 + 5 = 10. "
            "Der Rest wird abgezogen: 10 − (4 + 3 + 2 + 1 − 5) = 5.",
        ),
        (
            "V111111",
            "odd-rest/four/-3",
            "A vortex is worth −3. Odd numbers count: 1 + 1 + 1 + 1 + 1 + 1 = 6. "
            "The rest is subtracted: 6 − (−3) = 9.",
            "Ein Wirbel ist −3 wert. Ungerade Zahlen zählen: 1 + 1 + 1 + 1 + 1 + 1 = 6. "
            "Der Rest wird abgezogen: 6 − (−3) = 9.",
        ),
        (
            "2224444",
            "odd/four/0",
            "There is no 1, 3 or 5, so nothing counts: 0.",
            "Es gibt keine 1, 3 oder 5, also zählt nichts: 0.",
        ),
        (
            "2224441",
            "odd/four/0",
            "Odd numbers count: 1.",
            "Ungerade Zahlen zählen: 1.",
        ),
        (
            "112335V",
            "run/four/-2",
            "A vortex is worth −2. The run from 1 and all vortices count: "
            "1 + 1 + 2 + 3 + 3 − 2 = 8.",
            "Ein Wirbel ist −2 wert. Die Reihe ab 1 und alle Wirbel zählen: "
            "1 + 1 + 2 + 3 + 3 − 2 = 8.",
        ),
        (
            "1244555",
            "run/four/0",
            "The run from 1 counts: 1 + 2 = 3.",
            "Die Reihe ab 1 zählt: 1 + 2 = 3.",
        ),
        (
            "2244555",
            "run/four/0",
            "No run starts at 1, so no number counts: 0.",
            "Keine Reihe beginnt bei 1, keine Zahl zählt: 0.",
        ),
        (
            "22445VV",
            "run/four/4",
            "A vortex is worth 4. No run starts at 1, so no number counts: 4 + 4 = 8.",
            "Ein Wirbel ist 4 wert. Keine Reihe beginnt bei 1, keine Zahl zählt: 4 + 4 = 8.",
        ),
        (
            "V111111",
            "tens-rest/four/10",
            "A vortex is worth 10. Tens count: 10. "
            "The rest is subtracted: 10 − (1 + 1 + 1 + 1 + 1 + 1) = 4.",
            "Ein Wirbel ist 10 wert. Zehner zählen: 10. "
            "Der Rest wird abgezogen: 10 − (1 + 1 + 1 + 1 + 1 + 1) = 4.",
        ),
        (
            "24455VV",
            "triples-rest/four/free",
            "The vortices are best taken as 4 and 5. "
            "Three of a kind count: (5 + 5 + 5) + (4 + 4 + 4) = 27. "
            "The rest is subtracted: 27 − 2 = 25.",
            "Die Wirbel zählen am besten als 4 und 5. "
            "Drillinge zählen: (5 + 5 + 5) + (4 + 4 + 4) = 27. "
            "Der Rest wird abgezogen: 27 − 2 = 25.",
        ),
        (
            "33344VV",
            "shown-rest/four/free",
            "The vortices are best taken as 4 each. "
            "1 to 4 count: 4 + 4 + 4 + 4 + 3 + 3 + 3 = 25. No die is left over.",
            "Die Wirbel zählen am besten als je 4. "
            "1 bis 4 zählen: 4 + 4 + 4 + 4 + 3 + 3 + 3 = 25. Kein Würfel bleibt übrig.",
        ),
    ],
)
def test_why(faces: str, challenge: str, en: str, de: str) -> None:
    text = score(Dice.parse(faces), Challenge.parse(challenge)).text
    assert text.en == en
    assert text.de == de


@pytest.mark.parametrize(
    ("faces", "challenge"),
    [
        ("1234522", "triples-rest/four/0"),
        ("12345VV", "pairs/four/0"),
        ("1111112", "tens-rest/four/0"),
        ("5555555", "shown-rest/four/0"),
    ],
)
def test_nothing_or_something_counts(faces: str, challenge: str) -> None:
    scored = score(Dice.parse(faces), Challenge.parse(challenge))
    nothing = "nothing counts" in scored.text.en
    assert nothing == (not scored.counted) == ("zählt nichts" in scored.text.de)


@given(dice(), challenges())
@settings(max_examples=60)
def test_the_result_ends_the_sums(thrown: Dice, challenge: Challenge) -> None:
    scored = score(thrown, challenge)
    for language in LANGUAGES:
        told = scored.text[language]
        for nothing_left in ("No die is left over.", "Kein Würfel bleibt übrig."):
            told = told.removesuffix(nothing_left)
        assert told.rstrip(" .").endswith(number(scored.result))


def test_lists_in_words() -> None:
    assert enumeration(["6"]).en == "6"
    assert enumeration(["6", "6", "0"]).de == "6, 6 und 0"
