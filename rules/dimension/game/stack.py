"""The stack of task cards: shuffled by a seed, drawn from, put back under, filled up again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from rules.dimension.cards import Card, Deck, Kind
from rules.dimension.rulings import Rulings
from rules.errors import RulesError

LEFT_OUT = {"exactly": (Kind.EXACTLY,), "more_sum4": (Kind.MORE, Kind.SUM4)}
"""The variants that play without some kinds of cards."""


@dataclass(frozen=True)
class Stack:
    """Cards face down, top first, and those set aside after earlier rounds."""

    cards: tuple[Card, ...]
    aside: tuple[Card, ...] = ()

    @classmethod
    def shuffled(cls, deck: Deck, without: Sequence[str], seed: int) -> "Stack":
        """A fresh stack of the deck, less the kinds left out."""
        for name in without:
            if name not in LEFT_OUT:
                raise RulesError(
                    "bad_variant", f"{name!r} cannot be left out. Choices: {', '.join(LEFT_OUT)}."
                )
        kinds = [kind for name in without for kind in LEFT_OUT[name]]
        return cls(_shuffle(deck.without(kinds).cards, f"{seed}"))

    def filled_up(self, count: int, seed: str) -> "Stack":
        """The stack with the cards set aside shuffled in beneath, if it has too few for a round."""
        if len(self.cards) >= count:
            return self
        return Stack((*self.cards, *_shuffle(self.aside, seed)))

    def taken(self, cards: Sequence[Card], put_back: Sequence[Card]) -> "Stack":
        """The stack after these cards were revealed and those were put back under it."""
        moved = {card.key for card in (*cards, *put_back)}
        left = tuple(card for card in self.cards if card.key not in moved)
        return replace(self, cards=(*left, *put_back))

    def set_aside(self, cards: Sequence[Card]) -> "Stack":
        """The stack after a round with these cards."""
        return replace(self, aside=(*self.aside, *cards))


def draw_cards(
    stack: Stack, count: int, contradicts: Callable[[Sequence[Card], Card], bool] | None
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The top cards, and those that went under the stack since they contradicted one revealed.

    When the whole stack has been gone through for one place, the card there stays.
    """
    pile, revealed, put_back = list(stack.cards), list[Card](), list[Card]()
    while len(revealed) < count:
        for _ in range(len(pile)):
            if contradicts is None or not contradicts(revealed, pile[0]):
                break
            pile.append(pile.pop(0))
            put_back.append(pile[-1])
        revealed.append(pile.pop(0))
    kept = {card.key for card in revealed}
    last_first = dict.fromkeys(card for card in reversed(put_back) if card.key not in kept)
    return tuple(revealed), tuple(reversed(last_first))


def contradiction(rulings: Rulings) -> Callable[[Sequence[Card], Card], bool]:
    """Whether a card contradicts those revealed, as the table understands it."""
    return _same_pair if rulings.contradiction == "pair" else _unsatisfiable


def _same_pair(revealed: Sequence[Card], card: Card) -> bool:
    opposite = {Kind.TOUCH: Kind.APART, Kind.APART: Kind.TOUCH}.get(card.kind)
    return any(
        other.kind is opposite and sorted(other.colors) == sorted(card.colors) for other in revealed
    )


def _unsatisfiable(revealed: Sequence[Card], card: Card) -> bool:
    from rules.dimension.solver import can_all_be_met  # noqa: PLC0415 - numpy, only where needed

    return not can_all_be_met([*revealed, card])


def _shuffle(cards: Sequence[Card], seed: str) -> tuple[Card, ...]:
    pile = list(cards)
    Random(f"trayscore:{seed}").shuffle(pile)
    return tuple(pile)
