"""Names that everybody reads alike, and no two that are taken for one another."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.names import BadName, look_alike, tidied, tidied_text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada  ", "Ada"),
        ("Ada \u00a0\u3000 Lovelace", "Ada Lovelace"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Nguyễn Thị Minh", "Nguyễn Thị Minh"),
        ("O’Neill", "O’Neill"),
        ("Øyvind", "Øyvind"),
        ("李小龍", "李小龍"),
        ("عائشة", "عائشة"),
        ("علی\u200cرضا", "علی\u200cرضا"),  # Persian is written so
        ("श्री", "श्री"),
        ("क्\u200dष", "क्\u200dष"),  # after a virama a joiner shapes the letters
        ("🦊", "🦊"),
        ("❤\ufe0f", "❤"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("👩🏽\u200d🚀", "👩🏽\u200d🚀"),
        ("🏳\ufe0f\u200d🌈", "🏳\u200d🌈"),
        ("\U0001fae8", "\U0001fae8"),  # an emoji newer than Python 3.11
    ],
)
def test_names_that_people_have(typed: str, kept: str) -> None:
    assert tidied(typed) == kept
    assert tidied(kept) == kept


@pytest.mark.parametrize(
    "hidden",
    [
        *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f"),
        *("\u200e", "\u200f", "\u061c", "\u202a", "\u202b", "\u202d", "\u202e", "\u202c"),
        *("\u2066", "\u2067", "\u2068", "\u2069", "\u206a", "\ufff9"),
        *("\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u17b4", "\u180b", "\u180e"),
        *("\ufe00", "\U000e0100", "\U000e0041", "\U000e007f", "\U0001d173"),
        *("\ue000", "\U00100000", "\u0378", "\ud800", "\u2028", "\u2029", "\n", "\t", "\x00"),
    ],
)
def test_what_nobody_sees_is_in_no_name(hidden: str) -> None:
    with pytest.raises(BadName, match=rf"U\+{ord(hidden):04X} at position 3") as refusal:
        tidied(f"Ad{hidden}a")
    assert hidden not in str(refusal.value)


@pytest.mark.parametrize("name", ["\u0301Ada", "A" + "\u0336\u0335\u0321\u0322\u0323" * 2])
def test_accents_stay_on_their_letters(name: str) -> None:
    with pytest.raises(BadName):
        tidied(name)


@given(st.text(max_size=12))
def test_a_name_that_is_taken_is_taken_again_as_it_is(typed: str) -> None:
    try:
        kept = tidied(typed)
    except BadName:
        return
    assert tidied(kept) == kept
    assert unicodedata.is_normalized("NFC", kept)
    assert "\u202e" not in kept


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ada"),
        ("Ada", "Аda"),  # the first letter is Cyrillic
        ("Ada", "adа"),
        ("TOM", "ТОМ"),
        ("Karl", "Кarl"),
        ("karl", "Кarl"),
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("Otto", "0tto"),
        ("Nina", "Νina"),  # Greek
        ("Ada", "Ａｄａ"),
        ("Ada", "𝐀𝐝𝐚"),
        ("Zo\u00eb", "zoe\u0308"),
        ("André", "Аndré"),
        ("O'Neill", "O’Neill"),
        ("Anna-Lena", "Anna–Lena"),
        ("Carmen", "Carrnen"),
        ("STRASSE", "straße"),
        ("علی\u200cرضا", "علیرضا"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look_alike(["Ben", one, "Cleo", other]) == (one, other)
    assert look_alike([other, "Ben", one]) == (other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ada", "Ida"), ("André", "Andre"), ("Zoe", "Zoë"), ("Jan", "Jana"), ("An na", "Anna")),
        *(("Мария", "Марина"), ("李", "季"), ("🦊", "🐺"), ("👩\u200d🚀", "👨\u200d🚀")),
        *(("Ben", "Bea"), ("Lena", "Lina"), ("Player 1", "Player 2"), ("O", "Ö")),
    ],
)
def test_names_that_people_tell_apart(one: str, other: str) -> None:
    assert look_alike([one, other]) is None


def test_texts_have_lines_and_nothing_hidden() -> None:
    assert tidied_text("the blue one\n\tlies in front \U0001f98a\ufe0f") == (
        "the blue one\n\tlies in front \U0001f98a"
    )
    with pytest.raises(BadName):
        tidied_text("the blue \u202eeno")
