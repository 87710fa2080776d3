"""From where a photo was taken, and from where one would see more.

Works on a reading alone, as it comes back over HTTP: the places of its seats in the photo tell
the direction of view (perspective left aside), and spheres of one size hide each other by simple
geometry. Good to a few degrees, which is more than "tilt it to the left" needs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import load_profile
from rules.dimension.places import ALL_SEATS
from vision.dimension.reading import Reading

FloatArray = NDArray[np.float64]

_TILTS = (0.0, 20.0, 35.0, 50.0)
_AZIMUTHS = 24
_SAMPLES = 64
_WORTH_IT = 0.15
"""Visible share that another view must add to be worth taking."""

_AS_GOOD = 0.1
_TILT_MATTERS = 12.0
_SIDES = (
    *("right", "lower right", "bottom", "lower left"),
    *("left", "upper left", "top", "upper right"),
)


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """The direction from a tray to the camera, and how tray directions lie in the photo."""

    toward: FloatArray
    """Unit vector (3,) in tray axes."""
    in_photo: FloatArray
    """The 2 × 3 matrix that takes tray mm to pixels, up to a shift."""

    @property
    def tilt_deg(self) -> float:
        """Angle between the tray's normal and the line of sight."""
        return float(np.degrees(np.arccos(np.clip(self.toward[2], -1.0, 1.0))))


@dataclass(frozen=True)
class Hint:
    """A further view that would show more of some seats, in words, and what it would show."""

    text: str
    visible: float


def viewpoint(reading: Reading) -> Viewpoint | None:
    """From where the photo of a reading was taken; None if that is unknown."""
    entries = {**reading.seats, **reading.storage}
    if set(entries) != set(ALL_SEATS):
        return None
    seats = _seat_places()
    uv = np.array([entries[seat].uv for seat in ALL_SEATS])
    known = np.column_stack([seats, np.ones(len(seats))])
    in_photo = np.linalg.lstsq(known, uv, rcond=None)[0][:3].T
    away = np.cross(in_photo[0], in_photo[1])
    length = float(np.linalg.norm(away))
    if not np.isfinite(length) or length < 1e-9 or away[2] >= 0.0:
        return None  # no photo shows a tray from below
    return Viewpoint(-away / length, in_photo)


def better_view(reading: Reading, seats: Iterable[str]) -> Hint | None:
    """The direction from which these seats would be seen best; None if none is much better."""
    now = viewpoint(reading)
    wanted = [ALL_SEATS.index(seat) for seat in seats]
    if now is None or not wanted:
        return None
    entries = {**reading.seats, **reading.storage}
    present = [i for i, seat in enumerate(ALL_SEATS) if entries[seat].color is not None]
    directions = np.vstack([now.toward, _directions()])
    shares = np.min([visible_from(directions, seat, present) for seat in wanted], axis=0)
    good = np.flatnonzero(shares >= shares.max() - _AS_GOOD)
    best = int(good[np.argmax(directions[good] @ now.toward)])  # the least way to go
    if shares[best] < shares[0] + _WORTH_IT:
        return None
    return Hint(_move(now, directions[best]), float(shares[best]))


def visible_from(directions: FloatArray, seat: int, present: Sequence[int]) -> FloatArray:
    """Visible share (N,) of a sphere from far away in each direction (N, 3), by seat numbers."""
    others = np.array([other for other in present if other != seat], dtype=int)
    places, radius = _seat_places(), load_profile("disc").sphere_radius_mm
    offset = places[others] - places[seat]
    right, up = _axes(directions)
    nearer = offset @ directions.T > 0.0  # (others, N)
    side = np.stack([offset @ right.T, offset @ up.T], axis=-1)
    disc = _even_disc(_SAMPLES) * radius
    apart = np.linalg.norm(disc[:, None, None] - side, axis=-1)  # (samples, others, N)
    covered = ((apart < radius) & nearer).any(axis=1)
    return np.asarray(1.0 - covered.mean(axis=0), dtype=np.float64)


def _move(now: Viewpoint, target: FloatArray) -> str:
    """How to move the camera to another direction, in words."""
    tilt = float(np.degrees(np.arccos(np.clip(target[2], -1.0, 1.0))))
    if tilt < _TILT_MATTERS:
        return "take another photo from straight above"
    across, down = now.in_photo[:, :2] @ target[:2]
    side = _SIDES[round(float(np.degrees(np.arctan2(down, across))) / 45.0) % len(_SIDES)]
    height = ""
    if abs(tilt - now.tilt_deg) > _TILT_MATTERS:
        height = ", lower down" if tilt > now.tilt_deg else ", more from above"
    return f"take another photo from the {side} of this one{height}"


def _directions() -> FloatArray:
    """Directions (N, 3) from which a photo may be taken."""
    rows = [(0.0, 0.0, 1.0)]
    for tilt in np.radians(_TILTS[1:]):
        for turn in np.linspace(0.0, 2 * np.pi, _AZIMUTHS, endpoint=False):
            flat = np.sin(tilt)
            rows.append((flat * np.cos(turn), flat * np.sin(turn), np.cos(tilt)))
    return np.array(rows)


def _axes(directions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two unit vectors (N, 3) each across the directions."""
    helper = np.where(np.abs(directions[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    right = np.cross(helper, directions)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    return right, np.cross(directions, right)


def _even_disc(count: int) -> FloatArray:
    """Points (count, 2) spread evenly over the unit disc."""
    index = np.arange(count) + 0.5
    angle = index * np.pi * (3.0 - np.sqrt(5.0))
    return np.asarray(
        np.sqrt(index / count)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    )


def _seat_places() -> FloatArray:
    """Centres (29, 3) of all seats on some tray: only directions matter here."""
    return seat_array(load_profile("disc"))
