"""Refusals speak German too: every code and every text that the code can raise."""

import json
import re
from importlib.resources import files
from itertools import pairwise
from time import perf_counter

import pytest

from api.problems import Problem, of_rules
from api.translation import LAYERS, catalogue, in_german, preferred
from rules.dimension.layout import Layout, LayoutError
from rules.games import GAMES
from tests.api.raised import Raised, all_raised

RAISED = all_raised()
PLACE = re.compile(r"<=?([a-z_]+)>")


def told() -> dict[str, dict[str, dict[str, str]]]:
    places = [(layer, game) for layer in LAYERS for game in ("", *GAMES)]
    found = [files(layer) / game / "data" / "german.json" for layer, game in places]
    return {str(file): json.loads(file.read_text("utf-8")) for file in found if file.is_file()}


def test_refusals_are_found_in_the_source() -> None:
    codes = {raised.code for raised in RAISED}
    assert {"no_table", "round_locked", "bad_card", "bad_dice", "blurred", "disk_full"} <= codes
    assert sum(bool(raised.texts) for raised in RAISED) > 200


@pytest.mark.parametrize("raised", RAISED, ids=lambda raised: f"{raised.where}-{raised.code}")
def test_every_refusal_has_a_german_text(raised: Raised) -> None:
    """A new one needs a line in ``data/german.json`` of its layer or game."""
    missing = [text for text in raised.texts if in_german(raised.code, text) is None]
    assert not missing
    if raised.code is not None and not raised.texts:  # made elsewhere, or by a library
        assert raised.code in catalogue().codes


def test_german_fills_in_only_what_the_english_says() -> None:
    for file, found in told().items():
        for english, german in found["texts"].items():
            names = PLACE.findall(english)
            assert set(PLACE.findall(german)) <= set(names), f"{file}: {english}"
            assert set(found) == {"texts", "codes"}


def test_values_are_carried_over() -> None:
    assert in_german("no_dispute", "There is no dispute 4 at this table.") == (
        "An diesem Tisch gibt es keinen Streitfall 4."
    )
    assert in_german("x", "Only Dr. No! can sit down as Dr. No!.") == (
        "Als Dr. No! kann sich nur Dr. No! dazusetzen."
    )
    assert in_german("x", "'Zoë' is not at this table. Players: Ada, Ben.") == (
        "'Zoë' sitzt nicht an diesem Tisch. Hier spielen: Ada, Ben."
    )


def test_values_that_are_texts_are_translated_in_turn() -> None:
    assert in_german("busy", "Too many live cameras at once. Please try again in a moment.") == (
        "Zu viele Live-Kameras auf einmal. Bitte versuche es gleich noch einmal."
    )
    assert in_german("x", "Not ready: The database is busy. Please try again.") == (
        "Nicht bereit: Die Datenbank ist beschäftigt. Bitte versuche es noch einmal."
    )


def test_several_sentences_are_translated_one_by_one() -> None:
    with pytest.raises(LayoutError) as wrong:
        Layout.parse("OX...../....../")
    problem = of_rules(wrong.value)
    assert problem.errors is not None
    assert len(problem.errors) == 2
    assert problem.german == " ".join(in_german(None, one["text"]) or "" for one in problem.errors)
    assert "Farbe" in problem.german


def test_an_unknown_text_has_the_words_of_its_code() -> None:
    assert in_german("bad_image", "libfoo: scanline 7") == "Dieses Foto lässt sich nicht lesen."
    assert in_german("never_heard", "Never heard.") is None
    assert Problem(400, "never_heard", "Never heard.").to_json("de")["detail"] == "Never heard."


def test_a_long_text_costs_no_time() -> None:
    hostile = "'" + ", not " * 20_000
    begun = perf_counter()
    assert in_german("bad_card", f"{hostile} is not a card. Write it like {hostile}.") is not None
    for text in (" is not a card: " * 30, " and ".join("a" * 90), "7 is " * 110):
        in_german(None, text)
    assert perf_counter() - begun < 1


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr, de;q=0.7, en;q=0.3", "de"),
        ("fr, it", "en"),
        ("en;q=0.2,de;q=0.20", "en"),
        ("de;q=0", "en"),
        ("*;q=0.5, de;q=0.9", "de"),
        ("de;q=x", "en"),
        ("DE-ch", "de"),
        ("," * 10_000 + "de", "en"),
    ],
)
def test_accept_language(asked: str | None, language: str) -> None:
    assert preferred(asked) == language


def test_the_most_wordy_template_comes_first() -> None:
    for templates in catalogue().templates.values():
        words = [len(PLACE.sub("", known.template.english)) for known in templates]
        assert all(before >= after for before, after in pairwise(words))
