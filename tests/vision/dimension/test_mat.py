"""Trays on their place mats: the view comes from the mat, and only how the tray lies is searched.

The pictures are the lab's, with the mat printed as ``calibrate sheet`` prints it.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.place_mat import mat_markers, shows_mat
from calibration.dimension.profile import TrayProfile, load_profile
from lab.dimension.make import Made, Seeds, Wishes, make
from vision.dimension.locating.locate import Located
from vision.dimension.locating.mat import find_mat, locate_on_mat
from vision.dimension.reader import Reader
from vision.photo import Photo, load_photo

DISC = load_profile("disc")
BUILT_IN = (DISC, load_profile("pentagon"))
SAMPLES = Path(__file__).parents[3] / "sample_images"
MEDIAN, ALMOST_ALL = 0.02, 0.06
"""The goals for seats' centres, as shares of a sphere's diameter."""


@cache
def taken(seed: int, kind: str, tilt: int, mat: bool = True) -> tuple[Photo, Made]:
    wishes = Wishes(
        size=(640, 480), kind=kind, profile=DISC, mat=mat, tilt_deg=(tilt, tilt + 1), light="office"
    )
    made = make(Seeds.of(61, seed), wishes)
    _, content = cv2.imencode(".jpg", made.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return load_photo(content.tobytes()), made


def true_view(photo: Photo, made: Made) -> View:
    """The lab's own view, in pixels of the working picture."""
    height, width = photo.picture.shape[:2]
    camera = Camera.of_photo((width, height), made.truth["fov_deg"], made.truth["lens_k1"])
    return View(camera, Pose.of(made.truth["pose"]["rvec"], made.truth["pose"]["tvec"]))


def errors(found: Located, truth: View, tray: TrayProfile = DISC) -> np.ndarray:
    """Errors (29,) of the seats as shares of a sphere's diameter."""
    seats = seat_array(DISC)
    diameter = DISC.sphere_mm * truth.pixels_per_mm(seats)
    there = found.view.project(seat_array(tray))
    return np.asarray(np.linalg.norm(there - truth.project(seats), axis=1) / diameter)


def test_seats_are_where_the_mat_and_the_tray_on_it_say() -> None:
    """From above and at a low angle, in play, empty and at the start: the goals for all seats."""
    off = []
    for seed, kind, tilt in ((0, "play", 5), (1, "play", 55), (2, "empty", 40), (3, "start", 58)):
        photo, made = taken(seed, kind, tilt)
        mat = find_mat(photo, BUILT_IN)
        assert mat is not None
        found = locate_on_mat(photo, mat, BUILT_IN)
        assert found is not None
        off.append(errors(found, true_view(photo, made)))
    assert np.median(off) < MEDIAN
    assert np.percentile(off, 95) < ALMOST_ALL


def test_the_reader_takes_the_view_from_the_mat() -> None:
    photo, _ = taken(1, "play", 55)
    content = cv2.imencode(".png", photo.picture)[1].tobytes()
    reading = Reader(BUILT_IN).read(content)
    mat = find_mat(photo, BUILT_IN)
    assert mat is not None
    by_mat = locate_on_mat(photo, mat, BUILT_IN)
    assert by_mat is not None
    centre = by_mat.view.project(seat_array(by_mat.profile)[:1])[0]
    assert reading.seats["C"].uv == pytest.approx(tuple(centre.tolist()), abs=0.6)


def test_a_profile_of_assumed_scale_is_fitted_to_the_mat_s() -> None:
    """Measured without --sphere-mm, a tray of 20 mm spheres counts as one of 25 mm."""
    photo, made = taken(0, "play", 5)
    lengths = ("sphere_mm", "pitch_mm", "hole_mm", "slot_radius_mm", "slot_step_mm")
    larger = {key: 1.25 * getattr(DISC, key) for key in lengths}
    assumed = replace(DISC, name="mine", scale="assumed", outline=None, **larger)
    mat = find_mat(photo, (assumed,))
    assert mat is not None
    found = locate_on_mat(photo, mat, (assumed,))
    assert found is not None
    assert errors(found, true_view(photo, made), assumed).max() < ALMOST_ALL


def test_a_profile_may_name_its_own_markers() -> None:
    photo, _ = taken(2, "empty", 40)
    own = replace(DISC, markers=mat_markers("a4"))
    elsewhere = {number + 100: at for number, at in mat_markers("a4").centers_mm.items()}
    other = replace(DISC, markers=replace(mat_markers("a4"), centers_mm=elsewhere))
    assert shows_mat(photo.picture, own.markers)
    assert not shows_mat(photo.picture, other.markers)
    mat = find_mat(photo, (own,))
    assert mat is not None
    assert locate_on_mat(photo, mat, (own,)) is not None


def test_no_photo_without_a_mat_shows_one() -> None:
    for file in sorted(SAMPLES.glob("*.jpg")):
        assert find_mat(load_photo(file), BUILT_IN) is None, file.name


def test_a_mat_without_a_tray_is_no_tray() -> None:
    """The tray and all that is on it painted over, as white as the paper."""
    photo, made = taken(2, "empty", 40)
    view = true_view(photo, made)
    turn = np.linspace(0, 2 * np.pi, 60)
    rim = 75 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    bare = photo.picture.copy()
    cv2.fillConvexPoly(bare, np.round(view.project(rim)).astype(np.int32), (200, 200, 200))
    empty = replace(photo, picture=bare)
    mat = find_mat(empty, BUILT_IN)
    assert mat is not None
    assert locate_on_mat(empty, mat, BUILT_IN) is None
    content = cv2.imencode(".png", bare)[1].tobytes()
    assert Reader(BUILT_IN).read(content).status == "no_tray"
