"""Task cards: patterns of colours that a view is to show; and the deck as data."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

from rules.cube.building import COLORS, EMPTY, SIZE
from rules.decks import deck_codes, deck_text
from rules.errors import RulesError

Placement = tuple[tuple[int, str], ...]
"""What a view must show where: the number of a line of sight, and a colour."""


@dataclass(frozen=True)
class Card:
    """A pattern in rows, ``.`` where it does not matter. It may be turned, not mirrored.

    >>> Card.parse("R./BY/.G").turned()
    Card(rows=('.BR', 'GY.'))
    """

    rows: tuple[str, ...]

    @classmethod
    def parse(cls, text: str, colors: str = COLORS) -> "Card":
        """The card of a text; raises ``bad_card`` if it is none."""
        rows = tuple(text.split("/"))
        wide = len(rows[0])
        if not 1 <= wide <= SIZE or len(rows) > SIZE or any(len(row) != wide for row in rows):
            text = f"{_short(text)} is no card: write one to four rows of equal length, like RB/YG."
            raise RulesError("bad_card", text)
        if not set(text) <= {*colors, EMPTY, "/"}:
            use = f"use {', '.join(colors)}, and a dot where it does not matter"
            raise RulesError("bad_card", f"{text!r} is no card: {use}.")
        if not set(text) & set(colors):
            raise RulesError("bad_card", f"{text!r} shows no colour.")
        return cls(rows)

    def __str__(self) -> str:
        return "/".join(self.rows)

    @property
    def colors(self) -> str:
        """The colours of its cubes, row by row."""
        return "".join(self.rows).replace(EMPTY, "")

    def turned(self) -> "Card":
        """The card turned clockwise by a quarter."""
        return Card(tuple("".join(column) for column in zip(*reversed(self.rows), strict=True)))

    @cached_property
    def turns(self) -> tuple["Card", ...]:
        """The card in all turns that look different, as it is first."""
        turns = [self]
        for _ in range(3):
            turns.append(turns[-1].turned())
        return tuple(dict.fromkeys(turns))

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for cards that differ by a turn only."""
        return min(card.rows for card in self.turns)

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """All ways to find the card in a view, its whole rectangle inside."""
        return tuple(
            tuple(
                ((top + row) * SIZE + left + place, color)
                for row, colors in enumerate(card.rows)
                for place, color in enumerate(colors)
                if color != EMPTY
            )
            for card in self.turns
            for top in range(SIZE - len(card.rows) + 1)
            for left in range(SIZE - len(card.rows[0]) + 1)
        )


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "…")


@dataclass(frozen=True)
class Deck:
    """The task cards that a table plays with."""

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, codes: Iterable[str], colors: str = COLORS) -> "Deck":
        """The deck of these cards, all different, also when turned."""
        cards = tuple(Card.parse(code, colors) for code in codes)
        if not cards:
            raise RulesError("bad_deck", "A deck has at least one card.")
        first: dict[tuple[str, ...], Card] = {}
        for card in cards:
            if card.key in first:
                text = f"{card} is in the deck twice: it is {first[card.key]}, turned or not."
                raise RulesError("duplicate_card", text)
            first[card.key] = card
        return cls(cards)

    @classmethod
    def parse(cls, text: str, colors: str = COLORS) -> "Deck":
        """The deck of a JSON text: ``{"cards": ["RB/YG", …]}``."""
        return cls.of(deck_codes(text, '{"cards": ["RB/YG", …]}', "patterns"), colors)

    @classmethod
    def load(cls, path: Path, colors: str = COLORS) -> "Deck":
        """The deck in a file."""
        return cls.parse(deck_text(path), colors)

    def __len__(self) -> int:
        return len(self.cards)


@cache
def standard_deck() -> Deck:
    """Our own 48 cards, each of four cubes."""
    return Deck.parse(files("rules.cube").joinpath("data/deck.json").read_text("utf-8"))
