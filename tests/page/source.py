"""The page's files, as text."""

import re
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parent.parent.parent / "api" / "page"
VENDORED = "vendor"

SHARED_TEXTS = ("i18n/first", "i18n/photo", "i18n/table")
GAMES = tuple(sorted(folder.parent.name for folder in PAGE.glob("games/*/game.js")))
TEXTS = (*SHARED_TEXTS, *(f"games/{game}/texts" for game in GAMES))
"""Folders of texts, each with a module a language."""


@cache
def modules() -> dict[str, str]:
    """All our own JavaScript by its path."""
    return {
        path.relative_to(PAGE).as_posix(): path.read_text("utf-8")
        for path in sorted(PAGE.rglob("*.js"))
        if VENDORED not in path.parts
    }


@cache
def text_of(path: str) -> str:
    return (PAGE / path).read_text("utf-8")


@cache
def entries(path: str) -> dict[str, str]:
    """The lines ``name: "value",`` of a module, names with or without quotation marks."""
    found = re.findall(r'^\s+"?([\w.]+)"?:\s*"((?:[^"\\]|\\.)*)",$', text_of(path), re.MULTILINE)
    return dict(found)
