"""From peaks to a view: with peaks made from a known view, that view must come back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.ellipses import Eyes
from vision.dimension.locating.detector import Detections, Peaks
from vision.dimension.locating.fitting import different, fits
from vision.dimension.locating.hypotheses import candidates
from vision.dimension.locating.hypothesis_search import joined
from vision.dimension.locating.matching import hole_places, slot_places
from vision.photo import Photo

DISC = load_profile("disc")
OCCUPIED = (0, 2, 3, 5, 14, 15, 16, 20, 23, 24, 27)
"""Seats of a tray in play: C, R1, R2, R4, and seven of storage."""


def view_of(tilt_deg: float, around_deg: float, roll_deg: float, distance: float) -> View:
    tilt, around = np.radians(tilt_deg), np.radians(around_deg)
    sideways = np.sin(tilt) * np.array([np.cos(around), np.sin(around)])
    pose = Pose.looking_at(distance * np.array([*sideways, np.cos(tilt)]), roll_deg=roll_deg)
    return View(Camera.of_fov((512, 384), 62.0), pose)


def seen_through(view: View, profile: TrayProfile, noise: float = 0.0) -> Detections:
    """What a network would see in a picture taken so, without any picture."""
    chance = np.random.default_rng(1)
    occupied = list(OCCUPIED)
    free = [hole for hole in range(7) if hole not in occupied]
    slots = view.project(slot_places(profile))
    centre = view.project(np.zeros((1, 3)))
    off = slots - slots.mean(axis=0)
    values, vectors = np.linalg.eigh(0.4 * off.T @ off)

    def peaks(places: np.ndarray) -> Peaks:
        return Peaks(places + chance.normal(0, noise, places.shape), np.ones(len(places)))

    spheres = view.sphere_outlines(seat_array(profile)[occupied], profile.sphere_radius_mm)
    return Detections(
        spheres=peaks(spheres[:, :2]),
        holes=peaks(view.project(hole_places(profile)[free])),
        slots=peaks(slots),
        centres=peaks(centre),
        ways=centre - slots,
        faces=(vectors @ np.diag(np.sqrt(values)) @ vectors.T)[None],
    )


def photo() -> Photo:
    return Photo(np.zeros((384, 512, 3), np.uint8), 0.5, (1024, 768), None)


def farthest_seat(view: View, other: View) -> float:
    """Largest distance of a seat in one view from the same in the other, in diameters."""
    seats = seat_array(DISC)
    apart = np.linalg.norm(view.project(seats) - other.project(seats), axis=1)
    return float((apart / (view.pixels_per_mm(seats) * DISC.sphere_mm)).max())


@given(
    tilt=st.floats(0, 55),
    around=st.floats(0, 360),
    roll=st.floats(-180, 180),
    distance=st.floats(200, 420),
)
def test_a_view_comes_back_from_its_peaks(
    tilt: float, around: float, roll: float, distance: float
) -> None:
    view = view_of(tilt, around, roll, distance)
    seen = seen_through(view, DISC, noise=0.5)
    fit = fits(seen, candidates(seen)[0], photo(), DISC)[0]
    assert farthest_seat(fit.view, view) < 0.12


@pytest.mark.parametrize("hidden", [(0,), (1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4)])
def test_slots_that_are_not_seen_are_done_without(hidden: tuple[int, ...]) -> None:
    view = view_of(25.0, 40.0, 10.0, 300.0)
    seen = seen_through(view, DISC)
    kept = [slot for slot in range(5) if slot not in hidden]
    some = Peaks(seen.slots.uv[kept], seen.slots.strength[kept])
    fewer = Detections(seen.spheres, seen.holes, some, seen.centres, seen.ways[kept], seen.faces)
    fit = fits(fewer, candidates(fewer)[0], photo(), DISC)[0]
    assert farthest_seat(fit.view, view) < 0.1


def test_slots_of_a_neighbour_are_not_taken_for_its_own() -> None:
    view = view_of(10.0, 0.0, 0.0, 420.0)
    seen = seen_through(view, DISC)
    shift = np.array([170.0, 20.0])

    def twice(peaks: Peaks) -> Peaks:
        uv = np.concatenate([peaks.uv, peaks.uv + shift])
        return Peaks(uv, np.concatenate([peaks.strength] * 2))

    both = Detections(
        twice(seen.spheres),
        twice(seen.holes),
        twice(seen.slots),
        twice(seen.centres),
        ways=np.concatenate([seen.ways] * 2),
        faces=np.concatenate([seen.faces] * 2),
    )
    first, second = candidates(both)
    assert len(first.slots) == len(second.slots) == 5
    fit = fits(both, first, photo(), DISC)[0]
    assert farthest_seat(fit.view, view) < 0.05


@pytest.mark.parametrize("told", [[-3.0, -1.0], [0.0, 0.0], [2.0, 0.5]])
def test_there_is_a_best_view_however_bad_all_are(told: list[float]) -> None:
    one, other = Eyes.of(view_of(0.0, 0.0, 0.0, 300.0)), Eyes.of(view_of(40.0, 0.0, 0.0, 300.0))
    best = different(joined([one, other]), np.array(told), DISC)[0]
    assert told[best] == max(told)
