"""What lies on each seat: evidence from the pixels in which a sphere there would be seen.

Twice over. First each place is judged by itself: a sphere or not, and which colour it seems. What
is clear then tells what the five colours look like under tonight's light, and beside them the
colour of each sphere is judged again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray, View
from calibration.dimension.geometry import seat_array, seat_positions
from calibration.dimension.profile import TrayProfile
from rules.dimension.board import SEATS
from rules.dimension.places import SLOT_PLACES, SLOTS
from vision.classifier import Classifier
from vision.dimension.observing.features import BODY, KINDS, Rows, context, features
from vision.dimension.observing.outline_samples import Picture, Plate, look
from vision.dimension.observing.seat_evidence import Question, set_of
from vision.dimension.observing.slots import (
    along_slot,
    named_places,
    slot_candidates,
    spheres_in_slot,
)

SCANT = 0.01
"""Places with a smaller visible share tell nothing."""


@dataclass(frozen=True, eq=False)
class PlaceEvidence:
    """Log-likelihood of a place's pixels for each of ``STATES``, and its visible share."""

    loglik: FloatArray
    visible: float


@dataclass(frozen=True)
class Tonight:
    """What the colours look like in this picture: sums over places, weighted by how sure each is.

    ``own[place]`` is what a place itself contributes, so that it can be left out.
    """

    weight: FloatArray
    total: FloatArray
    own_weight: FloatArray
    own_color: FloatArray

    def beside(self) -> FloatArray:
        """For each place, mean colour and weight (places, colours, 11) of each colour elsewhere."""
        weight = (self.weight - self.own_weight)[..., None]
        total = self.total - self.own_weight[..., None] * self.own_color[:, None]
        mean = total / np.maximum(weight, 1e-6)
        return np.concatenate([mean, np.minimum(weight, 3.0)], axis=-1)


@dataclass(frozen=True)
class Impressions:
    """What places seem to hold, each by itself, given what hides them."""

    rows: Rows
    single: Rows
    """Log-probabilities by the first model."""
    visible: FloatArray

    def put(self, places: Sequence[int], others: "Impressions") -> None:
        """Replace what some of the places seem to hold."""
        for ours, theirs in (
            (self.rows, others.rows),
            (self.single, others.single),
            (self.visible, others.visible),
        ):
            ours[places] = theirs

    @property
    def occupied(self) -> int:
        """The set of places that seem to hold a sphere."""
        there = (self.single[:, 0] < np.log(0.5)) & (self.visible >= SCANT)
        return set_of(there)

    def tonight(self) -> "Tonight":
        """What the colours look like, by what the places seem to hold."""
        weights = np.exp(self.single[:, 1:].astype(float)) * self.visible[:, None]
        return tonight(weights, self.rows[:, BODY].astype(float))


@dataclass(frozen=True, eq=False)
class RoughLook:
    """Where spheres seem to be in a picture, before each seat is judged in detail.

    ``centres`` (29, 3) of all seats: spheres in storage are where they were found along their
    slots. ``occupied`` is the set of seats that seem to be.
    """

    plate: Plate
    centres: FloatArray
    occupied: int

    @property
    def filled(self) -> NDArray[np.bool_]:
        """The seats that seem to be occupied, as flags (29,)."""
        return np.array([bool(self.occupied >> seat & 1) for seat in range(len(self.centres))])


class Observer:
    """The evidence of one picture for the 29 seats of a tray seen in a known view.

    ``found`` is the rough look, if it was taken already.
    """

    def __init__(
        self, picture: Picture, view: View, profile: TrayProfile, found: RoughLook | None = None
    ) -> None:
        self._single, self._beside = _models()
        self.profile = profile
        found = found or find(picture, view, profile)
        self.centres = found.centres
        self.looks = look(found.plate, view, self.centres, profile.sphere_radius_mm)
        self._kinds = [name[0] for name in seat_positions(profile)]
        self._around = context(self.looks)
        self._known: dict[Question, PlaceEvidence] = {}
        self._learn(found.occupied)

    @property
    def order(self) -> Sequence[int]:
        """The seats, nearest to the camera first."""
        return [int(seat) for seat in self.looks.order]

    @property
    def may_hide(self) -> Sequence[int]:
        """For each seat, the set (one bit per seat) of those whose spheres could hide it."""
        return self.looks.may_hide

    @property
    def expected(self) -> int:
        """The seats that seem occupied when each is judged by itself."""
        return self._expected

    def evidence(self, questions: Sequence[Question]) -> list[PlaceEvidence]:
        """The evidence of each seat if just these of the seats that may hide it hold spheres."""
        hide = self.looks.may_hide
        keys = [(seat, hidden_by & hide[seat]) for seat, hidden_by in questions]
        new = list(dict.fromkeys(key for key in keys if key not in self._known))
        if new:
            self._judge(new, self._impressions(new))
        return [self._known[key] for key in keys]

    def _learn(self, guess: int) -> None:
        """Learn what the colours look like when each seat, nearest first, is judged by itself.

        A seat depends on the nearer ones only. So instead of going from seat to seat, all are
        judged at once as if those of the guess were occupied; then those again, together, of
        which that was not true, until it is true of all.
        """
        hide = self.looks.may_hide
        keys = [(seat, guess & hiding) for seat, hiding in enumerate(hide)]
        first = self._impressions(keys)
        stale = keys
        while stale:
            occupied = first.occupied
            now = [(seat, occupied & hiding) for seat, hiding in enumerate(hide)]
            stale = [key for key, assumed in zip(now, keys, strict=True) if key != assumed]
            keys = now
            if stale:
                first.put([seat for seat, _ in stale], self._impressions(stale))
        self._expected = first.occupied
        self._colors = first.tonight().beside()
        self._judge(keys, first)

    def _impressions(self, keys: Sequence[Question]) -> Impressions:
        seats = [seat for seat, _ in keys]
        seen = self.looks.seen(seats, [hidden_by for _, hidden_by in keys])
        kinds = [self._kinds[seat] for seat in seats]
        rows = features(self.looks, seats, kinds, seen, self._around)
        return Impressions(rows, self._single.log_probabilities(rows), seen.visible)

    def _judge(self, keys: Sequence[Question], seem: Impressions) -> None:
        """Keep the evidence of these places, with colours judged against the other places."""
        seats = [seat for seat, _ in keys]
        inputs = beside_rows(seem.rows, seem.single, self._colors[seats])
        beside = self._beside.log_probabilities(inputs)
        prior = self._single.priors[[KINDS.index(self._kinds[seat]) for seat in seats]]
        loglik = _combined(seem.single, beside) - prior
        loglik[seem.visible < SCANT] = 0.0
        for key, row, visible in zip(keys, loglik, seem.visible.tolist(), strict=True):
            self._known[key] = PlaceEvidence(row, visible)


def _combined(single: Rows, beside: Rows) -> FloatArray:
    """Log probabilities of all states: sphere or not by the first model, its colour by both."""
    there = np.logaddexp.reduce(single[:, 1:], axis=1, keepdims=True)
    return np.concatenate([single[:, :1], there + beside], axis=1).astype(float)


def tonight(weights: FloatArray, colors: FloatArray) -> Tonight:
    """The colours of a picture from places (rows) that hold each colour with some weight."""
    return Tonight(weights.sum(axis=0), weights.T @ colors, weights, colors)


def beside_rows(rows: Rows, single: Rows, known: FloatArray) -> Rows:
    """Inputs of the second model: a place's own features, its first verdict, and the colours.

    ``known`` is what ``Tonight.beside`` tells of each place.
    """
    off = (rows[:, None, BODY] - known[..., :-1]) * (known[..., -1:] > 0.05)
    return np.concatenate(
        [rows[:, BODY.start :], single, off.reshape(len(rows), -1), known[..., -1]],
        axis=1,
        dtype=np.float32,
        casting="same_kind",
    )


def trained(name: str) -> Classifier:
    """The trained classifier that comes with the program: ``single`` or ``beside``."""
    with (files("vision.dimension") / "data" / "observe.npz").open("rb") as file:
        return Classifier.load(file, name)


@cache
def _models() -> tuple[Classifier, Classifier]:
    return trained("single"), trained("beside")


def find(picture: Picture, view: View, profile: TrayProfile) -> RoughLook:
    """A rough look at all seats; storage is searched past what seems to lie in play.

    Spheres in storage hide nothing here.
    """
    single, _ = _models()
    plate = Plate.of(picture, view, profile.sphere_radius_mm)
    seats, candidates, play = seat_array(profile), slot_candidates(profile), len(SEATS)
    tried = np.concatenate([seats, candidates.reshape(-1, 3)])
    looks = look(plate, view, tried, profile.sphere_radius_mm, hiders=play)
    around = context(looks.only(slice(len(seats))))

    def odds(asked: Sequence[int], kinds: Sequence[str], occupied: int) -> FloatArray:
        """Log odds that a place holds a sphere, past those that are occupied."""
        seen = looks.seen(asked, [occupied] * len(asked))
        told = single.log_probabilities(features(looks, asked, kinds, seen, around))
        found = np.logaddexp.reduce(told[:, 1:], axis=1) - told[:, 0]
        return np.where(seen.visible < SCANT, 0.0, found)

    in_play, kinds = range(play), [name[0] for name in SEATS]
    occupied = set_of(odds(in_play, kinds, 0) > 0)
    occupied = set_of(odds(in_play, kinds, occupied) > 0)
    stored = range(len(seats), len(tried))
    slots = odds(stored, ["S"] * len(stored), occupied).reshape(SLOTS, -1)
    places, there = seats.copy(), np.zeros(len(seats), bool)
    for slot, slot_odds in enumerate(slots):
        found = spheres_in_slot(slot_odds, profile)
        for rank, (name, at) in enumerate(named_places(found).items()):
            place = play + slot * SLOT_PLACES + name
            places[place], there[place] = along_slot(profile, slot, at), rank < len(found)
    return RoughLook(plate, places, occupied | set_of(there))
