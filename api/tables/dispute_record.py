"""What a record holds of a dispute: what it is about, who said what, and how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from api.tables.round_record import Json

Outcome = Literal["upheld", "corrected", "unresolved"]
Maker = Literal["host", "player"]
"""Who made a token or a PIN, and so may know it."""


@dataclass(frozen=True)
class Consent:
    """What a player said the position is."""

    position: str
    at: float
    means: Literal["token", "pin"]
    on: str
    """Whose device it was said on, as the history names actors."""
    made_by: Maker | None = None
    """Who made the token or the PIN; histories of the beginning do not say."""


@dataclass(frozen=True)
class Settled:
    """How a dispute ended."""

    outcome: Outcome
    at: float
    by: str
    position: str
    points: int
    favoured: Literal["owner", "opponents"] | None
    spoken_for: tuple[str, ...] = ()
    """Players for whom the host's device agreed."""


@dataclass(frozen=True)
class DisputeRecord:
    """A dispute about what a player sent in."""

    id: int
    round: int
    player: str
    about: Json
    """By keys of the game: a card or a seat, a die …"""
    text: str
    at: float
    by: str
    position: str
    points: int
    hangs_on: tuple[str, ...]
    advice: str
    doubt: Json | None
    photos: tuple[str, ...] = ()
    """Those added to the submission's own."""
    reading: Json | None = None
    """Of all photos together, once some were added."""
    consents: Mapping[str, Consent] = field(default_factory=lambda: MappingProxyType({}))
    settled: Settled | None = None
    made_by: Maker | None = None
    """Who made the token that it was opened with; histories of the beginning do not say."""
