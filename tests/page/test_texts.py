"""Every word of the page in both languages: nothing missing, nothing left over."""

import re

import pytest

from rules.dimension.cards import standard_deck
from rules.dimension.words import COLOR_NAMES, card_name
from tests.page.source import TEXTS, entries, modules, text_of

LANGUAGES = ("en", "de")
PLACES = re.compile(r"\{(\w+)\}")
LITERAL = re.compile(r'"([a-z][\w-]*(?:\.[\w-]+)+)"')
BUILT = re.compile(r"`([a-z]\w*\.(?:\w+\.)*)\$\{")


def text_files(language: str) -> list[str]:
    """A language's modules: the words of single photos, of tables, …"""
    return [f"{folder}/{language}.js" for folder in TEXTS]


def texts(language: str) -> dict[str, str]:
    return {key: text for path in text_files(language) for key, text in entries(path).items()}


def code() -> str:
    words = {path for language in LANGUAGES for path in text_files(language)}
    return "\n".join(text for path, text in modules().items() if path not in words)


def is_used(key: str, literals: set[str], built: set[str]) -> bool:
    plain = re.sub(r"\.(one|other)$", "", key)
    return bool({key, plain} & literals) or any(key.startswith(start) for start in built)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_lines_of_a_language_are_found(language: str) -> None:
    lines = [
        line
        for path in text_files(language)
        for line in re.findall(r'^  "', text_of(path), re.MULTILINE)
    ]
    assert len(texts(language)) == len(lines) > 100


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    assert list(texts("en")) == list(texts("de"))


@pytest.mark.parametrize("key", texts("en"))
def test_both_languages_fill_in_the_same_things(key: str) -> None:
    in_cards = {"X": "x"}  # a colour's name, capitalised where a sentence begins
    en, de = ({in_cards.get(p, p) for p in PLACES.findall(texts(lang)[key])} for lang in LANGUAGES)
    allowed = {"n"} if key.endswith(".one") else set()
    assert en ^ de <= allowed


def test_no_text_is_unused() -> None:
    literals, built = set(LITERAL.findall(code())), set(BUILT.findall(code()))
    unused = [key for key in texts("en") if not is_used(key, literals, built)]
    assert unused == []


def test_no_text_is_missing() -> None:
    known = set(texts("en"))
    asked = set(re.findall(r'\bt\(\s*"([^"]+)"', code()))
    asked |= {
        f"{key}.{n}" for key in re.findall(r'\btn\(\s*"([^"]+)"', code()) for n in ("one", "other")
    }
    assert asked
    assert asked <= known


def test_built_keys_have_texts() -> None:
    for start in BUILT.findall(code()):
        assert any(key.startswith(start) for key in texts("en")), start


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_called_as_the_rules_call_them(language: str) -> None:
    words = texts(language)
    for card in standard_deck().cards:
        x, y = (COLOR_NAMES[color][language] for color in (card.first, card.second))
        assert (words[f"color.{card.first}"], words[f"color.{card.second}"]) == (x, y)
        values = {"x": x, "y": y, "X": x[0].upper() + x[1:], "n": str(card.number)}
        assert words[f"card.{card.kind}"].format(**values) == card_name(card)[language]
