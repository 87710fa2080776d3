"""What is Dimension's lies in its folder: nothing else of the page names it or its pieces."""

import re

import pytest

from rules.dimension.board import SEATS
from rules.dimension.cards import standard_deck
from rules.dimension.layout import COLORS
from rules.dimension.words import COLOR_NAMES
from tests.page.source import GAMES, PAGE, SHARED_TEXTS, entries, modules, text_of

KINDS = {str(card.kind) for card in standard_deck().cards}
PIECES = ("dimension", "sphere", "hourglass", "pyramid")
QUOTED_SEAT = re.compile(rf"""["'`](?:{"|".join(SEATS)})["'`]""")
QUOTED_KIND = re.compile(rf"""["'`.](?:{"|".join(KINDS - {"more"})})\b""")
"""``more`` is a word like any other."""
QUOTED_COLOR = re.compile(rf"""["'`](?:[{COLORS}]|{COLORS})["'`]""")
COLOR_WORDS = re.compile(
    "|".join(rf"\b{name.lower()}\b" for text in COLOR_NAMES.values() for name in (text.en, text.de))
)
PIECES_IN_WORDS = re.compile(r"\b(?:tray|sphere|hourglass|tableau|kugel|sanduhr|mulde)", re.I)


def outside() -> list[str]:
    """The page's own files that belong to no game."""
    kinds = {".js", ".css", ".html", ".webmanifest"}
    found = (path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.suffix in kinds)
    return sorted(
        path for path in found if not path.startswith(("games/", "vendor/")) and path != "sw.js"
    )


def test_there_is_something_to_look_at() -> None:
    assert len(outside()) > 70
    assert GAMES == ("dimension",)


@pytest.mark.parametrize("path", outside())
def test_nothing_outside_the_games_names_dimension(path: str) -> None:
    text = text_of(path).lower()
    if path != "trust/words.js":  # words to read hashes out in: some name what others play with
        assert [word for word in PIECES if word in text] == []


@pytest.mark.parametrize("path", [path for path in outside() if path.endswith(".js")])
def test_nothing_outside_the_games_names_seats_colours_or_kinds_of_cards(path: str) -> None:
    text = text_of(path)
    for pattern in (QUOTED_SEAT, QUOTED_KIND, QUOTED_COLOR):
        assert pattern.findall(text) == []


@pytest.mark.parametrize("folder", SHARED_TEXTS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_words_for_every_game_speak_of_none(folder: str, language: str) -> None:
    words = {key: text.lower() for key, text in entries(f"{folder}/{language}.js").items()}
    told = {key: text for key, text in words.items() if PIECES_IN_WORDS.search(text)}
    assert told == {}
    assert {key: text for key, text in words.items() if COLOR_WORDS.search(text)} == {}


@pytest.mark.parametrize("path", [path for path in modules() if not path.startswith("games/")])
def test_a_game_is_reached_by_the_registry_alone(path: str) -> None:
    reached = re.findall(r"""["'`][^"'`]*games/([^"'`]*)["'`]""", text_of(path))
    if path != "sw.js":
        assert set(reached) <= {"index.js"}


def asked_of_a_game() -> set[str]:
    """What screens take from a game, by name."""
    code = "\n".join(text for path, text in modules().items() if not path.startswith("games/"))
    named = set(re.findall(r"\b(?:game\w*\([^()]*\)|photoGame\(\)|game)\.(\w+)", code))
    taken = re.findall(r"const \{([^}]*)\} = gameAt\(", code)
    return named | {name.strip() for names in taken for name in names.split(",")}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_what_the_screens_ask_of_it(game: str) -> None:
    exported = re.findall(r"export \{([^}]*)\}", text_of(f"games/{game}/game.js"))
    names = {name.split(" as ")[-1].strip() for one in exported for name in one.split(",")} - {""}
    promised = set(re.findall(r"^ \*   \w[\w ]*?  +(.*)$", text_of("games/index.js"), re.MULTILINE))
    promised |= set(re.findall(r"^ \* {10,}(.*)$", text_of("games/index.js"), re.MULTILINE))
    listed = {name for line in promised for name in re.findall(r"\w+", line)}
    assert len(asked_of_a_game()) > 20
    assert asked_of_a_game() <= names
    assert names == listed


@pytest.mark.parametrize("game", GAMES)
def test_a_game_s_samples_have_pictures(game: str) -> None:
    named = re.findall(r'name: "([\w-]+\.jpg)"', text_of(f"games/{game}/entry.js"))
    assert named
    for name in named:
        assert (PAGE / f"games/{game}/samples/{name.replace('.jpg', '.webp')}").is_file()
