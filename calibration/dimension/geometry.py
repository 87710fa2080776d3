"""Where the places of a tray are, in tray millimetres.

The origin is on the tray's face at the centre hole, +z up out of the tray, angles run
counter-clockwise from +x seen from above. Labels run clockwise.
"""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rules.dimension.places import ALL_SEATS, RING, SLOT_PLACES, SLOTS

if TYPE_CHECKING:  # a profile checks itself by what is computed here
    from calibration.dimension.profile import TrayProfile

Point = tuple[float, float, float]
OnFace = tuple[float, float]


def face_places(profile: TrayProfile) -> dict[str, OnFace]:
    """Where holes and places in storage lie on the face, whether or not a tray can be like that."""
    places: dict[str, OnFace] = {"C": (0.0, 0.0)}
    for i in range(RING):
        places[f"R{i}"] = _polar(profile.pitch_mm, profile.ring0_deg - 360 / RING * i)
    for slot in range(SLOTS):
        (x, y), (along_x, along_y) = slot_axis(profile, slot)
        for place in range(SLOT_PLACES):
            shift = (place - 1) * profile.slot_step_mm
            places[f"S{slot}{place}"] = (x + shift * along_x, y + shift * along_y)
    return places


@cache
def seat_positions(profile: TrayProfile) -> dict[str, Point]:
    """Centre of a sphere on each of the 29 places, in the order of ``ALL_SEATS``."""
    low, step = profile.level_one_mm, profile.level_step_mm
    places: dict[str, Point] = {
        place: (*on_face, low) for place, on_face in face_places(profile).items()
    }
    for i in range(RING):
        between = profile.ring0_deg - 360 / RING * (i + 0.5)
        places[f"T{i}"] = (*_polar(profile.pitch_mm / sqrt(3), between), low + step)
    places["A"] = (0.0, 0.0, low + 2 * step)
    return {seat: places[seat] for seat in ALL_SEATS}


@cache
def seat_array(profile: TrayProfile) -> NDArray[np.float64]:
    """The positions of ``seat_positions`` as an array (29, 3)."""
    array = np.array(list(seat_positions(profile).values()))
    array.flags.writeable = False
    return array


def slot_axis(profile: TrayProfile, slot: int) -> tuple[OnFace, OnFace]:
    """Middle of a slot on the face, and the unit vector along which its places are counted."""
    angle = profile.slot0_deg - 360 / SLOTS * slot
    return _polar(profile.slot_radius_mm, angle), _polar(1.0, angle - 90)


def _polar(radius: float, angle_deg: float) -> OnFace:
    return radius * cos(radians(angle_deg)), radius * sin(radians(angle_deg))
