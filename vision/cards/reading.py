"""A reading of revealed cards: which they are, where, and how sure that is."""

from dataclasses import dataclass, field
from typing import Any, Literal

CardsStatus = Literal["certain", "uncertain", "no_cards", "bad_image"]

WARNINGS = ("unknown_card", "look_alike", "same_card_twice", "one_alone", "blurred", "too_dark")
"""All codes of ``warnings``, in the order in which they are given."""


@dataclass(frozen=True)
class CardChance:
    """A code, and how probable it is."""

    code: str
    p: float

    def to_json(self) -> dict[str, Any]:
        """As decoded JSON."""
        return {"code": self.code, "p": round(self.p, 4)}


@dataclass(frozen=True)
class CardSeen:
    """A card in the photo."""

    code: str | None
    """None: not in the deck."""
    p: float
    """How probable that is."""
    corners: tuple[tuple[float, float], ...]
    """In pixels of the photo, from the card's own top left, clockwise."""
    alternatives: tuple[CardChance, ...]
    """The three likeliest codes, the first of them first."""

    def to_json(self) -> dict[str, Any]:
        """As decoded JSON."""
        return {
            "code": self.code,
            "p": round(self.p, 4),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "alternatives": [chance.to_json() for chance in self.alternatives],
        }


@dataclass(frozen=True)
class CardsReading:
    """What a photo of revealed cards shows."""

    photo: str | tuple[str, ...]
    status: CardsStatus
    cards: tuple[CardSeen, ...] = ()
    confidence: float | None = None
    """Probability that all of it is right."""
    warnings: tuple[str, ...] = ()
    ms: dict[str, float] = field(default_factory=dict, hash=False)
    message: str = ""

    @property
    def codes(self) -> str:
        """All codes, for people; ? for a card that is not in the deck."""
        return " ".join(card.code or "?" for card in self.cards)

    def to_json(self) -> dict[str, Any]:
        """As decoded JSON."""
        photo = self.photo if isinstance(self.photo, str) else list(self.photo)
        return {
            "photo": photo,
            "status": self.status,
            "cards": [card.to_json() for card in self.cards],
            "codes": self.codes,
            "confidence": None if self.confidence is None else round(self.confidence, 6),
            "warnings": list(self.warnings),
            "ms": {stage: round(taken, 2) for stage, taken in self.ms.items()},
            "message": self.message,
        }
