"""Observers without pictures: they know the tray and tell of it, clearly or not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rules.dimension.layout import Layout
from rules.dimension.places import ALL_SEATS
from vision.dimension.observing.seat_evidence import STATES, Question

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Told:
    loglik: FloatArray
    visible: float


@dataclass
class Synthetic:
    """Tells what it was told to, whatever covers a seat; ``covers`` hide seats if occupied."""

    loglik: FloatArray
    covers: dict[int, int] = field(default_factory=dict)
    sequence: Sequence[int] = tuple(reversed(range(len(ALL_SEATS))))
    guess: int = 0
    asked: int = 0
    times_asked: int = 0

    @property
    def order(self) -> Sequence[int]:
        return self.sequence

    @property
    def may_hide(self) -> Sequence[int]:
        return _covers(tuple(self.covers.items()))

    @property
    def expected(self) -> int:
        return self.guess

    def evidence(self, questions: Sequence[Question]) -> list[Told]:
        self.asked += len(questions)
        self.times_asked += 1
        return [self._told(seat, hidden_by) for seat, hidden_by in questions]

    def _told(self, seat: int, hidden_by: int) -> Told:
        cover = self.covers.get(seat, 0)
        if cover and hidden_by == cover:
            return Told(np.zeros(len(STATES)), 0.0)
        return Told(self.loglik[seat], 1.0)


@cache
def _covers(pairs: tuple[tuple[int, int], ...]) -> list[int]:
    return [dict(pairs).get(seat, 0) for seat in range(len(ALL_SEATS))]


def letters(layout: str, stored: dict[str, str]) -> str:
    """The states of all 29 seats."""
    cells = dict(zip(ALL_SEATS, Layout.parse(layout).cells, strict=False)) | stored
    return "".join(cells.get(seat, ".") for seat in ALL_SEATS)


def clear(states: str, nats: float = 8.0) -> FloatArray:
    """Evidence (29, 6) that is right everywhere, by so many nats."""
    table = np.full((len(ALL_SEATS), len(STATES)), -nats)
    for seat, state in enumerate(states):
        table[seat, STATES.index(state)] = 0.0
    return table


def blind(table: FloatArray, *seats: str) -> FloatArray:
    """The evidence without these seats' pixels."""
    table = table.copy()
    for seat in seats:
        table[ALL_SEATS.index(seat)] = 0.0
    return table


def bits(*seats: str) -> int:
    """The set of these seats among all 29."""
    return sum(1 << ALL_SEATS.index(seat) for seat in seats)
