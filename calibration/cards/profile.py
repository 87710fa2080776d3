"""Deck profiles: a small picture of every card of a deck, as it was enrolled, with its code.

Pictures, not descriptions, are kept: what describes them may learn, and old profiles with it.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

import cv2
import numpy as np
from pydantic import ConfigDict, Field

from calibration.fiducials import Picture
from calibration.json_shape import Fault, Shape, Wanted, to_json
from calibration.profile_files import ProfileError, ProfileKind, ProfileProblem

VERSION = 1
"""Version of the files' format."""
WIDTH = 96
"""Pixels across the picture of a card."""
MOST_CARDS = 500
_MOST_TEXT = 60_000
_MOST_PIXELS = 512
_QUALITY = 95

_FORMAT = ConfigDict(extra="forbid", use_attribute_docstrings=True)


@dataclass(frozen=True)
class EnrolledCard:
    """A card of the deck: its code, and how it looked when it was enrolled."""

    __pydantic_config__ = _FORMAT

    code: Annotated[str, Field(pattern=r"^\S{1,80}$"), Wanted("a text without spaces")]
    picture: Annotated[str, Field(max_length=_MOST_TEXT), Wanted("a small JPEG in base64")]
    """A JPEG in base64, upright."""

    @classmethod
    def of(cls, code: str, picture: Picture) -> "EnrolledCard":
        """The card of this code that looks like this."""
        flags = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
        content = cv2.imencode(".jpg", picture, flags)[1].tobytes()
        return cls(code, base64.b64encode(content).decode())

    def decoded(self) -> Picture | None:
        """The picture; None if it is none."""
        try:
            content = base64.b64decode(self.picture, validate=True)
        except (binascii.Error, ValueError):
            return None
        if not content:
            return None
        found = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
        if found is None or max(found.shape) > _MOST_PIXELS or min(found.shape[:2]) < 8:
            return None
        return np.asarray(found, np.uint8)


@dataclass(frozen=True)
class DeckProfile:
    """A deck of cards as it was enrolled."""

    __pydantic_config__ = _FORMAT

    name: Annotated[
        str,
        Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"),
        Wanted("up to 64 letters, digits, dots, dashes and underscores"),
    ]
    cards: Annotated[
        tuple[EnrolledCard, ...],
        Field(min_length=1, max_length=MOST_CARDS),
        Wanted(f"a list of 1 to {MOST_CARDS} cards"),
    ]
    kind: Annotated[str, Field(pattern="^cards$"), Wanted("cards")] = field(
        default="cards", kw_only=True
    )
    version: Annotated[
        int,
        Field(strict=True, ge=VERSION, le=VERSION),
        Wanted(f"{VERSION}, the version that this program reads"),
    ] = field(default=VERSION, kw_only=True)
    """Of this format."""

    @classmethod
    def from_json(cls, data: object) -> "DeckProfile":
        """The profile in a decoded file; raises ``ProfileError`` with all that is wrong."""
        if not isinstance(data, dict):
            problem = ProfileProblem("", "A profile is a JSON object with the cards of a deck.")
            raise ProfileError([problem])
        found = _SHAPE.load(data)
        if not isinstance(found, DeckProfile):
            raise ProfileError([ProfileProblem(fault.where, _sentence(fault)) for fault in found])
        problems = [
            ProfileProblem(f"cards[{index}].picture", f"The picture of {card.code} is damaged.")
            for index, card in enumerate(found.cards)
            if card.decoded() is None
        ]
        if problems:
            raise ProfileError(problems)
        return found

    @cached_property
    def pictures(self) -> Sequence[Picture]:
        """The pictures of the cards, in their order."""
        return [picture for card in self.cards if (picture := card.decoded()) is not None]

    @property
    def codes(self) -> list[str]:
        """The codes of the cards, in their order. A card enrolled twice is there twice."""
        return [card.code for card in self.cards]

    def to_json(self) -> dict[str, Any]:
        """The profile as in a file."""
        return dict(to_json(self))


_SHAPE = Shape(DeckProfile, required=("version", "kind"))


def _sentence(fault: Fault) -> str:
    match fault.kind:
        case "missing":
            return f"{fault.where} is missing."
        case "unknown":
            return f"{fault.where} is not known in a deck's profile."
        case _:
            return f"{fault.where} is not {fault.wanted}."


DECKS = ProfileKind(
    kind="cards", parse=DeckProfile.from_json, folder="decks", package="calibration.cards"
)
