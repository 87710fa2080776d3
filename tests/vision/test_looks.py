import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.occlusion import hiding
from calibration.profile import ALL_SEATS, load_profile, seat_array
from vision.looks import ANGLES, INSIDE, RINGS, look

TRAY = load_profile("disc")
SEATS = seat_array(TRAY)
RADIUS = TRAY.sphere_mm / 2
SIZE = (512, 384)


def view_from(tilt_deg: float) -> View:
    tilt = np.radians(tilt_deg)
    eye = 260 * np.array([0.3 * np.sin(tilt), -np.sin(tilt), np.cos(tilt)])
    return View(Camera.of_fov(SIZE, 60.0), Pose.looking_at(eye, roll_deg=20))


def painted(view: View, seat: str, gray: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A black picture with one sphere on it, in one flat grey."""
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    outline = view.sphere_outline(SEATS[ALL_SEATS.index(seat)], RADIUS)
    cv2.fillPoly(picture, [np.round(outline.points(200)).astype(np.int32)], (gray,) * 3)
    return picture


@pytest.mark.parametrize("tilt", [0, 25, 50])
@pytest.mark.parametrize("seat", ["C", "R2", "T4", "A", "S31"])
def test_samples_inside_see_the_sphere_and_those_outside_do_not(tilt: float, seat: str) -> None:
    view, index = view_from(tilt), ALL_SEATS.index(seat)
    looks = look(painted(view, seat, 255), view, SEATS, RADIUS)
    assert looks.tones.shape == (29, ANGLES, len(RINGS), 3)
    light = looks.tones[index] ** 3
    assert light[:, :INSIDE].min() > 0.9
    assert light[:, INSIDE:].max() < 0.1


@pytest.mark.parametrize("tilt", [0, 25, 50])
def test_what_is_hidden_is_what_occlusion_computes(tilt: float) -> None:
    view = view_from(tilt)
    looks = look(painted(view, "C", 255), view, SEATS, RADIUS)
    pyramid = [seat not in ("T1", "T3", "T5") for seat in ALL_SEATS]
    there = sum(1 << i for i, filled in enumerate(pyramid) if filled)
    area = np.array(RINGS[:INSIDE]) * np.diff([0, 0.325, 0.55, 0.725, 0.86, 1.0])
    exact = hiding(view, SEATS, RADIUS).visible(pyramid)
    for seat in np.flatnonzero(pyramid).tolist():
        seen = looks.seen([seat], [there])[0, :, :INSIDE].mean(axis=0)
        assert (seen * area).sum() / area.sum() == pytest.approx(exact[seat], abs=0.08)


def test_nearer_spheres_hide_and_farther_ones_do_not() -> None:
    looks = look(painted(view_from(30), "C", 255), view_from(30), SEATS, RADIUS)
    for seat, hiders in enumerate(looks.may_hide):
        for other in range(len(SEATS)):
            if hiders >> other & 1:
                assert looks.distance[other] < looks.distance[seat]
    assert looks.may_hide[ALL_SEATS.index("C")] >> ALL_SEATS.index("A") & 1
    assert looks.may_hide[ALL_SEATS.index("A")] == 0
    assert list(looks.order) == sorted(range(29), key=lambda seat: looks.distance[seat])


def test_what_lies_beyond_the_picture_is_not_seen() -> None:
    view = View(Camera.of_fov(SIZE, 60.0), Pose.looking_at((60.0, 0.0, 120.0), (60.0, 0.0, 0.0)))
    looks = look(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), view, SEATS, RADIUS)
    left = int(np.argmin(looks.outlines[:, 0]))
    assert not looks.seen([left], [0]).all()


def test_many_places_are_seen_past_spheres_as_each_of_them_is() -> None:
    looks = look(painted(view_from(40), "C", 255), view_from(40), SEATS, RADIUS)
    asked = [(seat, there) for seat in range(len(SEATS)) for there in (0, 0b1010101 << 7, 1 << 29)]
    together = looks.seen([seat for seat, _ in asked], [there for _, there in asked])
    for (seat, there), seen in zip(asked, together, strict=True):
        np.testing.assert_array_equal(seen, looks.seen([seat], [there])[0])


def test_more_places_than_a_set_holds_are_refused() -> None:
    many = np.tile(SEATS, (3, 1))
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    with pytest.raises(ValueError, match="64"):
        look(picture, view_from(10), many, RADIUS)
    assert len(look(picture, view_from(10), many, RADIUS, hiding=False).tones) == len(many)
