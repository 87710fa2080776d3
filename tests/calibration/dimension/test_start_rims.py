"""What is seen of holes whose walls are as dark as their face, and how far bright things spread."""

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.dimension.profile import TrayProfile
from calibration.dimension.start.measure import Measured, measure
from calibration.dimension.start.model import FLOOR, START_UNKNOWNS, TYPICAL, State, floor_depth
from calibration.dimension.start.rims import RIMS, spreading, start_edges, start_support
from calibration.edges import Floats, smooth
from calibration.ellipses import VIEW_UNKNOWNS, Rounds, unknowns_of
from calibration.refine import Edges, find_edges
from lab.dimension.make import Seeds, Wishes, make
from rules.dimension.places import HOLES, SPHERES

SIZE = (640, 480)
DEPTH = 0.4


def from_above() -> State:
    """A tray of the typical measures with deep holes, seen from straight above."""
    view = View(Camera.of_fov(SIZE, 60), Pose.looking_at(np.array([0.0, 0.0, 9.0])))
    base, unknowns = unknowns_of(view)
    start = np.zeros(START_UNKNOWNS)
    start[:5] = TYPICAL.unknowns
    start[FLOOR] = DEPTH
    return State(base, np.concatenate([unknowns, start]), SIZE)


def circle(state: State, index: int) -> Floats:
    """Share (rows, columns) of each pixel that lies within a rim or floor of the pattern."""
    seen, fine = state.seen, 4
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    around = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    pixels = state.view.project(seen.centres[index] + seen.radii[index] * around)
    drawn = np.zeros((SIZE[1] * fine, SIZE[0] * fine), dtype=np.float32)
    cv2.fillPoly(drawn, [np.rint((pixels + 0.5) * fine - 0.5).astype(np.int32)], 1.0)
    return np.asarray(cv2.resize(drawn, SIZE, interpolation=cv2.INTER_AREA), dtype=np.float32)


def lit_floors(state: State) -> Floats:
    """A dark picture in which light comes through the holes alone."""
    light = np.zeros((SIZE[1], SIZE[0]), dtype=np.float32)
    for hole in range(SPHERES, RIMS):
        light += np.minimum(circle(state, hole), circle(state, hole + HOLES))
    grey = (20 + 200 * light).astype(np.uint8)
    return smooth(np.repeat(grey[..., None], 3, axis=2))


def test_floors_lie_beneath_their_rims_and_never_above() -> None:
    state = from_above()
    seen = state.seen
    rims, floors = seen.centres[SPHERES:RIMS], seen.centres[RIMS:]
    assert np.allclose(rims[:, :2], floors[:, :2])
    assert np.allclose(rims[:, 2] - floors[:, 2], DEPTH, atol=1e-3)
    assert (floor_depth(np.array([-1.0, 0.0, 0.1])) >= 0).all()
    assert floor_depth(np.array([0.5])) == pytest.approx(0.5, abs=1e-3)


def test_edges_are_found_where_light_ends_not_at_hidden_rims() -> None:
    state = from_above()
    picture = lit_floors(state)
    edges = start_edges(picture, state.view, state.seen, 0.08)
    of_holes = edges.owner >= SPHERES
    assert np.abs(edges.offset[of_holes]).max() < 0.05
    rims = Rounds(state.rounds.centres[SPHERES:], state.rounds.radii[SPHERES:], np.ones(HOLES))
    alone = find_edges(picture, state.view, rims, 0.08)
    assert np.abs(alone.offset).max() > 0.05


def test_a_hole_is_supported_by_rim_and_floor_together() -> None:
    state = from_above()
    support = start_support(lit_floors(state), state.view, state.seen)
    assert support.shape == (SPHERES + HOLES,)
    assert (support[SPHERES:] > 0.7).all()
    flat = state.moved(state.unknowns + np.eye(len(state.unknowns))[VIEW_UNKNOWNS + FLOOR] * -1.0)
    as_if_flat = start_support(lit_floors(state), state.view, flat.seen)
    assert as_if_flat[SPHERES:].mean() < support[SPHERES:].mean() - 0.1


@pytest.mark.parametrize(("inside", "outside"), [(240, 20), (20, 240)])
def test_what_is_bright_spreads_over_what_is_dark(inside: int, outside: int) -> None:
    """Blurred as light, found in the coded picture: the edge lies on the dark side."""
    state = from_above()
    share = circle(state, SPHERES)[..., None]
    light = cv2.GaussianBlur(
        (inside / 255) ** 2.2 * share + (outside / 255) ** 2.2 * (1 - share), (0, 0), 3.0
    )
    coded = (255 * light ** (1 / 2.2)).astype(np.uint8)
    picture = smooth(np.repeat(coded.reshape(SIZE[1], SIZE[0], 1), 3, axis=2))
    rim = Rounds(
        state.rounds.centres[SPHERES : SPHERES + 1], np.array([TYPICAL.hole / 2]), np.ones(1)
    )
    edges = find_edges(picture, state.view, rim, 0.2)
    found, expected = np.median(edges.offset), np.median(spreading(picture, edges))
    assert np.sign(found) == np.sign(expected) == np.sign(inside - outside)


def test_equal_sides_do_not_spread() -> None:
    state = from_above()
    plain = np.full((SIZE[1], SIZE[0], 3), 120, dtype=np.float32)
    edges: Edges = find_edges(plain, state.view, state.rounds, 0.05)
    assert np.abs(spreading(plain, edges)).max() == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_a_dark_tray_from_above_is_measured_by_its_rims(seed: int) -> None:
    """Floors brighter than walls: by the floors' edges alone the pitch would be 2.2 % low."""
    made = make(Seeds.of(101, seed), Wishes(kind="start"))
    tray = TrayProfile.from_json(made.truth["profile"])
    measured = measure([made.picture], sphere_mm=tray.sphere_mm)
    assert isinstance(measured, Measured)
    assert measured.profile.pitch_mm == pytest.approx(tray.pitch_mm, rel=0.02)
    assert measured.profile.slot_radius_mm == pytest.approx(tray.slot_radius_mm, rel=0.02)
