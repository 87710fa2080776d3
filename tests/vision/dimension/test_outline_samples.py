import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Camera, FloatArray, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import load_profile
from calibration.occlusion import hiding
from rules.dimension.places import ALL_SEATS
from vision.dimension.observing.outline_samples import (
    ANGLES,
    INSIDE,
    RINGS,
    PlaceSamples,
    Plate,
    look,
)

TRAY = load_profile("disc")
SEATS = seat_array(TRAY)
RADIUS = TRAY.sphere_mm / 2
SIZE = (512, 384)


def view_from(tilt_deg: float) -> View:
    tilt = np.radians(tilt_deg)
    eye = 260 * np.array([0.3 * np.sin(tilt), -np.sin(tilt), np.cos(tilt)])
    return View(Camera.of_fov(SIZE, 60.0), Pose.looking_at(eye, roll_deg=20))


Painting = NDArray[np.uint8]


def painted(view: View, seat: str, gray: int) -> Painting:
    """A black picture with one sphere on it, in one flat grey."""
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    outline = view.sphere_outline(SEATS[ALL_SEATS.index(seat)], RADIUS)
    cv2.fillPoly(picture, [np.round(outline.points(200)).astype(np.int32)], (gray,) * 3)
    return picture


def looks_of(
    picture: Painting, view: View, places: FloatArray = SEATS, hiders: int | None = None
) -> PlaceSamples:
    return look(Plate.of(picture, view, RADIUS), view, places, RADIUS, hiders)


@pytest.mark.parametrize("tilt", [0, 25, 50])
@pytest.mark.parametrize("seat", ["C", "R2", "T4", "A", "S31"])
def test_samples_inside_see_the_sphere_and_those_outside_do_not(tilt: float, seat: str) -> None:
    view, index = view_from(tilt), ALL_SEATS.index(seat)
    looks = looks_of(painted(view, seat, 255), view)
    assert looks.tones.shape == (29, ANGLES, len(RINGS), 3)
    light = looks.tones[index] ** 3
    assert light[:, :INSIDE].min() > 0.9
    assert light[:, INSIDE:].max() < 0.1


@pytest.mark.parametrize("tilt", [0, 25, 50])
def test_what_is_hidden_is_what_occlusion_computes(tilt: float) -> None:
    view = view_from(tilt)
    looks = looks_of(painted(view, "C", 255), view)
    pyramid = [seat not in ("T1", "T3", "T5") for seat in ALL_SEATS]
    there = sum(1 << i for i, filled in enumerate(pyramid) if filled)
    exact = hiding(view, SEATS, RADIUS).visible(pyramid)
    filled = np.flatnonzero(pyramid).tolist()
    shown = looks.seen(filled, [there] * len(filled))
    np.testing.assert_allclose(shown.visible, exact[filled], atol=0.03)
    area = np.array(RINGS[:INSIDE]) * np.diff([0, 0.325, 0.55, 0.725, 0.86, 1.0])
    on_rings = shown.rings[:, :, :INSIDE].mean(axis=1) @ area / area.sum()
    np.testing.assert_allclose(on_rings, exact[filled], atol=0.08)


@pytest.mark.parametrize("tilt", [0, 25, 50])
def test_clear_grains_show_the_sphere_even_in_a_view_that_is_a_little_off(tilt: float) -> None:
    view, seat = view_from(tilt), ALL_SEATS.index("R2")
    nearer = [i for i in range(14) if view_distance(view, i) < view_distance(view, seat)]
    there = sum(1 << i for i in nearer)
    picture = painted(view, "R2", 255)
    for i in nearer:
        outline = view.sphere_outline(SEATS[i], RADIUS)
        cv2.fillPoly(picture, [np.round(outline.points(200)).astype(np.int32)], (0, 0, 0))
    aside = np.add(view.pose.tvec, (0.4, 0.4, 0.0))
    off = View(view.camera, Pose.of(view.pose.rvec, aside))
    looks = looks_of(picture, off)
    shown = looks.seen([seat], [there])
    assert 0 < shown.clear.sum() < shown.grains.sum()
    assert not (shown.clear & ~shown.grains).any()
    assert (looks.grains.tones[seat][shown.clear[0]] ** 3).min() > 0.9


def view_distance(view: View, seat: int) -> float:
    return float(np.linalg.norm(SEATS[seat] - view.pose.eye))


def test_nearer_spheres_hide_and_farther_ones_do_not() -> None:
    looks = looks_of(painted(view_from(30), "C", 255), view_from(30))
    for seat, hiders in enumerate(looks.may_hide):
        for other in range(len(SEATS)):
            if hiders >> other & 1:
                assert looks.distance[other] < looks.distance[seat]
    assert looks.may_hide[ALL_SEATS.index("C")] >> ALL_SEATS.index("A") & 1
    assert looks.may_hide[ALL_SEATS.index("A")] == 0
    assert list(looks.order) == sorted(range(29), key=lambda seat: looks.distance[seat])


def test_what_lies_beyond_the_picture_is_not_seen() -> None:
    view = View(Camera.of_fov(SIZE, 60.0), Pose.looking_at((60.0, 0.0, 120.0), (60.0, 0.0, 0.0)))
    looks = looks_of(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), view)
    left = int(np.argmin(looks.outlines[:, 0]))
    shown = looks.seen([left], [0])
    assert not shown.rings.all()
    assert not shown.grains.all()
    assert 0 <= shown.visible[0] < 1


def test_many_places_are_seen_past_spheres_as_each_of_them_is() -> None:
    looks = looks_of(painted(view_from(40), "C", 255), view_from(40))
    asked = [(seat, there) for seat in range(len(SEATS)) for there in (0, 0b1010101 << 7, 1 << 29)]
    together = looks.seen([seat for seat, _ in asked], [there for _, there in asked])
    for number, (seat, there) in enumerate(asked):
        alone = looks.seen([seat], [there])
        for kind in ("rings", "grains", "clear"):
            np.testing.assert_array_equal(getattr(together, kind)[number], getattr(alone, kind)[0])


def test_more_places_than_a_set_holds_are_refused() -> None:
    many = np.tile(SEATS, (3, 1))
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    with pytest.raises(ValueError, match="64"):
        looks_of(picture, view_from(10), many)
    assert len(looks_of(picture, view_from(10), many, hiders=14).tones) == len(many)


def test_only_the_first_places_may_hide_others() -> None:
    view = view_from(40)
    picture = painted(view, "C", 255)
    whole, first = looks_of(picture, view), looks_of(picture, view, hiders=14)
    assert all(hiders < 1 << 14 for hiders in first.may_hide)
    assert [hiders & (1 << 14) - 1 for hiders in whole.may_hide] == list(first.may_hide)
    assert not any(looks_of(picture, view, hiders=0).may_hide)


def test_a_highlight_between_the_samples_is_noticed() -> None:
    view, seat = view_from(30), ALL_SEATS.index("R2")
    dark = painted(view, "R2", 20)
    plain = looks_of(dark, view)
    outline = plain.outlines[seat]
    spot = outline[:2] + 0.3 * outline[2] * np.array([np.cos(0.2), np.sin(0.2)])
    cv2.circle(dark, np.round(spot).astype(int).tolist(), 1, (250, 250, 250), -1)
    shiny = looks_of(dark, view)
    inner = (seat, slice(None), slice(0, INSIDE - 1))
    assert plain.highs[inner].max() < 0.3
    assert shiny.highs[inner].max() > 0.5
    np.testing.assert_allclose(shiny.lows[inner], plain.lows[inner], atol=0.02)
