"""Task cards: seven kinds, their codes, and the deck as data that a table can correct."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path

from rules.decks import deck_codes, deck_text
from rules.dimension.layout import COLORS
from rules.errors import RulesError

MOST_CARDS = 8
"""The most cards that can lie revealed at once."""


class Kind(StrEnum):
    """What a card asks for; the value is the first part of its code."""

    EXACTLY = "exactly"
    TOUCH = "touch"
    APART = "apart"
    NOT_ABOVE = "notabove"
    NOT_BELOW = "notbelow"
    MORE = "more"
    SUM4 = "sum4"


_SYMMETRIC = {Kind.TOUCH, Kind.APART, Kind.SUM4}
_TWO_DIFFERENT = {Kind.MORE, Kind.SUM4}
_SUBJECT = {
    Kind.EXACTLY: re.compile(rf"(?P<number>[0-9])(?P<colors>[{COLORS}])"),
    Kind.NOT_ABOVE: re.compile(rf"(?P<colors>[{COLORS}])"),
    Kind.NOT_BELOW: re.compile(rf"(?P<colors>[{COLORS}])"),
}
_PAIR = re.compile(rf"(?P<colors>[{COLORS}]{{2}})")


@dataclass(frozen=True)
class Card:
    """A task card, as it was spelled: ``touch:BK`` and ``touch:KB`` share one ``key``.

    >>> Card.parse("touch:KB").key == Card.parse("touch:BK").key
    True
    >>> str(Card.parse("exactly:2O"))
    'exactly:2O'
    """

    kind: Kind
    colors: str
    number: int = 0

    @classmethod
    def parse(cls, code: str) -> "Card":
        """The card with this code, whether or not a deck holds it."""
        kind_name, _, subject = code.partition(":")
        if kind_name not in set(Kind):
            kinds = ", ".join(Kind)
            raise RulesError("bad_card", f"{code!r} is not a card. Cards start with {kinds}.")
        kind = Kind(kind_name)
        match = _SUBJECT.get(kind, _PAIR).fullmatch(subject)
        if match is None:
            example = {Kind.EXACTLY: "2O", Kind.NOT_ABOVE: "O", Kind.NOT_BELOW: "W"}
            like = f"{kind}:{example.get(kind, 'BK')}"
            raise RulesError("bad_card", f"{code!r} is not a card. Write it like {like}.")
        colors = match["colors"]
        if kind in _TWO_DIFFERENT and colors[0] == colors[1]:
            raise RulesError(
                "bad_card", f"{code!r} is not a card: {kind} takes two different colours."
            )
        return cls(kind, colors, int(match["number"]) if kind is Kind.EXACTLY else 0)

    def __str__(self) -> str:
        return f"{self.kind}:{self.number if self.kind is Kind.EXACTLY else ''}{self.colors}"

    @property
    def key(self) -> str:
        """The code in one spelling, colours in the order of ``COLORS`` where order is free."""
        if self.kind not in _SYMMETRIC:
            return str(self)
        return f"{self.kind}:{''.join(sorted(self.colors, key=COLORS.index))}"

    @property
    def first(self) -> str:
        """The card's first (or only) colour."""
        return self.colors[0]

    @property
    def second(self) -> str:
        """The card's second colour; the first again where there is only one."""
        return self.colors[-1]


@dataclass(frozen=True)
class Deck:
    """The cards a table plays with."""

    cards: tuple[Card, ...]

    @classmethod
    def parse(cls, text: str) -> "Deck":
        """The deck of a JSON text: ``{"cards": ["exactly:1O", …]}``."""
        codes = deck_codes(text, '{"cards": ["exactly:1O"]}', "card codes")
        cards = tuple(map(Card.parse, codes))
        refuse_duplicates(cards)
        return cls(cards)

    @classmethod
    def load(cls, path: Path) -> "Deck":
        """The deck in a file."""
        return cls.parse(deck_text(path))

    def __contains__(self, card: Card) -> bool:
        return any(card.key == own.key for own in self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def without(self, kinds: Iterable[Kind]) -> "Deck":
        """The deck with all cards of these kinds left out."""
        gone = set(kinds)
        return Deck(tuple(card for card in self.cards if card.kind not in gone))


@cache
def standard_deck() -> Deck:
    """The sixty cards of the published game."""
    return Deck.parse(files("rules.dimension").joinpath("data/deck.json").read_text("utf-8"))


def refuse_duplicates(cards: Iterable[Card]) -> None:
    """Raise if two of the cards are one card."""
    seen: dict[str, Card] = {}
    for card in cards:
        if card.key in seen:
            twin = seen[card.key]
            also = "" if str(twin) == str(card) else f" (as {twin} too)"
            raise RulesError("duplicate_card", f"{card} is listed twice{also}.")
        seen[card.key] = card


def parse_cards(codes: Sequence[str], deck: Deck | None) -> tuple[Card, ...]:
    """One to eight different cards, all in the deck if there is one."""
    cards = tuple(map(Card.parse, codes))
    if not 1 <= len(cards) <= MOST_CARDS:
        raise RulesError(
            "bad_count", f"One to {MOST_CARDS} cards can be revealed, not {len(cards)}."
        )
    refuse_duplicates(cards)
    for card in cards:
        if deck is not None and card not in deck:
            raise RulesError("not_in_deck", f"{card} is not in the deck.")
    return cards


def exactly_siblings(card: Card, revealed: Iterable[Card]) -> tuple[Card, ...]:
    """The other revealed exactly cards of a colour: the books add their numbers to this one's."""
    if card.kind is not Kind.EXACTLY:
        return ()
    return tuple(
        other
        for other in revealed
        if other.kind is Kind.EXACTLY and other.colors == card.colors and other.key != card.key
    )
