"""Challenges: how to score, how to roll, what a vortex is worth; and the deck as data."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

from rules.decks import deck_codes, deck_text
from rules.errors import RulesError

LARGEST_VORTEX = 20
FREE_VALUES = range(7)
"""What a free vortex may be worth."""

ROUNDS = 7
"""Rounds of a game, one challenge each."""


class Scoring(StrEnum):
    """Which dice count; with ``-rest`` all others are subtracted."""

    TOTAL = "total"
    SAME = "same"
    SAME_REST = "same-rest"
    TENS_REST = "tens-rest"
    PAIRS = "pairs"
    PAIRS_REST = "pairs-rest"
    TRIPLES_REST = "triples-rest"
    ODD = "odd"
    ODD_REST = "odd-rest"
    SHOWN_REST = "shown-rest"
    RUN = "run"

    @property
    def minus_rest(self) -> bool:
        """Whether dice that do not count are subtracted."""
        return self.endswith("-rest")


class Way(StrEnum):
    """How the dice are rolled."""

    FOUR = "four"
    THREE = "three"
    ASIDE = "aside"

    @property
    def most_rolls(self) -> int:
        """The most rolls that a turn can have."""
        return {Way.FOUR: 4, Way.THREE: 3, Way.ASIDE: 7}[self]


class Vortex(StrEnum):
    """What a vortex may be instead of a number: 0 and locked, or 0–6 as is best."""

    FROZEN = "frozen"
    FREE = "free"


@dataclass(frozen=True)
class Challenge:
    """A challenge card, written ``SCORING/ROLL/VORTEX``.

    >>> challenge = Challenge.parse("pairs-rest/three/-5")
    >>> challenge.scoring.minus_rest, challenge.way.most_rolls, challenge.vortex
    (True, 3, -5)
    >>> str(challenge)
    'pairs-rest/three/-5'
    """

    scoring: Scoring
    way: Way
    vortex: int | Vortex

    @classmethod
    def parse(cls, text: str) -> "Challenge":
        """The challenge of a text; raises ``bad_challenge`` with all that is wrong."""
        parts = text.split("/")
        if len(parts) != 3:
            told = f"{text!r} is not a challenge. Write it like pairs-rest/three/free."
            raise RulesError("bad_challenge", told)
        scoring, way, vortex = parts
        wrong = []
        if scoring not in set(Scoring):
            wrong.append(f"{scoring!r} is not a scoring. Use {', '.join(Scoring)}.")
        if way not in set(Way):
            wrong.append(f"{way!r} is not a way of rolling. Use {', '.join(Way)}.")
        worth = _vortex(vortex)
        if worth is None:
            span = f"-{LARGEST_VORTEX} to {LARGEST_VORTEX}"
            wrong.append(f"{vortex!r} is not a vortex. Use {span}, {' or '.join(Vortex)}.")
        if wrong or worth is None:
            raise RulesError("bad_challenge", " ".join(wrong))
        return cls(Scoring(scoring), Way(way), worth)

    def __str__(self) -> str:
        return f"{self.scoring}/{self.way}/{self.vortex}"

    @property
    def frozen(self) -> bool:
        """Whether a vortex may not be rolled again."""
        return self.vortex is Vortex.FROZEN

    @property
    def vortex_values(self) -> Sequence[int]:
        """What a vortex may be worth: one value unless it is free."""
        return vortex_values(self.vortex)


def vortex_values(vortex: int | Vortex) -> Sequence[int]:
    """What a vortex may be worth: one value unless it is free."""
    if vortex is Vortex.FREE:
        return FREE_VALUES
    return (0,) if isinstance(vortex, Vortex) else (vortex,)


def _vortex(text: str) -> int | Vortex | None:
    if text in set(Vortex):
        return Vortex(text)
    if re.fullmatch(r"[+-]?[0-9]{1,2}", text, re.ASCII) and abs(int(text)) <= LARGEST_VORTEX:
        return int(text)
    return None


@dataclass(frozen=True)
class Deck:
    """The challenge cards that a table plays with."""

    cards: tuple[Challenge, ...]

    @classmethod
    def of(cls, codes: Iterable[str]) -> "Deck":
        """The deck of these cards; there must be enough of them, all different."""
        cards = tuple(map(Challenge.parse, codes))
        if len(cards) < ROUNDS:
            text = f"A deck needs at least {ROUNDS} cards, this one has {len(cards)}."
            raise RulesError("bad_deck", text)
        for place, card in enumerate(cards):
            if card in cards[:place]:
                raise RulesError("duplicate_card", f"{card} is in the deck twice.")
        return cls(cards)

    @classmethod
    def parse(cls, text: str) -> "Deck":
        """The deck of a JSON text: ``{"cards": ["total/four/0", …]}``."""
        return cls.of(deck_codes(text, '{"cards": ["total/four/0", …]}', "challenges"))

    @classmethod
    def load(cls, path: Path) -> "Deck":
        """The deck in a file."""
        return cls.parse(deck_text(path))

    def __len__(self) -> int:
        return len(self.cards)

    def shuffled(self, seed: int) -> tuple[Challenge, ...]:
        """The cards in the order in which this seed deals them."""
        pile = list(self.cards)
        Random(f"trayscore:{seed}").shuffle(pile)
        return tuple(pile)


@cache
def standard_deck() -> Deck:
    """Our own 21 cards."""
    return Deck.parse(files("rules.high_score").joinpath("data/deck.json").read_text("utf-8"))
