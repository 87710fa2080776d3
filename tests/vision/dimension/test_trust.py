"""Signs of a right view, the slots' sides, and trays of another make."""

from dataclasses import astuple, replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_array, slot_axis
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.edges import smooth
from tests.vision.dimension.test_hypotheses import OCCUPIED, seen_through, view_of
from vision.dimension.locating.edge_support import TYPICAL_SIDES, middle_supports, side_support
from vision.dimension.locating.hypotheses import candidates
from vision.dimension.locating.matching import TrayPeaks, match
from vision.dimension.locating.proportions import Deviation, deviation
from vision.dimension.locating.trust import LEAST, WEIGHTS, Signs, probability

DISC = load_profile("disc")
GOOD = Signs(
    slots=1.0, explained=0.9, lead=1.0, matches=1.0, tight=0.65, edges=0.77, exact=0.76,
    pattern=0.75, turn=1.0, sides=0.79, rim=0.8,
)  # fmt: skip


def test_a_view_with_all_signs_is_surely_right() -> None:
    assert probability(GOOD) > 0.99


@pytest.mark.parametrize("name", ["slots", "explained", "matches", "edges", "exact", "pattern"])
def test_a_view_that_lacks_one_sign_altogether_is_not_right(name: str) -> None:
    assert probability(replace(GOOD, **{name: getattr(LEAST, name) - 0.01})) == 0.0


def test_no_sign_speaks_against_a_view() -> None:
    assert min(astuple(WEIGHTS)) >= 0.0


def drawn_slots(view: View, tray: TrayProfile) -> np.ndarray:
    """A light tray with dark slots, as the view sees it."""
    picture = np.full((384, 512, 3), 200, np.uint8)
    for slot in range(5):
        middle, axis = map(np.asarray, slot_axis(tray, slot))
        across = np.array([-axis[1], axis[0]]) * tray.hole_mm / 2
        along = 1.5 * tray.slot_step_mm * axis
        corners = [middle + a + b for a, b in _around(along, across)]
        pixels = view.project(np.column_stack([corners, np.zeros(4)]))
        cv2.fillPoly(picture, [np.rint(pixels).astype(np.int32)], (40, 40, 40))
    return picture


def _around(a: np.ndarray, b: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(a, b), (a, -b), (-a, -b), (-a, b)]


def test_sides_of_slots_are_on_edges_only_where_the_view_is_right() -> None:
    view = view_of(25.0, 40.0, 10.0, 300.0)
    smoothed = smooth(drawn_slots(view, DISC))
    nothing = np.empty((0, 3))
    turned = view_of(25.0, 40.0, 25.0, 300.0)
    assert side_support(smoothed, view, DISC, nothing) > 0.8
    assert side_support(smoothed, turned, DISC, nothing) < 0.4


def test_sides_that_cannot_be_seen_say_nothing() -> None:
    far_aside = View(Camera.of_fov((512, 384), 62.0), Pose.looking_at((900, 0, 300), (900, 0, 0)))
    empty = smooth(np.zeros((384, 512, 3), np.uint8))
    assert side_support(empty, far_aside, DISC, np.empty((0, 3))) == TYPICAL_SIDES


def drawn_holes(view: View, tray: TrayProfile) -> np.ndarray:
    """A light tray with its seven dark holes, as the view sees it."""
    picture = np.full((384, 512, 3), 200, np.uint8)
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circle = tray.hole_mm / 2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for hole in _holes():
        pixels = view.project(np.pad(hole + circle, ((0, 0), (0, 1))))
        cv2.fillPoly(picture, [np.rint(pixels).astype(np.int32)], (40, 40, 40))
    return picture


def test_holes_tell_which_way_the_tray_is_turned() -> None:
    view, nothing = view_of(25.0, 40.0, 10.0, 300.0), np.empty((0, 3))
    smoothed = smooth(drawn_holes(view, DISC))
    as_it_is, *turned = middle_supports(smoothed, view, DISC, nothing)
    assert as_it_is > max(turned) + 0.2
    by_a_slot = replace(DISC, ring0_deg=DISC.ring0_deg + 72)
    as_it_is, *turned = middle_supports(smoothed, view, by_a_slot, nothing)
    assert as_it_is < max(turned) - 0.2


def test_what_a_sphere_above_hides_speaks_neither_for_a_view_nor_against() -> None:
    view, above = view_of(25.0, 40.0, 10.0, 300.0), seat_array(DISC)[7:8]
    picture = drawn_holes(view, DISC)
    whole = middle_supports(smooth(picture), view, DISC, np.empty((0, 3)))[0]
    outline = view.sphere_outline(above[0], DISC.sphere_radius_mm)
    cv2.fillPoly(picture, [np.rint(outline.points(90)).astype(np.int32)], (90, 90, 90))
    smoothed = smooth(picture)
    assert middle_supports(smoothed, view, DISC, np.empty((0, 3)))[0] < whole - 0.03
    assert middle_supports(smoothed, view, DISC, above)[0] == pytest.approx(whole, abs=0.03)


def measured(tray: TrayProfile, noise: float = 0.5) -> Deviation:
    """How a tray deviates from the disc by whose measures it is read."""
    view = view_of(25.0, 40.0, 10.0, 300.0)
    seen = seen_through(view, tray, noise)
    own = TrayPeaks.of(seen, candidates(seen)[0])
    return deviation(view, own, match(view, own, DISC, 0.9), DISC)


def test_a_tray_of_the_profiles_make_deviates_little() -> None:
    found = measured(DISC)
    assert found.is_slight
    assert abs(found.slots) < 0.03
    assert abs(found.turn) < 0.03


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_slots_that_are_farther_out_or_in_are_noticed(share: float) -> None:
    found = measured(replace(DISC, slot_radius_mm=share * DISC.slot_radius_mm))
    assert found.slots == pytest.approx(np.log(share), abs=0.04)
    assert not found.is_slight


@pytest.mark.parametrize("turn_deg", [-5.0, 5.0])
def test_a_ring_that_is_turned_otherwise_is_noticed(turn_deg: float) -> None:
    found = measured(replace(DISC, ring0_deg=DISC.ring0_deg + turn_deg))
    assert np.degrees(found.turn) == pytest.approx(turn_deg, abs=2.0)
    assert not found.is_slight


def test_seven_empty_holes_and_a_few_spheres_are_an_empty_tray() -> None:
    view = view_of(10.0, 0.0, 0.0, 300.0)
    seen = seen_through(view, DISC)
    stored = [index for index, seat in enumerate(OCCUPIED) if seat >= 14][:4]
    few = replace(seen.spheres, uv=seen.spheres.uv[stored], strength=seen.spheres.strength[stored])
    holes = view.project(np.pad(_holes(), ((0, 0), (0, 1))))
    all_holes = replace(seen.holes, uv=holes, strength=np.ones(7))
    scene = replace(seen, spheres=few, holes=all_holes)
    matched = match(view, TrayPeaks.of(scene, candidates(scene)[0]), DISC, 0.45)
    assert (matched.holes >= 0).all()
    assert (matched.seats < 0).all()


def _holes() -> np.ndarray:
    angles = np.radians(DISC.ring0_deg - 60 * np.arange(6))
    ring = DISC.pitch_mm * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.concatenate([np.zeros((1, 2)), ring])
