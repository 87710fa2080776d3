"""The printed board, found in pictures; the camera measured from it; and every refusal."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.camera_file import (
    CameraFileError,
    camera_for,
    camera_from_json,
    camera_to_json,
    load_camera,
)
from calibration.charuco import (
    COLUMNS,
    ROWS,
    SQUARE_MM,
    BoardSighting,
    board_pdf,
    find_board,
)
from calibration.fiducials import Floats, Picture
from calibration.intrinsics import CameraMeasurement, CameraRefusedError, measure_camera
from calibration.pdf import MARGIN_MM, PAPERS
from lab.rendering.printing import rasterise
from tests.calibration.printed import photograph

CAMERA = Camera(800, 600, 700.0, (405.0, 296.0), k1=-0.08, k2=0.03)
MIDDLE = (105.0, 160.0)
"""A point near the board's centre on the A4 page; x = y = 0 of these tests."""

AROUND = [(0, 0), (30, 0), (30, 90), (35, 180), (30, 270), (40, 45), (35, 225), (20, 135)]
"""Tilt and direction of eight good photos, in degrees."""


def view(tilt: float, towards: float, distance: float = 300, roll: float | None = None) -> View:
    slope, turn = np.radians([tilt, towards])
    sideways = np.sin(slope)
    eye = distance * np.array([sideways * np.cos(turn), sideways * np.sin(turn), np.cos(slope)])
    return View(CAMERA, Pose.looking_at(eye, roll_deg=90 + towards if roll is None else roll))


def on_page(corners: Floats) -> Floats:
    """Corners of the board in the coordinates of these tests."""
    left, top = (PAPERS["a4"][0] - COLUMNS * SQUARE_MM) / 2, PAPERS["a4"][1] - MARGIN_MM - 4
    x, y = left + corners[:, 0] - MIDDLE[0], top - corners[:, 1] - MIDDLE[1]
    return np.stack([x, y, np.zeros(len(x))], axis=1)


CORNERS = np.array(
    [
        (column * SQUARE_MM, row * SQUARE_MM, 0.0)
        for row in range(1, ROWS)
        for column in range(1, COLUMNS)
    ]
)


def sighting(seen: View, noise_px: float = 0.05) -> BoardSighting:
    """The board as the detector would give it, without a picture."""
    noise = np.random.default_rng(hash(seen.pose.tvec) % 2**32).normal(0, noise_px, (48, 2))
    return BoardSighting(CORNERS, seen.project(on_page(CORNERS)) + noise, (800, 600))


def measured_from(views: Iterable[View], noise_px: float = 0.05) -> CameraMeasurement:
    return measure_camera([sighting(seen, noise_px) for seen in views])


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_board_fits_the_paper_with_its_margins(paper: str) -> None:
    sheet, width, height = rasterise(board_pdf(paper))
    rows, columns = np.nonzero(sheet < 128)
    per_mm = sheet.shape[0] / height
    assert columns.min() / per_mm >= MARGIN_MM
    assert width - columns.max() / per_mm >= MARGIN_MM
    assert rows.min() / per_mm >= MARGIN_MM
    assert np.ptp(columns) / per_mm == pytest.approx(COLUMNS * SQUARE_MM, abs=0.2)
    assert np.ptp(rows) / per_mm == pytest.approx(ROWS * SQUARE_MM, abs=0.2)


@pytest.mark.parametrize(("tilt", "towards", "roll"), [(0, 0, 90), (35, 60, 10), (50, 200, 75)])
def test_corners_are_found_to_a_tenth_of_a_pixel(tilt: int, towards: int, roll: int) -> None:
    seen = view(tilt, towards, roll=roll)
    found = find_board(photograph(board_pdf("a4"), seen, MIDDLE))
    assert found is not None
    assert len(found.corners) > 30
    off = np.linalg.norm(found.pixels - seen.project(on_page(found.corners)), axis=1)
    assert np.median(off) < 0.1


def test_a_large_soft_photo_of_the_board() -> None:
    seen = view(35, 60, roll=10)
    small = photograph(board_pdf("a4"), seen, MIDDLE, blur_px=1.2)
    found = find_board(np.asarray(cv2.resize(small, (3200, 2400)), dtype=np.uint8))
    assert found is not None
    assert found.size == (3200, 2400)
    off = (found.pixels + 0.5) / 4 - 0.5 - seen.project(on_page(found.corners))
    assert np.median(np.linalg.norm(off, axis=1)) < 0.1


def test_a_board_partly_covered_is_still_found() -> None:
    picture = photograph(board_pdf("a4"), view(20, 30), MIDDLE, cover_mm=45)
    found = find_board(picture)
    assert found is not None
    assert 12 <= len(found.corners) < 48


def test_no_board_no_corners() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    assert find_board(noise) is None
    assert find_board(np.full((300, 400, 3), 200, dtype=np.uint8)) is None


def test_too_little_of_the_board_is_none_of_it() -> None:
    picture: Picture = photograph(board_pdf("a4"), view(0, 0), MIDDLE)
    assert find_board(picture[:110]) is None


def test_the_camera_is_measured_from_photos() -> None:
    pictures = (photograph(board_pdf("a4"), view(*where), MIDDLE) for where in AROUND[:6])
    found = [board for board in map(find_board, pictures) if board is not None]
    measured = measure_camera(found)
    assert measured.camera.focal_px == pytest.approx(700, rel=0.004)
    assert measured.camera.principal == pytest.approx((405, 296), abs=2)
    assert measured.rms_px < 0.15
    assert len(measured.photo_rms_px) == 6


def test_what_was_measured_is_within_its_spread() -> None:
    measured = measured_from(view(*where) for where in AROUND)
    (cx, cy), (true_cx, true_cy) = measured.camera.principal, CAMERA.principal
    errors = {
        "focal_px": measured.camera.focal_px - CAMERA.focal_px,
        "cx": cx - true_cx,
        "cy": cy - true_cy,
        "k1": measured.camera.k1 - CAMERA.k1,
        "k2": measured.camera.k2 - CAMERA.k2,
    }
    assert errors.keys() == measured.spread.keys()
    for name, error in errors.items():
        assert abs(error) < 4 * measured.spread[name], name


def refusal(sightings: list[BoardSighting]) -> CameraRefusedError:
    with pytest.raises(CameraRefusedError) as caught:
        measure_camera(sightings)
    return caught.value


def test_three_photos_are_too_few() -> None:
    error = refusal([sighting(view(*where)) for where in AROUND[:3]])
    assert error.code == "too_few_photos"
    assert "found in 3 photos; 4 are needed" in error.text


def test_no_photos_are_too_few() -> None:
    assert refusal([]).code == "too_few_photos"


def test_photos_of_different_sizes_are_refused() -> None:
    sightings = [sighting(view(*where)) for where in AROUND]
    error = refusal([*sightings[1:], replace(sightings[0], size=(600, 800))])
    assert error.code == "different_sizes"
    assert "600×800, 800×600" in error.text


def test_photos_all_from_above_are_refused() -> None:
    straight = [view(i, 70 * i, distance=260 + 20 * i, roll=40 * i) for i in range(5)]
    error = refusal([sighting(seen) for seen in straight])
    assert error.code == "all_parallel"
    assert "same direction" in error.text


def test_photos_all_tilted_the_same_way_are_refused() -> None:
    """Walking round the board and holding the phone alike, it sees the same slant each time."""
    same = [view(35, 80 * i, distance=240 + 20 * i, roll=90) for i in range(5)]
    assert refusal([sighting(seen) for seen in same]).code == "all_parallel"


def test_a_bent_board_is_refused() -> None:
    def bent(seen: View) -> BoardSighting:
        curved = on_page(CORNERS)
        curved[:, 2] = 12 * np.cos(curved[:, 1] / 40)
        return replace(sighting(seen), pixels=seen.project(curved))

    error = refusal([bent(view(*where)) for where in AROUND])
    assert error.code == "misfit"
    assert "lay the board flat" in error.text


def test_photos_that_leave_the_focal_length_open_are_refused() -> None:
    far = [view(tilt, towards, distance=3500) for tilt, towards in AROUND[:4]]
    error = refusal([sighting(seen, noise_px=0.5) for seen in far])
    assert error.code == "vague"
    assert "focal length uncertain by" in error.text


def test_a_board_that_stays_in_the_middle_of_the_picture_is_warned_of() -> None:
    [warning] = measured_from(view(*where, distance=700) for where in AROUND).warnings
    assert "corners" in warning
    assert measured_from(view(*where, distance=230) for where in AROUND).warnings == ()


def test_a_camera_file_gives_the_same_camera_back(tmp_path: Path) -> None:
    measured = measured_from(view(*where) for where in AROUND)
    file = tmp_path / "camera.json"
    file.write_text(json.dumps(camera_to_json(measured)), "utf-8")
    assert load_camera(file) == measured.camera


FILE = {
    "kind": "camera",
    "version": 1,
    "width": 800,
    "height": 600,
    "focal_px": 700.0,
    "principal": [405.0, 296.0],
    "k1": -0.08,
    "k2": 0.03,
}


@pytest.mark.parametrize(
    ("change", "complaints"),
    [
        ({"kind": "tray"}, ["not a camera file"]),
        ({"version": 2}, ["version 2"]),
        ({"focal_px": -3, "k1": "flat"}, ['"focal_px"', '"k1"']),
        ({"width": True, "k2": float("nan")}, ['"width"', '"k2"']),
        ({"principal": [1.0]}, ['"principal"']),
        ({"principal": None, "height": None}, ['"height"', '"principal"']),
    ],
)
def test_a_bad_camera_file_names_all_its_problems(
    change: dict[str, object], complaints: list[str]
) -> None:
    with pytest.raises(CameraFileError) as caught:
        camera_from_json(FILE | change)
    problems = caught.value.problems
    assert len(problems) == len(complaints)
    assert all(text in problem for text, problem in zip(complaints, problems, strict=True))


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"camera"'])
def test_other_files_are_no_cameras(tmp_path: Path, text: str) -> None:
    file = tmp_path / "camera.json"
    file.write_text(text, "utf-8")
    with pytest.raises(CameraFileError):
        load_camera(file)


def test_the_camera_of_a_smaller_copy_of_the_photo() -> None:
    half = camera_for(CAMERA, 400, 300)
    assert half.focal_px == 350
    assert half.principal == pytest.approx((202.25, 147.75))
    assert (half.k1, half.k2) == (CAMERA.k1, CAMERA.k2)


def test_the_camera_of_a_phone_held_upright_looks_through_the_middle() -> None:
    upright = camera_for(CAMERA, 1200, 1600)
    assert upright.focal_px == pytest.approx(1400)
    assert upright.principal == (599.5, 799.5)


def test_a_photo_of_another_shape_is_not_this_camera_s() -> None:
    with pytest.raises(CameraFileError, match="cropped"):
        camera_for(CAMERA, 800, 800)
