"""Ray casting agrees with the cameras and the occlusion that the product computes."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Camera, Pose, View
from calibration.dimension.profile import load_profile
from calibration.occlusion import owners, visible_shares
from lab.dimension.arrange import arrange
from lab.dimension.setting import draw_setting
from lab.rendering.cast import HitKind, Hits, cast
from lab.rendering.scene import Scene
from rules.dimension.layout import Layout

SIZE = (384, 288)
FULL = Layout.parse("OKBGGWB/K.B.O./K")


def scene_with(layout: Layout, view: View, seed: int = 1) -> Scene:
    """The built-in disc with this layout, nothing beside it."""
    rng = np.random.default_rng(seed)
    setting = draw_setting(rng, load_profile("disc"), "window", "plain")
    things = arrange(rng, setting, "play", layout, neighbours=0)
    seated = tuple(ball for ball in things.balls if ball.seat is not None)
    return Scene(view, seated, things.blocks[:1], setting.table, setting.lights, setting.room)


def look(scene: Scene) -> Hits:
    """What every pixel's ray meets."""
    camera = scene.view.camera
    grid = np.stack(np.meshgrid(np.arange(camera.width), np.arange(camera.height)), axis=-1)
    rays = scene.view.rays(grid.reshape(-1, 2).astype(float)).astype(np.float32)
    return cast(scene, scene.view.pose.eye.astype(np.float32), rays)


def view_from(tilt_deg: float, lens_k1: float = -0.02) -> View:
    tilt = np.radians(tilt_deg)
    eye = 260 * np.array([0.6 * np.sin(tilt), -0.8 * np.sin(tilt), np.cos(tilt)])
    return View(Camera.of_photo(SIZE, 60, lens_k1), Pose.looking_at(eye, (4, -3, 0), 20))


def ball_mask(hits: Hits, index: int) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = (hits.kind == HitKind.BALL) & (hits.index == index)
    return mask.reshape(SIZE[1], SIZE[0])


@pytest.mark.parametrize("tilt", [0.0, 25.0])
def test_every_pixel_shows_the_sphere_that_owns_it(tilt: float) -> None:
    scene = scene_with(FULL, view_from(tilt))
    hits = look(scene)
    centres = np.array([ball.centre for ball in scene.balls])
    expected = owners(scene.view, centres, scene.balls[0].radius)
    seen = np.where(hits.kind == HitKind.BALL, hits.index, -1).reshape(expected.shape)
    assert (seen != expected).mean() < 2e-4  # single against double precision, at edges


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_visible_shares_are_the_pixels_that_are_seen(seed: int) -> None:
    scene = scene_with(FULL, view_from(15.0), seed)
    hits = look(scene)
    centres = np.array([ball.centre for ball in scene.balls])
    shares = visible_shares(scene.view, centres, scene.balls[0].radius)
    outlines = scene.view.sphere_outlines(centres, scene.balls[0].radius)
    for index, share in enumerate(shares):
        area = np.pi * outlines[index, 2] * outlines[index, 3]
        assert ball_mask(hits, index).sum() / area == pytest.approx(share, abs=0.03)


def test_a_spheres_silhouette_is_its_outline() -> None:
    view = view_from(20.0)
    fine = View(view.camera.resized(4 * SIZE[0], 4 * SIZE[1]), view.pose)
    scene = scene_with(Layout.parse("O....../....../."), fine)
    alone = replace(scene, balls=scene.balls[:1])
    mask = (look(alone).kind == HitKind.BALL).reshape(4 * SIZE[1], 4 * SIZE[0])
    outline = alone.view.sphere_outline(alone.balls[0].centre, alone.balls[0].radius)
    v, u = np.nonzero(mask)
    assert (u.mean(), v.mean()) == pytest.approx((outline.u, outline.v), abs=0.06)
    assert mask.sum() == pytest.approx(np.pi * outline.major * outline.minor, rel=0.001)
    assert u.max() - u.min() + 1 == pytest.approx(2 * outline.radius, abs=1.5)


def test_holes_are_deep_and_walled() -> None:
    """From above one sees a hole's floor; from the side its far wall, and less of the floor."""
    empty = Layout()
    floors = []
    for tilt in (0.0, 45.0):
        scene = scene_with(empty, view_from(tilt))
        bare = replace(scene, balls=())
        kind = look(bare).kind
        floors.append(np.isin(kind, (HitKind.FLOOR, HitKind.TABLE)).sum())
        walls = (kind == HitKind.WALL).sum()
        assert walls > (500 if tilt else 0)
        assert (kind == HitKind.FACE).sum() > 5000
    assert floors[0] > 0


def test_a_ray_into_a_hole_ends_on_its_floor() -> None:
    scene = replace(scene_with(Layout(), view_from(0.0)), balls=())
    tray = scene.blocks[0]
    assert tray.recesses is not None
    eye = np.array([0.0, 0.0, 100.0], dtype=np.float32)
    hits = cast(scene, eye, np.array([[0.0, 0.0, -1.0]], dtype=np.float32))
    assert hits.kind[0] in (HitKind.FLOOR, HitKind.TABLE)
    assert 100 - hits.distance[0] == pytest.approx(tray.recesses.floor_z, abs=1e-3)


def test_a_slanting_ray_meets_the_wall_of_a_hole_where_geometry_says() -> None:
    """It enters at the centre and runs 2 mm sideways for each mm down: 3.75 mm below the face."""
    scene = replace(scene_with(Layout(), view_from(0.0)), balls=())
    way = np.array([2.0, 0.0, -1.0]) / np.sqrt(5)
    eye = (-way * 50).astype(np.float32)
    hits = cast(scene, eye, way[None].astype(np.float32))
    assert hits.kind[0] == HitKind.WALL
    assert (eye + way * hits.distance[0])[2] == pytest.approx(-3.75, abs=0.05)
    assert hits.normal[0] == pytest.approx((-1, 0, 0), abs=1e-3)


def test_the_trays_side_hides_the_table_behind_it() -> None:
    scene = replace(scene_with(Layout(), view_from(0.0)), balls=())
    way = np.array([1.0, 0.0, -0.02]) / np.hypot(1.0, 0.02)
    height = scene.blocks[0].bottom / 2
    eye = (np.array([-68.0, 0.0, height]) - way * 40 + (0, 0, 0)).astype(np.float32)
    eye[2] = max(float(eye[2]), 0.5)
    way = np.array([-68.0, 0.0, height]) - eye
    way /= np.linalg.norm(way)
    hits = cast(scene, eye, way[None].astype(np.float32))
    assert hits.kind[0] == HitKind.SIDE
    assert (eye + way * hits.distance[0])[0] == pytest.approx(-68.0, abs=0.1)
    assert hits.normal[0] == pytest.approx((-1, 0, 0), abs=0.02)
