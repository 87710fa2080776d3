"""Spheres in the storage slots: where along each slot they lie.

A slot is longer than what is left in it, so spheres slide; they keep their order, and that is how
their places are named.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray
from calibration.dimension.geometry import slot_axis
from calibration.dimension.profile import TrayProfile
from rules.dimension.places import SLOT_PLACES, SLOTS

_STEPS = np.linspace(-1.25, 1.25, 21).tolist()
"""Where along a slot a sphere is looked for, in units of the distance of two places."""

_END = 1.8  # where in these units a slot's ends would be the next spheres
_ROOM = 0.8  # how far from a sphere's place an empty one is looked at, if the slot allows
_TIGHT = 0.93  # of a sphere's diameter: nearer than this, two found places are one sphere


@cache
def slot_candidates(profile: TrayProfile) -> FloatArray:
    """Places (slots, steps, 3) in tray mm where a sphere in storage may be."""
    return np.array([[along_slot(profile, slot, at) for at in _STEPS] for slot in range(SLOTS)])


def along_slot(profile: TrayProfile, slot: int, at: float) -> FloatArray:
    """The centre of a sphere in a slot, so many places clockwise from its middle."""
    middle, step = _slot_lines(profile)[slot]
    return np.asarray(middle + at * step)


@cache
def _slot_lines(profile: TrayProfile) -> FloatArray:
    """For each slot (slots, 2, 3), where its middle place is, and the step to the next one."""
    lines = np.zeros((SLOTS, 2, 3))
    for slot, (middle, step) in enumerate(lines):
        middle[:2], along = slot_axis(profile, slot)
        middle[2] = profile.level_one_mm
        step[:2] = profile.slot_step_mm * np.array(along)
    return lines


def spheres_in_slot(odds: NDArray[np.floating], profile: TrayProfile) -> tuple[int, ...]:
    """The candidates of one slot that together are most likely spheres, given their log odds."""
    apart = _TIGHT * profile.sphere_mm / profile.slot_step_mm
    beside = np.pad(odds, 1, constant_values=-np.inf)
    peaks = np.flatnonzero((odds > 0) & (odds >= np.maximum(beside[:-2], beside[2:]))).tolist()
    told = odds.tolist()
    sets = (
        chosen
        for size in range(SLOT_PLACES + 1)
        for chosen in combinations(peaks, size)
        if all(_STEPS[b] - _STEPS[a] >= apart for a, b in pairwise(chosen))
    )
    return max(sets, key=lambda chosen: sum(told[i] for i in chosen))


def named_places(found: Sequence[int]) -> dict[int, float]:
    """Where in a slot (see ``along_slot``) each of its places is: found spheres by their order.

    Those with a sphere come first. A place without one is looked at where it would be, but out of
    the way of its neighbours.
    """
    at = [_STEPS[i] for i in found]
    names = min(
        combinations(range(SLOT_PLACES), len(at)),
        key=lambda names: sum(abs(x - (name - 1)) for x, name in zip(at, names, strict=True)),
    )
    places = dict(zip(names, at, strict=True))
    for name in sorted(set(range(SLOT_PLACES)) - set(names)):
        low = max((x for other, x in places.items() if other < name), default=-_END) + _ROOM
        high = min((x for other, x in places.items() if other > name), default=_END) - _ROOM
        places[name] = min(max(name - 1.0, low), high) if low < high else (low + high) / 2
    return places
