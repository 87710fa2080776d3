"""What lies on each seat: evidence from the pixels in which a sphere there would be seen.

Twice over. First each place is judged by itself: a sphere or not, and which colour it seems. What
is clear then tells what the five colours look like under tonight's light, and beside them the
colour of each sphere is judged again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from calibration.camera import FloatArray, View
from calibration.profile import TrayProfile, seat_array, seat_positions
from rules.dimension.board import SEATS
from rules.dimension.layout import COLORS
from vision.classifier import Classifier, shipped
from vision.evidence import STATES
from vision.features import BODY, KINDS, Rows, context, features
from vision.looks import INSIDE, Flags, Picture, look
from vision.storage import (
    PLACES,
    SLOTS,
    along_slot,
    named_places,
    slot_candidates,
    spheres_in_slot,
)

SCANT = 0.02
"""A place of which less can be seen tells nothing."""


@dataclass(frozen=True, eq=False)
class Seen:
    """How likely what is seen of a place is, for each of ``STATES``, and how much is seen."""

    loglik: FloatArray
    visible: float


@dataclass(frozen=True)
class Tonight:
    """What the colours look like in this picture: sums over places, weighted by how sure each is.

    ``own[place]`` is what a place itself has put in, so that it can be left out again.
    """

    weight: FloatArray
    total: FloatArray
    own_weight: FloatArray
    own_color: FloatArray

    def beside(self, place: int) -> FloatArray:
        """Mean colour and weight (colours, 4) of each colour elsewhere on the tray."""
        weight = self.weight - self.own_weight[place]
        total = self.total - self.own_weight[place][:, None] * self.own_color[place]
        mean = total / np.maximum(weight, 1e-6)[:, None]
        return np.column_stack([mean, np.minimum(weight, 3.0)])


class Observer:
    """The evidence of one picture for the 29 seats of a tray seen in a known view."""

    def __init__(self, picture: Picture, view: View, profile: TrayProfile) -> None:
        self._single, self._beside = _models()
        self.profile = profile
        self.centres = _found_places(picture, view, profile, self._single)
        self.looks = look(picture, view, self.centres, profile.sphere_mm / 2)
        self._kinds = [name[0] for name in seat_positions(profile)]
        self._around = context(self.looks)
        self._known: dict[tuple[int, int], Seen] = {}
        self._tonight = self._first_impression()

    @property
    def order(self) -> Sequence[int]:
        """The seats by their distance from the camera, nearest first."""
        return [int(seat) for seat in self.looks.order]

    @property
    def may_hide(self) -> Sequence[int]:
        """For each seat, the set (a bit a seat) of those whose sphere could be in its way."""
        return self.looks.may_hide

    def evidence(self, seat: int, hidden_by: int) -> Seen:
        """The evidence for a seat if these others, of those that may hide it, hold spheres."""
        key = seat, hidden_by & self.looks.may_hide[seat]
        if key not in self._known:
            self._known[key] = self._evidence(*key)
        return self._known[key]

    def _evidence(self, seat: int, hidden_by: int) -> Seen:
        seen = self.looks.seen(seat, hidden_by)
        visible = float(seen[:, :INSIDE].mean())
        if visible < SCANT:
            return Seen(np.zeros(len(STATES)), visible)
        rows = self._rows([seat], seen[None])
        single = self._single.log_probabilities(rows)
        beside = self._beside.log_probabilities(
            beside_rows(rows, single, [self._tonight.beside(seat)])
        )
        prior = self._single.priors[KINDS.index(self._kinds[seat])]
        return Seen(_combined(single[0], beside[0]) - prior, visible)

    def _first_impression(self) -> Tonight:
        """The colours as they seem when each seat, nearest first, is judged by itself."""
        count = len(self._kinds)
        weights, colors = np.zeros((count, len(COLORS))), np.zeros((count, 3))
        occupied = 0
        for layer in self._layers():
            seen = np.array([self.looks.seen(seat, occupied) for seat in layer])
            rows = self._rows(layer, seen)
            chances = np.exp(self._single.log_probabilities(rows))
            visible = seen[:, :, :INSIDE].mean(axis=(1, 2))
            weights[layer], colors[layer] = chances[:, 1:] * visible[:, None], rows[:, BODY]
            for seat, empty, share in zip(layer, chances[:, 0], visible, strict=True):
                occupied |= (empty < 0.5 and share >= SCANT) << seat
        return tonight(weights, colors)

    def _layers(self) -> list[list[int]]:
        """The seats in groups, none of which hides another of its group or of one before."""
        depth = [0] * len(self._kinds)
        for seat in self.order:
            hiding = (j for j in range(len(depth)) if self.looks.may_hide[seat] >> j & 1)
            depth[seat] = 1 + max((depth[j] for j in hiding), default=-1)
        return [[s for s, d in enumerate(depth) if d == at] for at in range(max(depth) + 1)]

    def _rows(self, seats: Sequence[int], seen: Flags) -> Rows:
        return features(self.looks, seats, [self._kinds[s] for s in seats], seen, self._around)


def _combined(single: Rows, beside: Rows) -> FloatArray:
    """Log probabilities of all states: sphere or not by the first model, its colour by both."""
    return np.concatenate([single[:1], np.logaddexp.reduce(single[1:]) + beside]).astype(float)


def tonight(weights: FloatArray, colors: FloatArray) -> Tonight:
    """The colours of a picture from places (rows) that hold each colour with some weight."""
    return Tonight(weights.sum(axis=0), weights.T @ colors, weights, colors)


def beside_rows(rows: Rows, single: Rows, references: Sequence[FloatArray]) -> Rows:
    """Inputs of the second model: a place's own features, its first verdict, and the colours."""
    body = rows[:, BODY]
    known = np.stack(references)
    off = (body[:, None] - known[..., :3]) * (known[..., 3:] > 0.05)
    return np.concatenate(
        [rows[:, BODY.start :], single, off.reshape(len(rows), -1), known[..., 3]], axis=1
    ).astype(np.float32)


@cache
def _models() -> tuple[Classifier, Classifier]:
    return shipped("single"), shipped("beside")


def _found_places(
    picture: Picture, view: View, profile: TrayProfile, single: Classifier
) -> FloatArray:
    """Places (29, 3) of all seats, storage spheres where they were found along their slots."""
    seats = seat_array(profile)
    candidates = slot_candidates(profile)
    tried = candidates.reshape(-1, 3)
    radius = profile.sphere_mm / 2
    around = context(look(picture, view, seats, radius, hiding=False))
    looks = look(picture, view, tried, radius, hiding=False)
    rows = features(looks, range(len(tried)), "S" * len(tried), looks.inside, around)
    chances = single.log_probabilities(rows)
    odds = (np.logaddexp.reduce(chances[:, 1:], axis=1) - chances[:, 0]).reshape(SLOTS, -1)
    places = seats.copy()
    for slot in range(SLOTS):
        for name, at in named_places(spheres_in_slot(odds[slot], profile)).items():
            places[len(SEATS) + slot * PLACES + name] = along_slot(profile, slot, at)
    return places
