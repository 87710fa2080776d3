import numpy as np
import pytest

from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import load_profile
from calibration.occlusion import visible_shares
from tests.vision.dimension.readings import make_reading, view_from
from vision.dimension.reading import Reading
from vision.dimension.reporting.viewpoint import better_view, viewpoint, visible_from

PYRAMID = "OKBGGWB/K.B.O./K"


@pytest.mark.parametrize("tilt", [0.0, 15.0, 30.0, 50.0])
@pytest.mark.parametrize("azimuth", [-90.0, 20.0, 130.0])
def test_the_direction_of_view_is_told_from_the_seats(tilt: float, azimuth: float) -> None:
    view = view_from(tilt, azimuth)
    found = viewpoint(make_reading(PYRAMID, view=view))
    assert found is not None
    eye = view.pose.eye / np.linalg.norm(view.pose.eye)
    assert np.degrees(np.arccos(np.clip(found.toward @ eye, -1, 1))) < 8.0


def test_without_seats_there_is_no_direction() -> None:
    nothing = Reading.refused("x.jpg", "no_tray", "")
    assert viewpoint(nothing) is None
    assert better_view(nothing, ["C"]) is None


@pytest.mark.parametrize("tilt", [5.0, 30.0, 50.0])
def test_shares_are_about_those_of_a_camera(tilt: float) -> None:
    profile = load_profile("disc")
    view = view_from(tilt, distance=2000.0)
    present = list(range(14))
    exact = visible_shares(view, seat_array(profile)[:14], profile.sphere_radius_mm)
    toward = (view.pose.eye / np.linalg.norm(view.pose.eye))[None]
    for seat in (0, 1, 4):
        assert visible_from(toward, seat, present)[0] == pytest.approx(exact[seat], abs=0.06)


def test_no_better_view_of_what_is_in_the_open() -> None:
    assert better_view(make_reading("O....../....../."), ["C"]) is None


@pytest.mark.parametrize(("seat", "azimuth"), [("R0", -90.0), ("R1", -150.0), ("R5", -30.0)])
def test_what_is_behind_the_pyramid_is_seen_from_elsewhere(seat: str, azimuth: float) -> None:
    reading = make_reading(PYRAMID, view=view_from(50.0, azimuth))
    hint = better_view(reading, [seat])
    assert hint is not None
    assert hint.visible > reading.seats[seat].visible + 0.1
    assert "bottom" not in hint.text


def test_the_centre_of_a_full_pyramid_is_hidden_from_everywhere() -> None:
    hint = better_view(make_reading(PYRAMID), ["C"])
    assert hint is None or hint.visible < 0.3
