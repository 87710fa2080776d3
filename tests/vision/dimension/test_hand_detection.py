"""Something over the tray: fired by what covers its edge, whatever colour that has."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import FloatArray
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import load_profile
from tests.vision.dimension.test_track import frames
from vision.dimension.observing.face_samples import face_points, look_at_face
from vision.dimension.observing.hand_detection import hand_in_view
from vision.dimension.reader import Reader, TrayInPhoto
from vision.photo import Photo, load_photo

SAMPLES = Path(__file__).parents[3] / "sample_images"
WITH_TRAY = [
    truth["file"]
    for truth in map(json.loads, (SAMPLES / "truth.jsonl").read_text("utf-8").splitlines())
    if truth["tray"] in ("disc", "pentagon") and truth["kind"] != "negative"
]
ARMS = {
    "pale": (150, 180, 225),
    "brown": (60, 85, 140),
    "dark": (35, 45, 70),
    "blue glove": (170, 110, 40),
    "red sleeve": (40, 40, 170),
}


@cache
def sight(name: str) -> TrayInPhoto:
    found = Reader().sight(load_photo(SAMPLES / name))
    assert found is not None
    return found


def warned(photo: Photo, seen: TrayInPhoto) -> bool:
    spheres = seen.observer.centres[seen.posterior.filled]
    return hand_in_view(photo.picture, seen.located.view, seen.located.profile, spheres)


def with_arm(
    seen: TrayInPhoto, color: tuple[int, int, int], end: FloatArray, start: FloatArray
) -> Photo:
    """The photo with an arm painted on it, from a place of the tray (mm) to another."""
    picture = seen.photo.picture.copy()
    width = 1.4 * float(seen.located.view.pixels_per_mm(np.zeros(3))[0])
    width *= seen.located.profile.sphere_mm
    a, b = np.rint(seen.located.view.project(np.array([start, end]))).astype(int).tolist()
    cv2.line(picture, a, b, color, round(width), cv2.LINE_AA)
    return Photo(picture, seen.photo.scale, seen.photo.size, seen.photo.focal_px)


def gap(seen: TrayInPhoto) -> FloatArray:
    """The direction between two slots in which no sphere is near the tray's edge."""
    profile, spheres = seen.located.profile, seen.observer.centres[seen.posterior.filled]
    angles = np.radians(profile.slot0_deg - 36 - 72 * np.arange(5))
    ways = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    edge = 1.3 * profile.slot_radius_mm * ways
    free = np.linalg.norm(edge[:, None] - spheres, axis=-1).min(axis=1)
    return np.asarray(ways[int(free.argmax())])


@pytest.mark.parametrize("name", WITH_TRAY)
def test_no_hand_no_warning(name: str) -> None:
    assert "hand_in_view" not in sight(name).warnings


@pytest.mark.parametrize("arm", sorted(ARMS))
@pytest.mark.parametrize("name", ["01211.jpg", "01045.jpg"])
def test_an_arm_over_the_edge_is_noticed_whatever_its_colour(name: str, arm: str) -> None:
    seen = sight(name)
    reach = seen.located.profile.slot_radius_mm
    outward = gap(seen)
    assert warned(with_arm(seen, ARMS[arm], 0.5 * reach * outward, 2.5 * reach * outward), seen)


def test_an_arm_beside_the_tray_is_not_in_the_way() -> None:
    seen = sight("01211.jpg")
    reach = seen.located.profile.slot_radius_mm
    aside = np.array([0.0, 2.0 * reach, 0.0])
    along = np.array([2.5 * reach, 0.0, 0.0])
    assert not warned(with_arm(seen, ARMS["pale"], aside - along, aside + along), seen)


def test_a_print_on_the_face_is_no_hand() -> None:
    seen = sight("01211.jpg")
    profile, view = seen.located.profile, seen.located.view
    picture = seen.photo.picture.copy()
    size = round(0.15 * float(view.pixels_per_mm(np.zeros(3))[0]) * profile.sphere_mm)
    for pixel in np.rint(view.project(face_points(profile))).astype(int)[::3].tolist():
        cv2.circle(picture, pixel, size, (40, 40, 170), -1)
    photo = Photo(picture, seen.photo.scale, seen.photo.size, seen.photo.focal_px)
    assert not warned(photo, seen)


def test_a_frame_with_a_hand_is_read_but_never_certain() -> None:
    with_hand, without = (Reader().read(frames()[number]) for number in (29, 10))
    assert "hand_in_view" in with_hand.warnings
    assert with_hand.status == "uncertain"
    assert "hand" in with_hand.message
    assert "hand_in_view" not in without.warnings


@pytest.mark.parametrize("name", ["disc", "pentagon"])
def test_face_points_keep_off_holes_and_slots(name: str) -> None:
    profile = load_profile(name)
    seats = seat_array(profile)[:, :2]
    points = face_points(profile)
    assert len(points) > 80
    apart = np.linalg.norm(points[:, None, :2] - np.concatenate([seats[:7], seats[14:]]), axis=-1)
    assert apart.min() > profile.hole_mm / 2


def test_what_spheres_hide_of_the_face_is_not_seen() -> None:
    seen = sight("01211.jpg")
    profile, view, picture = seen.located.profile, seen.located.view, seen.photo.picture
    bare = look_at_face(picture, view, profile, np.empty((0, 3))).seen
    full = look_at_face(picture, view, profile, seat_array(profile)).seen
    assert full.sum() < bare.sum()
    assert not (full & ~bare).any()
