"""Secret hands: a pile of cards that events know by commitments only, until a card is shown."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rules.cube.cards import Card

HAND = 3
"""Cards that a player holds."""


def commitment(card: str, salt: str) -> str:
    """What stands for a card until it is shown; nobody can tell the card from it."""
    return hashlib.sha256(f"{salt}:{card}".encode()).hexdigest()


@dataclass(frozen=True)
class SecretCard:
    """A card of a dealt pile with what opens its commitment; for its player's eyes only."""

    card: Card
    salt: str

    @property
    def commitment(self) -> str:
        """What the events say of the card."""
        return commitment(str(self.card), self.salt)


def shuffled(cards: Sequence[Card], secret: bytes, pile: int = 0) -> tuple[SecretCard, ...]:
    """The cards in the order in which a secret deals them, the next to be drawn first.

    Whoever keeps the secret can make the same pile again; ``pile`` counts those of a game. Order
    and salts say nothing of the secret, nor one salt of another.
    """
    order = list(cards)
    Random(_digest(secret, f"order:{pile}")).shuffle(order)
    return tuple(
        SecretCard(card, _digest(secret, f"salt:{pile}:{place}"))
        for place, card in enumerate(order)
    )


def _digest(secret: bytes, what: str) -> str:
    return hmac.new(secret, f"trayscore:{what}".encode(), hashlib.sha256).hexdigest()
