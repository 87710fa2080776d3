"""Views from matches: exact when they are, honest when they are not, refused when hopeless."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_positions
from calibration.dimension.outline import core
from calibration.dimension.profile import load_profile
from calibration.ellipses import Eyes, Rounds, outlines, unknowns_of
from calibration.pose import DegenerateMatchesError, Match, fit_pose
from rules.dimension.places import ALL_SEATS

SIZE = (1024, 768)
TRAY = load_profile("disc")
SEATS = seat_positions(TRAY)
POINTS = np.array([SEATS[seat] for seat in ALL_SEATS])


def view_of(tilt_deg: float, around_deg: float, fov_deg: float = 62.0, k1: float = 0.0) -> View:
    tilt, around = np.radians([tilt_deg, around_deg])
    sideways = np.sin(tilt) * np.array([np.cos(around), np.sin(around)])
    eye = 260 * np.array([*sideways, np.cos(tilt)])
    return View(Camera.of_fov(SIZE, fov_deg, k1), Pose.looking_at(eye, roll_deg=around_deg))


def matches(view: View, seats: list[str], noise: float = 0.0, seed: int = 0) -> list[Match]:
    chance = np.random.default_rng(seed)
    uv = view.project([SEATS[seat] for seat in seats]) + chance.normal(0, noise, (len(seats), 2))
    return [
        Match(SEATS[seat], (float(u), float(v)), sigma_px=max(noise, 0.5))
        for seat, (u, v) in zip(seats, uv, strict=True)
    ]


@given(tilt=st.floats(0, 55), around=st.floats(-180, 180), fov=st.floats(50, 75))
def test_exact_matches_give_every_seat_back_without_knowing_the_lens(
    tilt: float, around: float, fov: float
) -> None:
    view = view_of(tilt, around, fov)
    fit = fit_pose(matches(view, list(ALL_SEATS)), SIZE)
    error = np.linalg.norm(fit.view.project(POINTS) - view.project(POINTS), axis=1)
    assert error.max() < 1.0


@pytest.mark.parametrize("name", ["disc", "pentagon"])
def test_the_outline_helps_as_hole_rims_do(name: str) -> None:
    tray = load_profile(name)
    assert tray.outline is not None
    middles, radius = core(tray.outline, tray.slot0_deg)
    rims = [SEATS[seat][:2] for seat in ("C", "R0", "R2", "R4")]
    centres = np.pad(np.concatenate([middles, rims]), ((0, 0), (0, 1)))
    radii = np.array([radius] * len(middles) + [tray.hole_mm / 2] * len(rims))
    view = view_of(40, 70)
    base, unknowns = unknowns_of(view)
    eyes = Eyes.from_unknowns(unknowns[None], base, SIZE)
    rounds = Rounds(centres, radii, np.ones(len(radii)))
    seen = eyes.to_pixels(outlines(eyes, rounds)[0])[0]
    found = [
        Match((x, y, z), (u, v), radius=float(radius), flat=True)
        for (x, y, z), (u, v), radius in zip(centres.tolist(), seen.tolist(), radii, strict=True)
    ]
    fit = fit_pose(found, SIZE, focal_px=view.camera.focal_px)
    error = np.linalg.norm(fit.view.project(POINTS) - view.project(POINTS), axis=1)
    assert error.max() < 1.0


@pytest.mark.parametrize("fov", [50.0, 62.0, 75.0])
def test_a_known_focal_length_is_used(fov: float) -> None:
    view = view_of(10, 30, fov)
    fit = fit_pose(
        matches(view, ["C", "R0", "R2", "S00", "S21"]), SIZE, focal_px=view.camera.focal_px
    )
    assert fit.view.camera.fov_deg == pytest.approx(fov, abs=1.0)


def test_predicted_deviations_are_about_the_errors() -> None:
    seats, left_out = list(ALL_SEATS[::2]), [SEATS[seat] for seat in ALL_SEATS[1::2]]
    pulls = []
    for seed in range(40):
        view = view_of(seed % 55, 37 * seed, 50 + seed % 25)
        fit = fit_pose(matches(view, seats, noise=2.0, seed=seed), SIZE)
        uv, deviation = fit.predict(np.array(left_out))
        pulls.append(np.linalg.norm(uv - view.project(left_out), axis=1) / deviation)
    assert 0.6 < np.median(pulls) < 1.6


def test_a_third_of_wrong_matches_is_set_aside() -> None:
    view = view_of(35, 80)
    good = matches(view, [seat for seat in ALL_SEATS if seat[0] in "CRS"], noise=0.5)
    chance = np.random.default_rng(3)
    wrong = [
        Match(SEATS[f"T{i}"], (float(u), float(v)))
        for i, (u, v) in enumerate(chance.uniform((0, 0), SIZE, (6, 2)))
    ]
    fit = fit_pose([*good, *wrong], SIZE)
    error = np.linalg.norm(fit.view.project(POINTS) - view.project(POINTS), axis=1)
    assert error.max() < 3.0


def test_centres_of_rims_and_of_outlines_are_not_projected_centres() -> None:
    view = view_of(50, 10)
    holes = [(*SEATS[seat][:2], 0.0) for seat in ALL_SEATS if seat[0] in "CR"]
    spheres = [SEATS[seat] for seat in ALL_SEATS if seat[0] == "S"]
    rounds = Rounds(
        centres=np.array(holes + spheres),
        radii=np.repeat([TRAY.hole_mm / 2, TRAY.sphere_mm / 2], [7, 15]),
        flat=np.repeat([1.0, 0.0], [7, 15]),
    )
    base, unknowns = unknowns_of(view)
    eyes = Eyes.from_unknowns(unknowns[None], base, SIZE)
    seen = eyes.to_pixels(outlines(eyes, rounds)[0])[0]
    assert np.linalg.norm(seen - view.project(rounds.centres), axis=1).max() > 0.3
    found = fit_pose(
        [
            Match((x, y, z), (u, v), radius, flat=bool(flat), sigma_px=0.5)
            for (x, y, z), (u, v), radius, flat in zip(
                rounds.centres.tolist(), seen.tolist(), rounds.radii, rounds.flat, strict=True
            )
        ],
        SIZE,
    )
    error = np.linalg.norm(found.view.project(POINTS) - view.project(POINTS), axis=1)
    assert error.max() < 0.2


def test_sphere_outlines_agree_with_the_cameras() -> None:
    view = view_of(45, 200)
    spheres = Rounds(POINTS, np.full(len(POINTS), 10.0), np.zeros(len(POINTS)))
    base, unknowns = unknowns_of(view)
    eyes = Eyes.from_unknowns(unknowns[None], base, SIZE)
    middle, spread = outlines(eyes, spheres)
    ellipses = view.sphere_outlines(POINTS, 10.0)
    assert np.allclose(eyes.to_pixels(middle)[0], ellipses[:, :2], atol=0.01)
    area = eyes.focal[0] * np.linalg.det(spread[0]) ** 0.25
    assert np.allclose(area, np.sqrt(ellipses[:, 2] * ellipses[:, 3]), rtol=1e-4)


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        (["C", "R0", "R1"], "too_few"),
        (["S00", "S01", "S02", "S00"], "collinear"),
        (["R0", "C", "R3", "C", "R0"], "collinear"),
    ],
)
def test_matches_that_cannot_tell_a_view_are_refused(seats: list[str], code: str) -> None:
    with pytest.raises(DegenerateMatchesError) as refusal:
        fit_pose(matches(view_of(20, 0), seats), SIZE)
    assert refusal.value.code == code


def test_contradictory_matches_are_refused() -> None:
    chance = np.random.default_rng(0)
    nonsense = [
        Match(SEATS[seat], (float(u), float(v)))
        for seat, (u, v) in zip(ALL_SEATS, chance.uniform((0, 0), SIZE, (29, 2)), strict=True)
    ]
    with pytest.raises(DegenerateMatchesError):
        fit_pose(nonsense, SIZE)
