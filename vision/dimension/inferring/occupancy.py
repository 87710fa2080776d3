"""Which seats may be occupied: a search from the nearest seat to the farthest.

What is seen of a seat depends only on the spheres before it, so seats are decided front to back:
each hypothesis so far asks for the evidence of the next seat under exactly its own covers.
Hypotheses that no legal shape can complete are dropped at once.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import shapes
from rules.dimension.layout import COLORS
from rules.dimension.places import ALL_SEATS, PLAY
from vision.dimension.observing.seat_evidence import (
    HIDDEN,
    PLAY_SET,
    STATES,
    EvidenceSource,
    Question,
)

FloatArray = NDArray[np.float64]

MOST_HYPOTHESES = 256
"""Room for eight wholly hidden places, each of which doubles the hypotheses."""

FARTHEST = 10.0
"""Hypotheses this far (in nats) behind the best so far are dropped. On 35 photos 16 gave the same
layouts and probabilities within 0.001, and asked half as many questions more; 6 lost layouts."""

MOST_DOUBTS = 1
"""Doubtful seats for which every combination is asked in advance."""

ASTRAY = 1e-4
"""Probability that the pixels of a sphere in full view are not its own (a reflection, a crumb)."""

SLIVER_ASTRAY, SLIVER = 0.3, 0.08
"""The same for a sphere of which next to nothing is seen, and the visible share over which it
falls off: where a crescent is as wide as views are wrong, a pixel or two."""

_SHAPES = np.array(shapes())


@dataclass(frozen=True, eq=False)
class Occupancy:
    """A set of occupied seats, and what is seen of each seat then."""

    seats: int
    """The occupied seats, one bit each in the order of ``ALL_SEATS``."""
    loglik: FloatArray
    """Log-likelihoods (29, 6) of every seat's states."""
    visible: FloatArray
    """Visible share (29,) of a sphere on each seat."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """The evidence of one seat's pixels, and the share of the seat that is seen."""

    loglik: FloatArray
    visible: float


def believed(loglik: FloatArray, visible: FloatArray) -> FloatArray:
    """Log-likelihoods (n, 6), allowing that some pixels belong to something else than the seat.

    Those pixels tell nothing: their likelihood is the same for every state.
    """
    astray = (ASTRAY + SLIVER_ASTRAY * np.exp(-visible / SLIVER))[:, None]
    return np.asarray(np.logaddexp(np.log1p(-astray) + loglik, np.log(astray)))


class Witness:
    """Asks an evidence source every question once; may leave unseen storage out."""

    def __init__(self, observer: EvidenceSource, inventory: bool) -> None:
        self.observer = observer
        self._inventory = inventory
        self._hide = tuple(observer.may_hide)
        self._known: dict[Question, Sighting] = {}

    def ask(self, questions: Iterable[Question]) -> None:
        """Ask all that is not known yet at once; ``evidence`` has the answers."""
        keys = {(seat, occupied & self._hide[seat]) for seat, occupied in questions}
        new = sorted(keys - self._known.keys())
        if not new:
            return
        told = self.observer.evidence(new)
        visible = [one.visible for one in told]
        loglik = believed(np.array([one.loglik for one in told]), np.array(visible))
        self._known |= zip(new, map(Sighting, loglik, visible), strict=True)

    def knows(self, seat: int, occupied: int) -> bool:
        """Whether the answer is known already."""
        return (seat, occupied & self._hide[seat]) in self._known

    def evidence(self, seat: int, occupied: int) -> Sighting:
        """The evidence of a seat's pixels if these seats are occupied."""
        key = (seat, occupied & self._hide[seat])
        if key not in self._known:
            self.ask([key])
        return self._known[key]

    def left_out(self, seat: int, occupied: int) -> bool:
        """Whether a place in storage cannot be seen and nothing can be concluded about it."""
        if self._inventory or seat < PLAY:
            return False
        return self.evidence(seat, occupied).visible < HIDDEN

    def testimony(self, occupied: int) -> Occupancy:
        """All that is seen if exactly these seats are occupied."""
        self.ask((seat, occupied) for seat in range(len(ALL_SEATS)))
        loglik = np.zeros((len(ALL_SEATS), len(STATES)))
        visible = np.zeros(len(ALL_SEATS))
        for seat in range(len(ALL_SEATS)):
            evidence = self.evidence(seat, occupied)
            visible[seat] = evidence.visible
            if not self.left_out(seat, occupied):
                loglik[seat] = evidence.loglik
        return Occupancy(occupied, loglik, visible)


def search(witness: Witness, prices: FloatArray | None = None) -> dict[int, float]:
    """The sets of occupied seats that the evidence leaves possible, with log-likelihoods.

    Counts of colours are left aside, but colours (5,) may have prices, in nats a sphere.
    """
    clerk = _Clerk(witness, np.zeros(len(COLORS)) if prices is None else prices)
    hypotheses: dict[int, float] = {0: 0.0}
    decided, order = 0, witness.observer.order
    doubts = clerk.doubts()
    for turn, seat in enumerate(order):
        if not all(witness.knows(seat, occupied) for occupied in hypotheses):
            _look_ahead(witness, order[turn:], hypotheses, doubts)
        decided |= 1 << seat if seat < PLAY else 0
        possible = set((_SHAPES & decided).tolist())
        grown: dict[int, float] = {}
        for occupied, so_far in hypotheses.items():
            empty, filled = clerk.either(seat, occupied)
            for now, gain in ((occupied, empty), (occupied | 1 << seat, filled)):
                if now & PLAY_SET & decided in possible:
                    grown[now] = so_far + gain
        hypotheses = _best(grown)
    return hypotheses


def _look_ahead(
    witness: Witness, seats: Sequence[int], hypotheses: Collection[int], doubts: Sequence[int]
) -> None:
    """Ask about all seats that are left, as if they held what they are expected to hold.

    Where it is in doubt whether they do, ask about both; about more doubts than a few at once the
    search will ask once it knows which of them matter.
    """
    left = sum(1 << seat for seat in seats)
    expected, hide = left & witness.observer.expected, witness.observer.may_hide
    questions: set[Question] = set()
    for seat in seats:
        covers = {(occupied | expected) & hide[seat] for occupied in hypotheses}
        for doubt in [bit for bit in doubts if bit & left & hide[seat]][:MOST_DOUBTS]:
            covers |= {cover ^ doubt for cover in covers}
        questions.update((seat, cover) for cover in covers)
    witness.ask(questions)


def log_likelihood(occupancy: Occupancy) -> float:
    """The log-likelihood of an occupancy if its spheres may be of any colour."""
    filled = np.array([occupancy.seats >> i & 1 for i in range(len(ALL_SEATS))], dtype=bool)
    colored = np.logaddexp.reduce(occupancy.loglik[:, 1:], axis=1) - np.log(len(COLORS))
    return float(np.where(filled, colored, occupancy.loglik[:, 0]).sum())


class _Clerk:
    """Sums a witness's evidence over colours at given prices, once for each question."""

    def __init__(self, witness: Witness, prices: FloatArray) -> None:
        self._witness = witness
        self._off = prices + np.log(len(COLORS))
        self._known: dict[tuple[int, int], tuple[float, float]] = {}

    def either(self, seat: int, occupied: int) -> tuple[float, float]:
        """Log-likelihood of a seat's being empty, and filled with any colour."""
        key = (seat, occupied & self._witness.observer.may_hide[seat])
        if key not in self._known:
            loglik = self._witness.evidence(seat, occupied).loglik
            filled = float(np.logaddexp.reduce(loglik[1:] - self._off))
            left_out = self._witness.left_out(seat, occupied)
            self._known[key] = (0.0, -np.inf) if left_out else (float(loglik[0]), filled)
        return self._known[key]

    def doubts(self) -> list[int]:
        """The seats (as sets of one) that may or may not hold a sphere, least sure first."""
        observer = self._witness.observer
        seats = range(len(ALL_SEATS))
        self._witness.ask((seat, observer.expected) for seat in seats)
        gaps = {seat: abs(np.subtract(*self.either(seat, observer.expected))) for seat in seats}
        doubtful = [seat for seat in seats if gaps[seat] < FARTHEST]
        return [1 << seat for seat in sorted(doubtful, key=lambda seat: gaps[seat])]


def _best(hypotheses: dict[int, float]) -> dict[int, float]:
    ranked = sorted(hypotheses.items(), key=lambda entry: -entry[1])[:MOST_HYPOTHESES]
    return {seats: gain for seats, gain in ranked if gain > ranked[0][1] - FARTHEST}
