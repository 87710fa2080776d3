"""A view that is a little off, drawn to what lies on the tray."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.camera import Pose, View
from calibration.dimension.geometry import seat_array
from lab.dimension.make import Made, Seeds, Wishes, make
from lab.dimension.truth import profile_of, view_of
from rules.dimension.layout import Layout
from rules.dimension.places import ALL_SEATS
from vision.dimension.locating.locate import Located
from vision.dimension.observing.redraw import redrawn
from vision.photo import Photo, load_photo

LAYOUT = Layout.parse("BKGOW.O/G...../.")


@cache
def made() -> Made:
    wishes = Wishes((512, 384), layout=LAYOUT, light="office", tilt_deg=(20, 30))
    return make(Seeds.of(5, 7), wishes)


@cache
def pictured() -> tuple[Photo, View]:
    _, file = cv2.imencode(".png", made().picture)
    view = view_of(made().truth)
    assert view is not None
    return load_photo(file.tobytes()), view


def aside(view: View, share: float) -> View:
    """The view moved sideways by a share of a sphere's diameter."""
    move = np.array([share * profile_of(made().truth).sphere_mm, 0.0, 0.0])
    return replace(view, pose=Pose.of(view.pose.rvec, np.array(view.pose.tvec) + move))


def off(view: View) -> float:
    """How far the seats are from where they are, in diameters, that which is farthest off."""
    profile, (_, true) = profile_of(made().truth), pictured()
    seats = seat_array(profile)
    apart = view.project(seats) - true.project(seats)
    diameter = true.pixels_per_mm(seats) * profile.sphere_mm
    return float((np.linalg.norm(apart, axis=1) / diameter).max())


def located(view: View) -> Located:
    profile = profile_of(made().truth)
    return Located(view, profile, score=1.0, cropped=False, others=0, sure=True)


@pytest.mark.parametrize("share", [-0.06, 0.07])
def test_a_view_that_is_off_is_drawn_to_what_lies_on_the_tray(share: float) -> None:
    photo, true = pictured()
    view = aside(true, share)
    assert off(view) > 0.05
    again, found = redrawn(photo, located(view))
    assert off(again.view) < 0.03
    assert [ALL_SEATS[seat] for seat in np.flatnonzero(found.filled)] == filled_seats()


def test_a_view_that_is_right_stays_what_it_is() -> None:
    photo, view = pictured()
    again, found = redrawn(photo, located(view))
    assert again.view is view
    assert [ALL_SEATS[seat] for seat in np.flatnonzero(found.filled)] == filled_seats()


def filled_seats() -> list[str]:
    return [seat for seat in ALL_SEATS if seat in made().truth["spheres"]]
