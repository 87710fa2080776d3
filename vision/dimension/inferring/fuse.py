"""Several photos of one untouched tray: one posterior, better than each.

Each photo's labels start where its view says. With a known tray they agree; where a tray's
measures were guessed, ring and slots may be turned against each other, each by itself. The turn
is the one under which the photos agree best.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import SEATS, rotate_seat
from rules.dimension.places import ALL_SEATS, RING, SLOTS
from vision.dimension.inferring.infer import Posterior, likeliest, weigh
from vision.dimension.inferring.occupancy import Occupancy, Witness, log_likelihood, search
from vision.dimension.inferring.prior import PRIOR, Prior
from vision.dimension.observing.seat_evidence import HIDDEN, PLAY_SET, STORAGE_SET, EvidenceSource

FloatArray = NDArray[np.float64]

TURNED_LOG = -12.0
"""Log-probability, against none, that labels of two photos of a tray are turned: a view found
with a profile is right about it nearly always, so only clear evidence may turn them."""

DISAGREE = 0.02
"""Two photos contradict each other about a seat that both see if they give less than this to
its being the same."""

_MOST_PARTS = 12
"""Shapes, and occupancies of storage, that each photo may propose."""


@dataclass(frozen=True)
class Turn:
    """How labels of one photo become those of another: steps of the ring, steps of the slots."""

    ring: int = 0
    slots: int = 0

    def seat(self, seat: str) -> str:
        """The label in the turned photo of what is ``seat`` in the first one."""
        if seat[0] == "S":
            return f"S{(int(seat[1]) + self.slots) % 5}{seat[2]}"
        return rotate_seat(seat, self.ring)

    @property
    def order(self) -> list[int]:
        """For each of all seats, its number in the turned photo."""
        return [ALL_SEATS.index(self.seat(seat)) for seat in ALL_SEATS]


@dataclass(frozen=True, eq=False)
class Fused:
    """What several photos tell together, in the labels of the first."""

    posterior: Posterior
    turns: tuple[Turn, ...]
    """How each photo's labels are turned against the first one's."""
    contradicted: tuple[str, ...]
    """Seats in play about which photos contradict each other; empty if nothing was moved."""


@dataclass(frozen=True, eq=False)
class Shot:
    """One photo of the tray: its observer, and what it tells by itself."""

    observer: EvidenceSource
    posterior: Posterior
    inventory: bool = True
    """Whether all of storage is in the picture."""


def fuse(shots: Sequence[Shot], known_tray: bool = True, prior: Prior = PRIOR) -> Fused:
    """What one or more photos of an untouched tray tell together."""
    first = shots[0].posterior
    turns = tuple(_turn(first, shot.posterior, known_tray) for shot in shots)
    witnesses = [_Turned(shot, turn) for shot, turn in zip(shots, turns, strict=True)]
    inventory = any(shot.inventory for shot in shots)
    seen = {seats: _together(witnesses, seats) for seats in _proposals(witnesses)}
    scores = {seats: log_likelihood(occupancy) for seats, occupancy in seen.items()}
    chosen = likeliest(scores, inventory, prior)
    posterior = weigh([seen[seats] for seats in chosen], inventory, prior)
    # Views that agree bear each other out; where they do not, a contradiction is reported.
    wrong = prod(1.0 - shot.posterior.view for shot in shots)
    posterior = replace(
        posterior,
        view=1.0 - wrong,
        tilt_deg=min(shot.posterior.tilt_deg for shot in shots),
        strain=posterior.strain / len(shots),
    )
    return Fused(posterior, turns, _contradictions(shots, turns))


class _Turned:
    """A photo that answers in the labels of the first one."""

    def __init__(self, shot: Shot, turn: Turn) -> None:
        self._witness = Witness(shot.observer, shot.inventory)
        self._order = turn.order

    def testimony(self, seats: int) -> Occupancy:
        """What this photo tells if these seats are occupied."""
        theirs = sum(1 << self._order[i] for i in range(len(ALL_SEATS)) if seats >> i & 1)
        told = self._witness.testimony(theirs)
        return Occupancy(seats, told.loglik[self._order], told.visible[self._order])

    def proposals(self) -> list[int]:
        """Sets of occupied seats that this photo holds possible, likeliest first."""
        ours = {theirs: i for i, theirs in enumerate(self._order)}
        found = search(self._witness)
        ranked = sorted(found, key=lambda seats: -found[seats])
        return [
            sum(1 << ours[i] for i in range(len(ALL_SEATS)) if seats >> i & 1) for seats in ranked
        ]


def _proposals(witnesses: Sequence[_Turned]) -> set[int]:
    """Every shape that some photo proposes, with every occupancy of storage that some does."""
    shapes: dict[int, None] = {}
    stores: dict[int, None] = {}
    for witness in witnesses:
        proposed = witness.proposals()
        shapes |= dict.fromkeys(list(dict.fromkeys(s & PLAY_SET for s in proposed))[:_MOST_PARTS])
        stores |= dict.fromkeys(
            list(dict.fromkeys(s & STORAGE_SET for s in proposed))[:_MOST_PARTS]
        )
    return {shape | stored for shape, stored in product(shapes, stores)}


def _together(witnesses: Sequence[_Turned], seats: int) -> Occupancy:
    """What all photos tell if these seats are occupied: their evidence adds up."""
    told = [witness.testimony(seats) for witness in witnesses]
    loglik = np.sum([one.loglik for one in told], axis=0)
    return Occupancy(seats, loglik, np.max([one.visible for one in told], axis=0))


def _turn(first: Posterior, other: Posterior, known_tray: bool) -> Turn:
    """The turn under which two photos agree best, none if in doubt."""
    if first is other:
        return Turn()
    against = TURNED_LOG if known_tray else 0.0
    agreement = {
        turn: _agreement(first, other, turn).sum() + (against if turn != Turn() else 0.0)
        for turn in (Turn(ring, slots) for ring, slots in product(range(RING), range(SLOTS)))
    }
    return max(agreement, key=lambda turn: agreement[turn])


def _agreement(first: Posterior, other: Posterior, turn: Turn) -> FloatArray:
    """Log-probability (29,) that each seat is the same in both."""
    same = (first.marginals * other.marginals[turn.order]).sum(axis=1)
    return np.asarray(np.log(np.maximum(same, 1e-6)), dtype=np.float64)


def contradicted(first: Posterior, other: Posterior, turn: Turn | None = None) -> tuple[str, ...]:
    """The seats in play that two photos, the second with turned labels, see differently.

    Storage is left out: spheres slide along their slots, and two photos may name their places
    differently without anything having been moved that counts.
    """
    turn = turn or Turn()
    both_see = (first.visible > HIDDEN) & (other.visible[turn.order] > HIDDEN)
    differ = both_see & (np.exp(_agreement(first, other, turn)) < DISAGREE)
    return tuple(seat for seat, differs in zip(SEATS, differ, strict=False) if differs)


def _contradictions(shots: Sequence[Shot], turns: Sequence[Turn]) -> tuple[str, ...]:
    """The seats in play that some photo sees differently from the first one."""
    first, *others = (shot.posterior for shot in shots)
    found = {
        seat
        for other, turn in zip(others, turns[1:], strict=True)
        for seat in contradicted(first, other, turn)
    }
    return tuple(seat for seat in SEATS if seat in found)
