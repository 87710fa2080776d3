"""Decks as files: the codes of a JSON text, whatever a game's cards are."""

import json
from pathlib import Path

from rules.errors import RulesError


def deck_codes(text: str, like: str, kind: str) -> list[str]:
    """The codes of ``{"cards": […]}``; refusals show an example and name what a code is."""
    try:
        codes = json.loads(text)["cards"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RulesError("bad_deck", f"A deck is JSON like {like}.") from error
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise RulesError("bad_deck", f"A deck's cards are a list of {kind}.")
    return codes


def deck_text(path: Path) -> str:
    """The text of a deck's file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError("bad_deck", f"Cannot read the deck {path}: {error}.") from error
