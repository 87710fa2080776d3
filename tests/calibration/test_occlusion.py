"""Occlusion: shares and owners, from cases that can be worked out and against each other."""

import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import load_profile
from calibration.occlusion import NOBODY, hiding, owners, visible_shares
from rules.dimension.layout import Layout
from rules.dimension.places import ALL_SEATS

RADIUS = 10.0
FROM_ABOVE = View(Camera.of_fov((1024, 768), 60), Pose.looking_at((0, 0, 300)))
OBLIQUE = View(
    Camera.of_photo((1024, 768), 62, -0.02), Pose.looking_at((60, -190, 150), (5, 3, 0), 25)
)


def full_pyramid() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    layout = Layout.parse("OKBGGWB/K.B.O./K")
    return seat_array(load_profile("disc"))[[ALL_SEATS.index(seat) for seat, _ in layout]]


def test_a_lone_sphere_is_seen_wholly() -> None:
    assert visible_shares(FROM_ABOVE, (0, 0, 0), RADIUS) == pytest.approx([1.0])


def test_a_sphere_right_behind_another_is_not_seen() -> None:
    shares = visible_shares(FROM_ABOVE, [(0, 0, 0), (0, 0, 30)], RADIUS)
    assert shares == pytest.approx([0.0, 1.0])


def test_half_overlapping_discs_leave_what_geometry_says() -> None:
    """From afar outlines are equal circles; the lens two of them share has a known area."""
    afar = View(Camera.of_fov((1024, 768), 1.0), Pose.looking_at((0, 0, 50_000)))
    shares = visible_shares(afar, [(0, 0, 0), (10, 0, 25)], RADIUS)
    lens = (2 * np.pi / 3 - np.sqrt(3) / 2) / np.pi
    assert shares == pytest.approx([1 - lens, 1.0], abs=0.005)


def test_shares_agree_with_counted_pixels() -> None:
    centres = full_pyramid()
    shares = visible_shares(OBLIQUE, centres, RADIUS)
    label = owners(OBLIQUE, centres, RADIUS)
    for index, share in enumerate(shares):
        outline = OBLIQUE.sphere_outline(centres[index], RADIUS)
        area = np.pi * outline.major * outline.minor
        assert (label == index).sum() / area == pytest.approx(share, abs=0.01)


def test_the_nearest_sphere_owns_the_pixel() -> None:
    label = owners(FROM_ABOVE, [(0, 0, 0), (0, 0, 30), (60, 0, 0)], RADIUS)
    assert label[383, 511] == 1
    u, v = FROM_ABOVE.project((60, 0, 0))[0].round().astype(int)
    assert label[v, u] == 2
    assert label[0, 0] == NOBODY


def test_a_region_is_a_window_on_the_whole() -> None:
    centres = full_pyramid()
    whole = owners(OBLIQUE, centres, RADIUS)
    part = owners(OBLIQUE, centres, RADIUS, region=(450, 300, 600, 420), step=3)
    assert np.array_equal(part, whole[300:420:3, 450:600:3])


def test_any_set_of_spheres_is_looked_up() -> None:
    """Computed once for all seats, the table answers as a fresh computation would."""
    seats = seat_array(load_profile("disc"))
    present = np.array([seat in ("C", "R0", "R1", "T0", "S11") for seat in ALL_SEATS])
    looked_up = hiding(OBLIQUE, seats, RADIUS).visible(present)
    assert looked_up[present] == pytest.approx(visible_shares(OBLIQUE, seats[present], RADIUS))
    assert looked_up[ALL_SEATS.index("S00")] == pytest.approx(1.0, abs=0.3)


def test_a_hidden_centre_is_found_hidden() -> None:
    """Seen from above, a full pyramid's centre is wholly covered."""
    shares = visible_shares(FROM_ABOVE, full_pyramid(), RADIUS)
    assert shares[0] < 0.02
    assert shares[-1] == 1.0


def test_a_sphere_behind_the_camera_has_no_share() -> None:
    near = View(Camera.of_fov((1024, 768), 60), Pose.looking_at((0, 0, 50)))
    shares = visible_shares(near, [(0, 0, 0), (0, 0, 100)], RADIUS)
    assert shares[0] == 1.0
    assert np.isnan(shares[1])
    assert set(np.unique(owners(near, [(0, 0, 100)], RADIUS))) == {NOBODY}
