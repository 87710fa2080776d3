"""Peaks matched to a tray: how well a view explains them, and which peak is which seat.

Spheres are matched to the 29 seats, holes to holes, slots to slots. Spheres may have slid along
their slot, so a stored one is matched to the place on the slot's line that is nearest to it.
"""

from dataclasses import dataclass
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.dimension.geometry import seat_array, slot_axis
from calibration.dimension.profile import TrayProfile
from calibration.ellipses import Array, Eyes, Rounds
from calibration.pose import Match
from rules.dimension.places import ALL_SEATS, HOLES, PLAY, SLOT_PLACES, SLOTS, STORAGE
from vision.dimension.locating.detector import Detections, Peaks
from vision.dimension.locating.hypotheses import Candidate, leading

Indices = NDArray[np.int64]

ABOVE = 0.9
"""A peak explained by a seat above level one counts a little less: there are seven such seats
between the others, and anything in the middle is near one of them."""
BLUNT, SHARP = 0.35, 0.2
"""How near a peak must be to what explains it, in radii of a sphere: before and after fitting."""
SLOT_WIDTH = 1.5
"""Middles of slots are seen less exactly than spheres and holes, by this factor."""
WITHIN = 1.12
"""A sphere or hole this near the centre, in slot radii, must be explained by a seat."""
NEAR = 1.9
"""Nothing farther from the centre, in slot radii, has to do with the tray."""
SLOT_MUST = 0.5
"""Weight with which a slot that points to the tray's centre speaks against a view that has no slot
there. Slots are now and then seen where none are, so it is less than a sphere's."""
NEARLY_ALL_HOLES, HALF_OF_SPHERES = 6, 8
FAINT = 0.35
"""Fainter peaks speak for a view but are not fitted to: some are of nothing."""
TWO_SEATS = 0.25
"""A peak that is so much nearer to one seat than to the next, in radii, is surely of that one."""


@dataclass(frozen=True)
class TrayPeaks:
    """The peaks that may belong to one tray, and which of them it has to explain."""

    spheres: Peaks
    holes: Peaks
    slots: Peaks
    must: Array
    """Weight (spheres + holes + slots,) with which a peak speaks against a view if unexplained."""

    @classmethod
    def of(cls, seen: Detections, candidate: Candidate) -> "TrayPeaks":
        """The peaks around a candidate."""
        spheres, spheres_must = _around(seen.spheres, candidate)
        holes, holes_must = _around(seen.holes, candidate)
        slots, slots_must = _around(seen.slots, candidate, _slots_must(seen, candidate))
        return cls(spheres, holes, slots, np.concatenate([spheres_must, holes_must, slots_must]))

    @property
    def strength(self) -> Array:
        """Strength of all peaks: spheres, holes, slots."""
        parts = (self.spheres.strength, self.holes.strength, self.slots.strength)
        return np.concatenate(parts)


@dataclass(frozen=True)
class Matched:
    """Which seat and hole each peak is: indices, −1 for none, and places on the tray."""

    seats: Indices
    """Seat (of 29) of each sphere peak."""
    places: Array
    """(spheres, 3): where on the tray that sphere's centre is."""
    holes: Indices
    slots: Indices
    astray: float
    """Mean distance of matched spheres and holes from their places, in radii; 1 without any."""

    def same_as(self, other: "Matched") -> bool:
        """Whether the same peaks are taken for the same things."""
        pairs = zip(self._kinds, other._kinds, strict=True)
        return all(np.array_equal(one, another) for one, another in pairs)

    @property
    def _kinds(self) -> tuple[Indices, Indices, Indices]:
        return self.seats, self.holes, self.slots

    @property
    def count(self) -> int:
        """Number of spheres and holes matched."""
        return int((self.seats >= 0).sum() + (self.holes >= 0).sum())

    @property
    def above(self) -> Array:
        """Where (n, 3) spheres lie upon others."""
        return self.places[(self.seats >= HOLES) & (self.seats < PLAY)]

    def rounds(self, profile: TrayProfile) -> Rounds:
        """The matched spheres and holes as round things of the tray."""
        spheres = self.places[self.seats >= 0]
        holes = hole_places(profile)[self.holes[self.holes >= 0]]
        radii = [profile.sphere_radius_mm] * len(spheres) + [profile.hole_mm / 2] * len(holes)
        flat = [0.0] * len(spheres) + [1.0] * len(holes)
        return Rounds(np.concatenate([spheres, holes]), np.array(radii), np.array(flat))


@cache
def hole_places(profile: TrayProfile) -> Array:
    """Middles (7, 3) of the holes on the face."""
    return np.asarray(seat_array(profile)[:HOLES] * np.array([1.0, 1.0, 0.0]))


@cache
def slot_places(profile: TrayProfile) -> Array:
    """Middles (5, 3) of the slots on the face."""
    return np.array([(*slot_axis(profile, slot)[0], 0.0) for slot in range(SLOTS)])


@cache
def _pattern(profile: TrayProfile) -> Array:
    """Places (41, 3) on the tray of 29 spheres' centres, 7 holes, 5 slots."""
    return np.concatenate([seat_array(profile), hole_places(profile), slot_places(profile)])


def pattern_in_view(eyes: Eyes, profile: TrayProfile) -> tuple[Array, Array]:
    """Pixels (batch, 41, 2) of the pattern, and the radius (batch,) of a sphere at the centre.

    Middles of outlines are taken to be where centres are: that is a hundredth of a sphere off.
    """
    u, v, radius = _pattern_pixels(eyes, profile)
    return np.stack([u.T, v.T], axis=-1), radius


def _pattern_pixels(eyes: Eyes, profile: TrayProfile) -> tuple[Array, Array, Array]:
    """As ``pattern_in_view``, columns and rows apart and places first: (41, batch) each."""
    count = len(eyes.focal)
    turned = _pattern(profile) @ eyes.rotation.reshape(-1, 3).T  # one product for all views
    x, y, z = turned.reshape(-1, count, 3).transpose(2, 0, 1) + eyes.translation.T[:, None]
    depth = 1 / np.maximum(z, 1.0)
    x, y = x * depth, y * depth
    stretch = eyes.focal * (1 + eyes.k1 * (x * x + y * y))
    radius = eyes.focal * profile.sphere_radius_mm / np.maximum(eyes.translation[:, 2], 1.0)
    across, down = eyes.principal
    return x * stretch + across, y * stretch + down, np.maximum(radius, 1.0)


def judge(eyes: Eyes, own: TrayPeaks, profile: TrayProfile, width: float = BLUNT) -> Array:
    """How well each view (batch,) explains the peaks: what it explains less what it does not."""
    *pixels, unit = _pattern_pixels(eyes, profile)
    places = np.stack(pixels)
    seats, holes, slots = np.split(places, [len(ALL_SEATS), len(ALL_SEATS) + HOLES], axis=1)
    near = np.concatenate(
        [
            _nearness(own.spheres.uv, seats, width * unit, _handicap()),
            _nearness(own.holes.uv, holes, width * unit),
            _nearness(own.slots.uv, slots, SLOT_WIDTH * width * unit),
        ],
        axis=1,
    )
    told: Array = near @ ((1 + 0.5 * own.must) * own.strength)
    return told - float(0.5 * (own.must * own.strength).sum())


@cache
def _handicap() -> Array:
    """By how much a seat above level one must be nearer, as ``_nearness`` takes it: (29, 1)."""
    handicap = np.zeros((len(ALL_SEATS), 1))
    handicap[HOLES:PLAY] = -2 * log(ABOVE)
    return handicap


def _nearness(uv: Array, places: Array, width: Array, handicap: Array | float = 0.0) -> Array:
    """How well each peak (batch, n) is explained by the best of places (2, m, batch).

    It is 1 where a place is just there. ``width`` (batch,) is in pixels, ``handicap`` a square
    distance in widths by which places are farther than they are.
    """
    if not len(uv):
        return np.empty((len(width), 0))
    # One product of matrices gives all square distances; an origin nearby keeps floats exact.
    origin = uv.mean(axis=0)
    x, y = (places - origin[:, None, None]).astype(np.float32)
    u, v = (uv - origin).astype(np.float32).T
    own = np.empty((*x.shape, 4), np.float32)
    own[..., 0], own[..., 1], own[..., 3] = x, y, 1.0
    own[..., 2] = x * x + y * y + handicap * width**2
    peaks = np.stack([-2 * u, -2 * v, np.ones_like(u), u * u + v * v])
    square = (own.reshape(-1, 4) @ peaks).reshape(*x.shape, len(uv))
    nearest = np.maximum(square.min(axis=0), 0.0)
    return np.asarray(np.exp(nearest * (-0.5 / width[:, None] ** 2)))


def match(view: View, own: TrayPeaks, profile: TrayProfile, reach: float) -> Matched:
    """Peaks matched one to one with seats that are within ``reach`` radii."""
    spheres, holes, slots = (part[0] for part in _distances(Eyes.of(view), own, profile))
    if len(own.spheres):
        spheres[:, PLAY:], slid = _along_slots(view, own.spheres.uv, profile)
    else:
        slid = np.empty((0, len(STORAGE), 3))
    spheres[own.spheres.strength < FAINT] = np.inf
    holes[own.holes.strength < FAINT] = np.inf
    seats, rims = _one_to_one(spheres, reach, TWO_SEATS), _one_to_one(holes, reach, 0.0)
    _settle(seats, rims, own)
    places = seat_array(profile)[np.maximum(seats, 0)].copy()
    stored = np.nonzero(seats >= PLAY)[0]
    places[stored] = slid[stored, seats[stored] - PLAY]
    astray = [*_at(spheres, seats), *_at(holes, rims)]
    return Matched(
        seats,
        places,
        rims,
        _one_to_one(slots, 1.5 * reach, 0.0),
        float(np.mean(astray)) if astray else 1.0,
    )


def _at(distances: Array, chosen: Indices) -> Array:
    """The distances of the rows that have a column chosen."""
    rows = np.nonzero(chosen >= 0)[0]
    return np.asarray(distances[rows, chosen[rows]])


def _settle(seats: Indices, rims: Indices, own: TrayPeaks) -> None:
    """Where both a hole and a sphere in it are seen, keep the clearer one.

    On a tray whose holes are all empty either all spheres are in the slots or none: a few are the
    round ends of empty slots.
    """
    for sphere, hole in zip(*np.nonzero((seats[:, None] == rims) & (rims >= 0)), strict=True):
        if own.spheres.strength[sphere] < own.holes.strength[hole]:
            seats[sphere] = -1
        else:
            rims[hole] = -1
    if (rims >= 0).sum() >= NEARLY_ALL_HOLES and (seats >= 0).sum() < HALF_OF_SPHERES:
        seats[:] = -1


def fit_matches(
    own: TrayPeaks, matched: Matched, profile: TrayProfile, candidate: Candidate, radius_px: float
) -> list[Match]:
    """The matches as ``calibration.pose`` takes them."""
    exact = max(1.0, 0.1 * radius_px)
    found = []
    for seat, place, uv in zip(matched.seats, matched.places, own.spheres.uv, strict=True):
        if seat >= 0:
            found.append(_match(place, uv, profile.sphere_radius_mm, False, exact))
    for hole, uv in zip(matched.holes, own.holes.uv, strict=True):
        if hole >= 0:
            place = hole_places(profile)[hole]
            found.append(_match(place, uv, profile.hole_mm / 2, True, exact))
    for slot, uv in zip(matched.slots, own.slots.uv, strict=True):
        if slot >= 0:
            found.append(_match(slot_places(profile)[slot], uv, 0.0, False, 2 * exact))
    found.append(_match(np.zeros(3), candidate.centre, 0.0, False, 2 * exact))
    return found


def _match(place: Array, uv: Array, radius: float, flat: bool, sigma: float) -> Match:
    x, y, z = place.tolist()
    u, v = uv.tolist()
    return Match((x, y, z), (u, v), radius, flat, sigma)


def _slots_must(seen: Detections, candidate: Candidate) -> Array:
    return np.where(leading(seen, candidate), SLOT_MUST, 0.0)


def _around(peaks: Peaks, candidate: Candidate, must: Array | None = None) -> tuple[Peaks, Array]:
    """The peaks near a candidate and their ``must``: if none is given, 1 for those on the tray."""
    flat = np.linalg.solve(candidate.face, (peaks.uv - candidate.centre).T).T
    away = np.linalg.norm(flat, axis=1)
    near = away < NEAR
    must = (away < WITHIN).astype(np.float64) if must is None else must
    return Peaks(peaks.uv[near], peaks.strength[near]), must[near]


def _distances(eyes: Eyes, own: TrayPeaks, profile: TrayProfile) -> tuple[Array, Array, Array]:
    """Distances in radii of a sphere: peaks to seats, to holes, to slots, each (batch, n, m)."""
    pixels, unit = pattern_in_view(eyes, profile)
    seats, holes, slots = np.split(pixels, [len(ALL_SEATS), len(ALL_SEATS) + HOLES], axis=1)
    return (
        _apart(own.spheres.uv, seats, unit),
        _apart(own.holes.uv, holes, unit),
        _apart(own.slots.uv, slots, unit),
    )


def _apart(uv: Array, places: Array, unit: Array) -> Array:
    """Distances (batch, n, m) of pixels (n, 2) and (batch, m, 2) in a unit (batch,)."""
    # Squares expanded keep the large arrays to one; an origin nearby keeps them exact.
    origin = places[:, :1]
    one, other = uv[None] - origin, places - origin
    square = (one**2).sum(-1)[:, :, None] + (other**2).sum(-1)[:, None] - 2 * one @ other.mT
    return np.asarray(np.sqrt(np.maximum(square, 0.0)) / unit[:, None, None])


def _along_slots(view: View, uv: Array, profile: TrayProfile) -> tuple[Array, Array]:
    """Distance (n, 15) in radii of peaks from stored spheres that may slide, and where those are.

    The sphere that would be seen at a peak, at the height of stored ones, is moved onto the
    slot's line, no farther than half a step from its seat.
    """
    seats = seat_array(profile)[PLAY:]
    level = profile.level_one_mm
    there = view.on_plane(uv, level)
    along = np.array([slot_axis(profile, seat // SLOT_PLACES)[1] for seat in range(len(STORAGE))])
    offset = there[:, None, :2] - seats[None, :, :2]
    slide = np.clip(
        (offset * along).sum(-1), -0.5 * profile.slot_step_mm, 0.5 * profile.slot_step_mm
    )
    small = np.abs(slide) < SLIDES_LESS * profile.sphere_radius_mm
    slide = np.where(small, 0.0, slide)
    place = seats[None, :, :2] + slide[..., None] * along
    away = np.linalg.norm(there[:, None, :2] - place, axis=-1) / profile.sphere_radius_mm
    return np.nan_to_num(away, nan=np.inf), np.concatenate(
        [place, np.full((*place.shape[:2], 1), level)], axis=-1
    )


FAR = 1e6
SLIDES_LESS = 0.2
"""A stored sphere seen less than this beside its seat, in radii, is taken to be on its seat: most
are, and they tell how the tray is turned."""


def _one_to_one(distances: Array, reach: float, gap: float) -> Indices:
    """For each row the nearest column within reach that no nearer row has; −1 for none.

    A row whose two nearest columns are alike by less than ``gap`` is not matched.
    """
    rows, columns = distances.shape
    taken = np.full(rows, -1, dtype=np.int64)
    if not rows:
        return taken
    nearest, order = distances.argmin(axis=1), distances.min(axis=1).argsort()
    nearest_two = np.partition(np.minimum(distances, FAR), 1, axis=1)
    doubtful = nearest_two[:, 1] - nearest_two[:, 0] < gap
    free = np.ones(columns, dtype=bool)
    for row in order:
        column = nearest[row]
        if distances[row, column] < reach and free[column] and not doubtful[row]:
            taken[row], free[column] = column, False
    return taken
