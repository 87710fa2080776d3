"""Trays measured from start photos; what is not a start photo is refused with the reason."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.dimension.geometry import seat_array
from calibration.dimension.outline import Disc
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.dimension.start.check import Refusal
from calibration.dimension.start.measure import Measured, measure
from calibration.dimension.start.model import Geometry
from calibration.dimension.start.overlay import draw
from calibration.edges import Picture
from lab.dimension.make import Seeds, Wishes, make
from vision.dimension.locating.sphere_hints import likely_spheres

SAMPLES = Path(__file__).parents[3] / "sample_images"
TRUTH = {
    line["file"]: line
    for line in map(json.loads, (SAMPLES / "truth.jsonl").read_text("utf-8").splitlines())
}


def photo(name: str) -> Picture:
    picture = cv2.imread(str(SAMPLES / name))
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


def tray_of(name: str) -> TrayProfile:
    truth = TRUTH[name]
    own = truth.get("profile")
    return TrayProfile.from_json(own) if own else load_profile(truth["tray"])


@cache
def measured_from(name: str) -> Measured:
    """The tray measured from one sample; measuring takes seconds, so each is measured once."""
    measured = measure([photo(name)], sphere_mm=tray_of(name).sphere_mm, name="mine")
    assert isinstance(measured, Measured)
    return measured


@pytest.mark.parametrize("name", ["02410.jpg", "lab-start.jpg"])
def test_a_start_photo_gives_the_trays_measures_and_colours(name: str) -> None:
    tray = tray_of(name)
    profile = measured_from(name).profile
    assert profile.pitch_mm == pytest.approx(tray.pitch_mm, rel=0.02)
    assert profile.slot_radius_mm == pytest.approx(tray.slot_radius_mm, rel=0.02)
    assert profile.hole_mm == pytest.approx(tray.hole_mm, rel=0.05)
    assert profile.slot_step_mm == pytest.approx(tray.slot_step_mm, rel=0.05)
    turn = profile.ring0_deg - profile.slot0_deg - (tray.ring0_deg - tray.slot0_deg)
    assert abs((turn + 6) % 12 - 6) < 1.0
    assert set(profile.colors) == {*"OBGKW", "tray"}
    assert profile.scale == "given"
    assert set(profile.measured) >= {"pitch_mm", "slot_radius_mm"}
    assert TrayProfile.from_json(json.loads(json.dumps(profile.to_json()))) == profile


def test_seats_of_the_measured_tray_lie_where_the_spheres_are() -> None:
    name = "02410.jpg"
    measured = measured_from(name)
    view = measured.views[0]
    assert view is not None
    storage = view.project(seat_array(measured.profile)[14:])
    spheres = TRUTH[name]["spheres"].values()
    for sphere in spheres:  # whichever slot is called the first
        apart = np.linalg.norm(storage - (sphere["u"] - 0.5, sphere["v"] - 0.5), axis=1).min()
        assert apart < 0.06 * 2 * sphere["radius"]


@pytest.mark.slow
def test_a_photo_that_does_not_help_is_left_out_with_a_warning() -> None:
    measured = measure([photo("02400.jpg"), photo("02300.jpg")])
    assert isinstance(measured, Measured)
    assert measured.views[1] is None
    assert any("Photo 2 was left out" in warning for warning in measured.warnings)
    assert measured.profile.scale == "assumed"
    assert measured.profile.sphere_mm == 25.0


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("02300.jpg", "no_tray"),
        ("01201.jpg", "not_at_start"),
        pytest.param("lab-limes.jpg", "no_tray", marks=pytest.mark.slow),
        ("dice-08.jpg", "no_tray"),
    ],
)
def test_what_is_no_start_photo_is_refused(name: str, code: str) -> None:
    refusal = measure([photo(name)], spheres=likely_spheres)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert len(refusal.text) > 20


@pytest.mark.slow
def test_a_busy_table_is_no_hindrance_if_it_is_told_where_spheres_seem_to_be() -> None:
    """A table that has more round things than the tray."""
    made = make(Seeds.of(101, 11), Wishes(kind="start"))
    tray = TrayProfile.from_json(made.truth["profile"])
    assert isinstance(measure([made.picture]), Refusal)
    measured = measure([made.picture], sphere_mm=tray.sphere_mm, spheres=likely_spheres)
    assert isinstance(measured, Measured)
    assert measured.profile.pitch_mm == pytest.approx(tray.pitch_mm, rel=0.02)
    assert measured.profile.slot_radius_mm == pytest.approx(tray.slot_radius_mm, rel=0.02)


@pytest.mark.slow
def test_a_cropped_tray_is_refused() -> None:
    refusal = measure([np.ascontiguousarray(photo("02410.jpg")[:560])])
    assert isinstance(refusal, Refusal)


def test_a_blurred_photo_is_refused_as_such() -> None:
    refusal = measure([np.asarray(cv2.GaussianBlur(photo("02410.jpg"), (0, 0), 8))])
    assert isinstance(refusal, Refusal)
    assert refusal.code == "blurred"


@pytest.mark.parametrize("size", [(70, 80), (100, 590), (600, 800)])
@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_blank_picture_is_refused(size: tuple[int, int], level: int) -> None:
    refusal = measure([np.full((*size, 3), level, np.uint8)])
    assert isinstance(refusal, Refusal)
    assert refusal.text


@pytest.mark.slow
def test_a_dark_and_a_grey_photo_are_refused_as_such() -> None:
    sharp = photo("02410.jpg")
    grey = cv2.cvtColor(cv2.cvtColor(sharp, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    for picture, code in ((sharp // 40, "too_dark"), (grey, "no_color")):
        refusal = measure([np.asarray(picture, dtype=np.uint8)])
        assert isinstance(refusal, Refusal)
        assert refusal.code == code


@pytest.mark.slow
def test_an_empty_tray_helps_to_measure_the_holes() -> None:
    alone = measured_from("02410.jpg").profile
    both = measure([photo("02410.jpg"), photo("02100.jpg")], sphere_mm=20.0)
    assert isinstance(both, Measured)
    assert None not in both.views
    assert both.profile.hole_mm == pytest.approx(15.0, rel=0.02)
    assert both.profile.measured["hole_mm"] < alone.measured["hole_mm"]


@pytest.mark.slow
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_turned_photo_gives_the_same_tray(turn: int) -> None:
    upright = measured_from("02410.jpg").profile
    turned = measure([np.ascontiguousarray(np.rot90(photo("02410.jpg"), turn))], sphere_mm=20.0)
    assert isinstance(turned, Measured)
    assert turned.profile.pitch_mm == pytest.approx(upright.pitch_mm, rel=0.01)
    assert turned.profile.slot_radius_mm == pytest.approx(upright.slot_radius_mm, rel=0.01)


@pytest.mark.slow
def test_two_photos_of_one_tray_are_surer_than_one() -> None:
    one = measured_from("02410.jpg").profile
    both = measure([photo("02410.jpg"), photo("02400.jpg")], sphere_mm=20.0)
    assert isinstance(both, Measured)
    assert None not in both.views
    assert both.profile.measured["pitch_mm"] < one.measured["pitch_mm"]
    assert both.profile.pitch_mm == pytest.approx(21.5, rel=0.02)


def test_the_outline_is_measured_where_it_is_seen() -> None:
    outline = measured_from("02410.jpg").profile.outline
    assert isinstance(outline, Disc)
    assert outline.radius_mm == pytest.approx(68, rel=0.03)


def test_the_face_of_a_green_tray_is_green() -> None:
    _, green_to_red, _ = measured_from("02410.jpg").profile.colors["tray"]
    assert green_to_red < -10


def test_no_photo_is_refused() -> None:
    refusal = measure([])
    assert isinstance(refusal, Refusal)
    assert refusal.code == "no_photo"


def test_every_tray_is_turned_to_the_same_frame() -> None:
    for degrees in range(-40, 100, 7):
        turned, _ = Geometry(1.1, 0.7, 2.5, 1.05, float(np.radians(degrees))).turned()
        assert abs(np.degrees(turned.ring)) <= 6.0 + 1e-6
        assert (np.degrees(turned.ring) - degrees) % 12 == pytest.approx(0, abs=1e-6) or (
            np.degrees(turned.ring) - degrees
        ) % 12 == pytest.approx(12, abs=1e-6)


def test_the_drawing_changes_the_copy_only() -> None:
    picture = photo("02410.jpg")
    before = picture.copy()
    measured = measured_from("02410.jpg")
    view = measured.views[0]
    assert view is not None
    drawn = draw(picture, view, measured.profile)
    assert (picture == before).all()
    assert (drawn != picture).any()


@pytest.mark.slow
def test_a_sphere_that_slid_along_its_slot_is_not_missed() -> None:
    made = make(Seeds.of(505, 4), Wishes(kind="start"))
    tray = TrayProfile.from_json(made.truth["profile"])
    measured = measure([made.picture], sphere_mm=tray.sphere_mm)
    assert isinstance(measured, Measured)
    assert measured.profile.slot_step_mm == pytest.approx(tray.slot_step_mm, rel=0.03)
