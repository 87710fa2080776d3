"""Which enrolled card each card of a photo is, with probabilities that can be trusted."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from calibration.cards.cutting import Corners, cut, turned
from calibration.cards.enrolling import whole
from calibration.cards.profile import DeckProfile
from calibration.fiducials import Picture
from vision.cards.describing import SIDE, Vectors, describe

TURNS = 4
SIZES = (0.9, 0.95, 1.05, 1.1)
"""Sizes of an outline, besides its own, that are tried."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trust:
    """How likeness becomes probability; ``lab.cards.training.fit_trust`` fits it."""

    margin: float
    likeness: float
    constant: float
    sharpness: float

    def p_right(self, best: Floats, margin: Floats) -> Floats:
        """How probable it is that the most alike card is the right one."""
        odds = self.constant + self.margin * margin + self.likeness * best
        return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


@cache
def shipped_trust() -> Trust:
    """The map that comes with the program."""
    data = files("vision.cards") / "data" / "trust.json"
    return Trust(**json.loads(data.read_text(encoding="utf-8")))


@dataclass(frozen=True, eq=False)
class Likeness:
    """How alike each card of a photo is to each code (cards, codes), and in which turn."""

    codes: list[str]
    alike: Floats
    turn: NDArray[np.intp]

    def joined(self, other: "Likeness", rows: NDArray[np.intp]) -> "Likeness":
        """This one with some of the other's cards after its own."""
        alike = np.concatenate([self.alike, other.alike[rows]])
        return Likeness(self.codes, alike, np.concatenate([self.turn, other.turn[rows]]))


class RecognisableDeck:
    """An enrolled deck, ready to recognise cards by."""

    def __init__(self, profile: DeckProfile) -> None:
        small = [cut(picture, whole(picture), (SIDE, SIDE)) for picture in profile.pictures]
        self._vectors: Vectors = describe(small)
        self._all = profile.codes
        self.codes = list(dict.fromkeys(profile.codes))

    def likeness(self, picture: Picture, found: Sequence[Corners]) -> Likeness:
        """How alike the cards with these corners are, whichever way they lie.

        A turn of one means that the card's own top left is one corner further on. An outline may
        be a little too wide or be that of a printed frame, so that some more are tried.
        """
        ways = [(one, turn) for one in range(len(found)) for turn in range(TURNS)]
        alike = self._each(picture, [turned(found[one], turn) for one, turn in ways])
        alike = alike.reshape(len(found), TURNS, -1)
        upright = alike.max(axis=2).argmax(axis=1)
        again = [
            (one, (int(upright[one]) + half) % TURNS, size)
            for one in range(len(found))
            for half in (0, 2)
            for size in SIZES
        ]
        more = self._each(picture, [turned(_sized(found[o], s), t) for o, t, s in again])
        for (one, turn, _), row in zip(again, more, strict=True):
            alike[one, turn] = np.maximum(alike[one, turn], row)
        return Likeness(self.codes, alike.max(axis=1), alike.argmax(axis=1))

    def _each(self, picture: Picture, found: Sequence[Corners]) -> Floats:
        """How alike outlines (N, codes) are, just as they lie."""
        vectors = describe([cut(picture, corners, (SIDE, SIDE)) for corners in found])
        each = (vectors @ self._vectors.T).astype(np.float64)
        alike = np.full((len(found), len(self.codes)), -1.0)
        for index, code in enumerate(self._all):
            at = self.codes.index(code)
            alike[:, at] = np.maximum(alike[:, at], each[:, index])
        return alike


def _sized(corners: Corners, size: float) -> Corners:
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * size)


def margins(alike: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """For each card the most alike code, its likeness, and how far the next one is behind."""
    first = alike.argmax(axis=1)
    best = alike.max(axis=1)
    others = alike.copy()
    others[np.arange(len(first)), first] = -1.0
    return first, best, best - others.max(axis=1)
