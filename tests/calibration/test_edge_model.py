"""Edges of a view: their slopes are what differences say, and they lead back to the view."""

import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import load_profile
from calibration.edge_model import EdgeModel
from calibration.ellipses import Eyes, Rounds, unknowns_of
from calibration.refine import (
    Edges,
    draw_view,
    find_edges,
    outline_support,
    visible_outlines,
)
from calibration.solve import GaussianPrior, by_differences, solve_with_slopes

SIZE = (512, 384)
TRAY = load_profile("disc")
SPHERES = seat_array(TRAY)[:20]
HOLES = seat_array(TRAY)[:7] * np.array([1.0, 1.0, 0.0])
ROUNDS = Rounds(
    np.concatenate([SPHERES, HOLES]),
    np.repeat([TRAY.sphere_radius_mm, TRAY.hole_mm / 2], [20, 7]),
    np.repeat([0.0, 1.0], [20, 7]),
)
NOTHING = GaussianPrior(np.zeros(8), np.array([*[np.inf] * 6, 10.0, 0.1]))


def view(tilt_deg: float, k1: float = 0.03) -> View:
    tilt = np.radians(tilt_deg)
    eye = 280 * np.array([0.4 * np.sin(tilt), 0.9 * np.sin(tilt), np.cos(tilt)])
    return View(Camera.of_fov(SIZE, 62.0, k1), Pose.looking_at(eye, roll_deg=20))


def model_of(seen: View) -> EdgeModel:
    """Edges that lie exactly on the outlines of a view."""
    owner, pixels, normals, radius = visible_outlines(seen, ROUNDS, 20)
    base, _ = unknowns_of(seen)
    return EdgeModel(ROUNDS, owner, pixels, normals, 0.02 * radius, base, SIZE)


@pytest.mark.parametrize("tilt", [0.0, 30.0, 55.0])
def test_slopes_are_what_differences_say(tilt: float) -> None:
    model = model_of(view(tilt))
    _, unknowns = unknowns_of(view(tilt))
    unknowns = unknowns + np.array([0.02, -0.03, 0.01, 2.0, -1.0, 5.0, 0.03, 0.02])
    edges = Edges(
        *(model.owner, model.pixels, model.normals, model.sigma),
        strength=model.sigma, offset=model.sigma, blur_px=1.0,
    )  # fmt: skip

    def plain(batch: np.ndarray) -> np.ndarray:
        return edges.residuals(Eyes.from_unknowns(batch, model.base, SIZE), ROUNDS)

    steps = 1e-6 * np.array([1.0, 1.0, 1.0, 100.0, 100.0, 100.0, 1.0, 0.1])
    wanted, slopes = by_differences(plain, steps)(unknowns)
    found, computed = model.slopes(unknowns)
    assert np.allclose(found, wanted, atol=1e-9)
    assert np.allclose(computed, slopes, atol=1e-4 * np.abs(slopes).max(axis=0))


@pytest.mark.parametrize("tilt", [10.0, 30.0, 55.0])
def test_a_view_that_is_off_is_drawn_back_to_its_edges(tilt: float) -> None:
    true = view(tilt, k1=0.0)
    model = model_of(true)
    _, unknowns = unknowns_of(true)
    prior = GaussianPrior(unknowns, NOTHING.spread)
    start = unknowns + np.array([0.02, -0.02, 0.02, 1.5, -1.0, 4.0, 0.0, 0.0])
    found = solve_with_slopes(
        model.slopes, start, prior, bend=2.0, alike=1.0, steps=25, enough=1e-9
    )
    drawn = Eyes.from_unknowns(found.values[None], model.base, SIZE).view(SIZE)
    seats = seat_array(TRAY)
    assert np.abs(drawn.project(seats) - true.project(seats)).max() < 0.1


def test_a_view_that_shows_nothing_has_no_edges() -> None:
    """Far beside the picture: nothing is found there, and a fit stays where it was."""
    seen = view(20.0)
    far = Rounds(ROUNDS.centres + np.array([5000.0, 0.0, 0.0]), ROUNDS.radii, ROUNDS.flat)
    smoothed = np.zeros((SIZE[1], SIZE[0], 3), np.float32)
    edges = find_edges(smoothed, seen, far, 0.1)
    assert len(edges.owner) == 0
    assert np.isnan(edges.support(len(far.radii))).all()
    assert np.isnan(outline_support(smoothed, seen, far)).all()
    fitted = draw_view(smoothed, seen, far).view
    assert np.allclose(fitted.pose.tvec, seen.pose.tvec)
