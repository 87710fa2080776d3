"""Light and film: shadows where light is blocked, cameras that err in the way they are told to."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from lab.rendering.film import develop
from lab.rendering.light import Beam
from lab.rendering.scene import Ball, Film, Light, Paint, Room, Scene, Table
from lab.rendering.shade import radiance
from lab.rendering.shadow import past_ball

GREY = Paint((0.5, 0.5, 0.5))


def scene_of(*balls: Ball, light: Light, room: float = 0.1) -> Scene:
    table = Table("plain", 0.0, np.full((4, 4, 3), 0.5, np.float32), 1.0, 0.0, 0.0, 0.1)
    view = View(Camera.of_fov((64, 48), 60), Pose.looking_at((0, 0, 300)))
    return Scene(view, balls, (), table, (light,), Room((room,) * 3, (room,) * 3))


def seen_at(scene: Scene, x: float, y: float) -> float:
    """Radiance of the table at a place, seen from straight above it."""
    eye = np.array([x, y, 300.0], dtype=np.float32)
    return float(radiance(scene, eye, np.array([[0.0, 0.0, -1.0]], np.float32))[0].mean())


def sampled_share(ball: Ball, light: Light) -> float:
    """Share of the light that reaches the origin, by brute force."""
    rng = np.random.default_rng(1)
    spots = rng.normal(size=(20000, 3))
    spots /= np.linalg.norm(spots, axis=1, keepdims=True)
    way = np.array(light.position)
    spots -= np.outer(spots @ way, way) / (way @ way)  # the disc that faces the origin
    spots *= (light.radius * np.sqrt(rng.random(len(spots))) / np.linalg.norm(spots, axis=1))[
        :, None
    ]
    rays = spots + way
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    along = rays @ np.array(ball.centre)
    beside = np.dot(ball.centre, ball.centre) - along**2
    return float(1 - ((along > 0) & (beside < ball.radius**2)).mean())


@pytest.mark.parametrize("aside", [0.0, 6.0, 12.0, 18.0, 25.0, 40.0])
def test_soft_shadows_are_what_sampling_gives(aside: float) -> None:
    ball = Ball((aside, 0.0, 60.0), 10.0, GREY)
    light = Light((0.0, 0.0, 500.0), 80.0, (1, 1, 1))
    beam = Beam.to(light, np.zeros((1, 3), np.float32))
    assert past_ball(ball, np.zeros((1, 3), np.float32), beam)[0] == pytest.approx(
        sampled_share(ball, light), abs=0.05
    )


def test_a_shadow_lies_opposite_the_light() -> None:
    light = Light((3000.0, 0.0, 3000.0), 20.0, (1, 1, 1))
    scene = scene_of(Ball((0.0, 0.0, 30.0), 10.0, GREY), light=light)
    assert seen_at(scene, -30.0, 0.0) < 0.25 * seen_at(scene, 60.0, 0.0)
    assert seen_at(scene, 30.0, 0.0) > 0.8 * seen_at(scene, 60.0, 0.0)


def test_a_slit_lets_light_fall_in_a_strip() -> None:
    """Along x, 20 mm from the origin, 5 mm to either side; shifted where a ball is higher."""
    sun = Light((0.0, 7e4, 7e4), 300.0, (1, 1, 1), slit=(0.0, 20.0, 5.0))
    scene = scene_of(light=sun)
    assert seen_at(scene, 300.0, 20.0) > 4 * seen_at(scene, 300.0, 28.0)
    assert seen_at(scene, 0.0, 12.0) == pytest.approx(seen_at(scene, 0.0, 100.0))


def test_a_coloured_ball_tints_the_table_beside_it() -> None:
    light = Light((0.0, 0.0, 3000.0), 20.0, (1, 1, 1))
    red = Ball((0.0, 0.0, 10.0), 10.0, Paint((0.8, 0.02, 0.02)))
    scene = scene_of(red, light=light)
    eye = np.array([[11.0, 0.0, 300.0]], dtype=np.float32)[0]
    color = radiance(scene, eye, np.array([[0.0, 0.0, -1.0]], np.float32))[0][0]
    assert color[0] > 1.05 * color[2]


def test_a_glossy_ball_has_a_highlight_where_it_mirrors_the_lamp() -> None:
    lamp = Light((0.0, 0.0, 1000.0), 30.0, (1, 1, 1))
    dull = scene_of(Ball((0.0, 0.0, 10.0), 10.0, GREY), light=lamp)
    glossy = scene_of(Ball((0.0, 0.0, 10.0), 10.0, Paint((0.5, 0.5, 0.5), 1.0, 0.02)), light=lamp)
    assert seen_at(glossy, 0.0, 0.0) > 3 * seen_at(dull, 0.0, 0.0)
    assert seen_at(glossy, 5.0, 0.0) < 1.3 * seen_at(dull, 5.0, 0.0)


def test_a_polished_table_mirrors_the_ball_that_stands_on_it() -> None:
    """Seen at a slant, in front of the ball, where the table would else mirror the room."""
    lamp = Light((0.0, 0.0, 2000.0), 30.0, (1, 1, 1))
    red = Ball((0.0, 0.0, 10.0), 10.0, Paint((0.9, 0.02, 0.02)))
    matt = scene_of(red, light=lamp, room=0.5)
    polished = replace(matt, table=replace(matt.table, gloss=1.0, blur=0.02))
    place, eye = np.array([0.0, -14.0, 0.0]), np.array([0.0, -300.0, 30.0])
    ray = ((place - eye) / np.linalg.norm(place - eye))[None].astype(np.float32)
    plain, mirroring = (
        radiance(scene, eye.astype(np.float32), ray)[0][0] for scene in (matt, polished)
    )
    assert mirroring[0] / mirroring[2] > 1.1 * plain[0] / plain[2]


def grey_card(level: float = 0.18) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.full((60, 80, 3), level, dtype=np.float32)


def developed(film: Film) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return develop(grey_card(), film, np.random.default_rng(5)).astype(float)


def test_an_evenly_lit_card_becomes_middle_grey() -> None:
    assert developed(Film()).mean() == pytest.approx(118, abs=4)


def test_exposure_balance_and_vignette_do_what_they_say() -> None:
    assert developed(Film(exposure=2.0)).mean() > 140
    blue, _, red = developed(Film(balance=(1.3, 1.0, 0.7))).mean(axis=(0, 1))
    assert red > 118 > blue
    dark_corners = developed(Film(vignette=0.5))
    assert dark_corners[0, 0].mean() < dark_corners[30, 40].mean() - 15


def test_noise_is_as_strong_as_asked() -> None:
    quiet, loud = (developed(Film(noise=noise, jpeg=100)).std() for noise in (0.01, 0.06))
    assert quiet < 3
    assert loud > 3 * quiet


def test_blur_spreads_an_edge() -> None:
    card = grey_card()
    card[:, 40:] = 0.02
    sharp, soft, shaken = (
        develop(card, film, np.random.default_rng(1))[30, :, 1].astype(int)
        for film in (Film(), Film(defocus_px=3.0), Film(motion_px=6.0))
    )
    for blurred in (soft, shaken):
        assert np.abs(np.diff(blurred)).max() < 0.5 * np.abs(np.diff(sharp)).max()


def test_a_darker_room_is_no_darker_picture_but_a_lamp_is_warmer() -> None:
    light = Light((0.0, 0.0, 1000.0), 50.0, (1.2, 1.0, 0.6))
    scene = scene_of(light=light)
    eye = np.array([0.0, 0.0, 300.0], dtype=np.float32)
    ray = np.array([[0.0, 0.0, -1.0]], np.float32)
    color = radiance(replace(scene, room=Room((0, 0, 0), (0, 0, 0))), eye, ray)[0][0]
    assert color[0] == pytest.approx(0.6, abs=0.05)
    assert color[2] == pytest.approx(0.3, abs=0.05)
