"""Views: projection as OpenCV's, and the exact outline of a sphere."""

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.camera import Camera, Pose, View

SIZE = (1024, 768)


@st.composite
def views(draw: st.DrawFn) -> View:
    camera = Camera.of_photo(SIZE, draw(st.floats(50, 75)), draw(st.floats(-0.035, 0.03)))
    tilt, around = np.radians(draw(st.floats(0, 60))), draw(st.floats(0, 6.3))
    distance = draw(st.floats(150, 600))
    side = np.sin(tilt) * np.array([np.cos(around), np.sin(around)])
    eye = distance * np.array([*side, np.cos(tilt)])
    return View(camera, Pose.looking_at(eye, (0, 0, 0), draw(st.floats(-180, 180))))


@given(views())
def test_projection_is_opencvs(view: View) -> None:
    points = np.random.default_rng(1).uniform(-60, 60, (20, 3))
    camera, pose = view.camera, view.pose
    expected, _ = cv2.projectPoints(
        points, np.array(pose.rvec), np.array(pose.tvec), camera.matrix, camera.distortion
    )
    assert view.project(points) == pytest.approx(expected.reshape(-1, 2), abs=1e-6)


@given(views())
def test_a_pixels_ray_goes_back_to_the_point(view: View) -> None:
    points = np.array([[10.0, -20.0, 5.0], [0.0, 40.0, 5.0], [0.0, 0.0, 5.0]])
    assert view.on_plane(view.project(points), 5.0) == pytest.approx(points, abs=1e-6)


def grazing_points(view: View, centre: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Where rays touch the sphere: a circle, found without the formula under test."""
    to_eye = view.pose.eye - centre
    distance = np.linalg.norm(to_eye)
    axis = to_eye / distance
    first = np.cross(axis, [0.3, 0.5, 0.81])
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    turn = np.linspace(0, 2 * np.pi, 90)[:, None]
    height, width = radius**2 / distance, radius * np.sqrt(1 - (radius / distance) ** 2)
    circle = width * (np.cos(turn) * first + np.sin(turn) * second)
    return np.asarray(centre + height * axis + circle)


PLACES = st.tuples(st.floats(-60, 60), st.floats(-60, 60), st.floats(0, 40))


def beside_outline(view: View, centre: tuple[float, float, float]) -> float:
    """How far grazing points lie beside the outline, as a share of its radius."""
    outline = view.sphere_outline(centre, 10.0)
    points = view.project(grazing_points(view, np.array(centre), 10.0))
    offset = points - (outline.u, outline.v)
    cos, sin = np.cos(outline.angle), np.sin(outline.angle)
    along = (offset @ (cos, sin)) / outline.major
    across = (offset @ (-sin, cos)) / outline.minor
    return float(np.abs(np.hypot(along, across) - 1.0).max())


@given(views(), PLACES)
def test_the_outline_is_where_rays_graze_the_sphere(
    view: View, centre: tuple[float, float, float]
) -> None:
    pinhole = View(Camera.of_fov(SIZE, view.camera.fov_deg), view.pose)
    assert beside_outline(pinhole, centre) < 1e-6


@given(views(), PLACES)
def test_distortion_hardly_keeps_an_outline_from_being_an_ellipse(
    view: View, centre: tuple[float, float, float]
) -> None:
    assume(np.hypot(*(view.project(centre)[0] - view.camera.principal)) < 640)
    assert beside_outline(view, centre) < 0.012


def test_an_outlines_centre_is_not_the_spheres() -> None:
    view = View(Camera.of_fov(SIZE, 65), Pose.looking_at((0, -200, 140)))
    centre = (40.0, -30.0, 6.0)
    outline = view.sphere_outline(centre, 10.0)
    beside = np.hypot(*(view.project(centre)[0] - (outline.u, outline.v)))
    assert 0.2 < beside < 3.0
    assert outline.major > outline.minor


def test_points_of_an_ellipse_lie_on_it() -> None:
    view = View(Camera.of_fov(SIZE, 65), Pose.looking_at((0, -200, 140)))
    outline = view.sphere_outline((40.0, -30.0, 6.0), 10.0)
    distance = np.hypot(*(outline.points(400) - (outline.u, outline.v)).T)
    assert distance.max() == pytest.approx(outline.major, rel=1e-3)
    assert distance.min() == pytest.approx(outline.minor, rel=1e-3)


def test_from_above_the_tray_is_seen_as_labelled() -> None:
    """Not mirrored: +x to the right, +y up, so that clockwise stays clockwise."""
    view = View(Camera.of_fov(SIZE, 60), Pose.looking_at((0, 0, 300)))
    middle, right, up = view.project([(0, 0, 0), (10, 0, 0), (0, 10, 0)])
    assert middle == pytest.approx((511.5, 383.5))
    assert right[0] > middle[0]
    assert up[1] < middle[1]
    assert view.pose.tilt_deg == pytest.approx(0.0, abs=1e-5)


def test_what_lies_behind_is_not_seen() -> None:
    view = View(Camera.of_fov(SIZE, 60), Pose.looking_at((0, 0, 50)))
    assert np.isnan(view.project((0, 0, 60))).all()
    assert np.isnan(view.sphere_outlines([(0, 0, 45)], 10.0)).all()
    with pytest.raises(ValueError, match="not before the camera"):
        view.sphere_outline((0, 0, 45), 10.0)


def test_a_photos_lens_is_the_inverse_model_about_its_middle() -> None:
    camera = Camera.of_photo(SIZE, 62.0, -0.03)
    photo = np.array([[900.0, 600.0], [200.0, 300.0]])
    offset = photo - camera.principal
    stretch = 1 - 0.03 * np.sum(offset**2, axis=1, keepdims=True) / 512**2
    assert camera.to_plane(photo) * camera.focal_px == pytest.approx(offset * stretch, abs=0.1)


def test_resized_and_cropped_cameras_see_the_same() -> None:
    pose = Pose.looking_at((30, -100, 200), roll_deg=20)
    camera = Camera.of_fov(SIZE, 60, k1=0.05)
    point = (20.0, 10.0, 3.0)
    u, v = View(camera, pose).project(point)[0]
    assert View(camera.resized(512, 384), pose).project(point)[0] == pytest.approx(
        ((u + 0.5) / 2 - 0.5, (v + 0.5) / 2 - 0.5)
    )
    assert View(camera.cropped(100, 50, 600, 500), pose).project(point)[0] == pytest.approx(
        (u - 100, v - 50)
    )
    assert camera.fov_deg == pytest.approx(60)


@given(views())
def test_a_pose_from_its_own_matrix_is_the_same(view: View) -> None:
    again = Pose.of(view.pose.rotation, view.pose.tvec)
    assert again.rotation == pytest.approx(view.pose.rotation, abs=1e-6)
    assert View(view.camera, again).depth([(0, 0, 0)]) == pytest.approx(view.depth([(0, 0, 0)]))
