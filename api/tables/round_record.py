"""What a record holds of a round: what players sent in, by which profiles, and its lock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Json = Mapping[str, Any]


@dataclass(frozen=True)
class TrayChange:
    """A position put right after it was sent in."""

    at: float
    actor: str
    before: str
    after: str
    reason: str
    dispute: int | None = None


@dataclass(frozen=True)
class TrayChoice:
    """The profile by which photos of a tray are read, since when, and who said so."""

    name: str
    at: float
    by: str
    version: str | None = None
    profile: Json | None = None
    """As it was then. Tables were opened with a name only: the service knows the profile."""
    photos: tuple[str, ...] = ()
    """The start photos that it was measured from."""
    reading: Json | None = None
    """Of the first of them: what was measured can be drawn on it."""


@dataclass(frozen=True)
class Sent:
    """A position as it was sent in, and what was changed since."""

    by: Literal["photo", "hand"]
    sender: str
    at: float
    position: str
    legal: bool
    """Whether the position can be; what a photo shows sometimes cannot."""
    photos: tuple[str, ...] = ()
    reading: Json | None = None
    doubt: Json | None = None
    reader: Json | None = None
    """Versions of program, models and profile; histories of the beginning have none."""
    overlay: str | None = None
    changes: tuple[TrayChange, ...] = ()


@dataclass(frozen=True)
class Seal:
    """The entry with which a round was locked."""

    at: float
    sequence: int
    hash: str
    state: Any
    """The table by the rules then."""


@dataclass(frozen=True)
class Play:
    """What the service knows of a round beside the rules."""

    drawn: bool
    event: Json
    """With which the round began."""
    revealed_at: float
    own_kinds: frozenset[str] = frozenset()
    """Which kinds of entries that only this game has came in this round."""
    sent: Mapping[str, Sent] = field(default_factory=lambda: MappingProxyType({}))
    seal: Seal | None = None
