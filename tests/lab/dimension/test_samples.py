"""The sample images: every file has its truth, and our cameras and occlusion agree with it."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_positions
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.occlusion import visible_shares
from rules.dimension.layout import Layout

FOLDER = Path(__file__).parents[3] / "sample_images"
TRUTH: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "truth.jsonl").read_text().splitlines()
]
ON_SEATS = [t for t in TRUTH if len(t["spheres"]) >= 10 and not t["file"].startswith("lab")]
"""Pictures with many spheres, all on their seats: in the lab's they slide along their slots."""


def view_of(truth: dict[str, Any]) -> tuple[View, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The view in which ideal seats are seen nearest to the truth; seats; their true pixels."""
    places = seat_positions(profile_of(truth))
    seats = np.array([places[seat] for seat in truth["spheres"]])
    pixels = np.array([[s["u"], s["v"]] for s in truth["spheres"].values()]) - 0.5
    camera = Camera.of_photo(tuple(truth["size"]), truth["fov_deg"], truth["lens_k1"])
    inside = (camera.matrix, camera.distortion)
    found, rvec, tvec = cv2.solvePnP(seats, pixels, *inside, flags=cv2.SOLVEPNP_SQPNP)
    assert found
    rvec, tvec = cv2.solvePnPRefineLM(seats, pixels, *inside, rvec, tvec)
    return View(camera, Pose.of(rvec, tvec)), seats, pixels


def profile_of(truth: dict[str, Any]) -> TrayProfile:
    if truth.get("profile"):
        return TrayProfile.from_json(truth["profile"])
    return load_profile(truth["tray"])


def test_files_and_truth_match() -> None:
    files = {file.name for file in FOLDER.glob("*.jpg")}
    assert sorted(truth["file"] for truth in TRUTH) == sorted(files)
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 4_000_000


def test_there_is_something_of_everything() -> None:
    kinds = [truth["kind"] for truth in TRUTH]
    assert kinds.count("start") >= 3
    assert "empty" in kinds
    assert kinds.count("negative") >= 3
    fills = {14 - truth["layout"].count(".") for truth in TRUTH if truth["kind"] == "play"}
    assert len(fills) >= 8
    assert max(fills) == 11


@pytest.mark.parametrize("truth", TRUTH, ids=lambda truth: truth["file"])
def test_each_truth_is_legal_and_fits_its_picture(truth: dict[str, Any]) -> None:
    picture = cv2.imread(str(FOLDER / truth["file"]))
    assert picture is not None
    if "size" in truth:
        assert [picture.shape[1], picture.shape[0]] == truth["size"]
    if truth["kind"] == "negative":
        assert truth["layout"] is None
        return
    layout = Layout.parse(truth["layout"])
    assert not layout.problems()
    assert set(truth["spheres"]) == {*(seat for seat, _ in layout), *truth["slots"]}


@pytest.mark.parametrize("truth", ON_SEATS, ids=lambda truth: str(truth["file"]))
def test_our_camera_sees_the_seats_where_they_are(truth: dict[str, Any]) -> None:
    """Spheres lie 0.1 mm beside their seats, which is about 0.5 px in these pictures."""
    view, seats, pixels = view_of(truth)
    assert np.sqrt(((view.project(seats) - pixels) ** 2).sum(axis=1).mean()) < 1.0
    radius = profile_of(truth).sphere_radius_mm
    expected = [sphere["radius"] for sphere in truth["spheres"].values()]
    assert view.pixels_per_mm(seats) * radius == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("truth", ON_SEATS, ids=lambda truth: str(truth["file"]))
def test_our_occlusion_finds_the_visible_shares(truth: dict[str, Any]) -> None:
    view, seats, _ = view_of(truth)
    shares = visible_shares(view, seats, profile_of(truth).sphere_radius_mm)
    expected = [sphere["visible"] for sphere in truth["spheres"].values()]
    assert shares == pytest.approx(expected, abs=0.05)


def on_seats(truth: dict[str, Any]) -> list[str]:
    """The spheres that lie where a profile has them; those in storage slide."""
    return [seat for seat in truth["spheres"] if seat[0] != "S"]


@pytest.mark.parametrize(
    "truth",
    [truth for truth in TRUTH if truth.get("pose") and on_seats(truth)],
    ids=lambda truth: str(truth["file"]),
)
def test_the_labs_pose_is_the_one_its_truth_was_projected_with(truth: dict[str, Any]) -> None:
    camera = Camera.of_photo(tuple(truth["size"]), truth["fov_deg"], truth["lens_k1"])
    view = View(camera, Pose.of(truth["pose"]["rvec"], truth["pose"]["tvec"]))
    places, spheres = seat_positions(profile_of(truth)), truth["spheres"]
    seats = np.array([places[seat] for seat in on_seats(truth)])
    pixels = np.array([[spheres[seat]["u"], spheres[seat]["v"]] for seat in on_seats(truth)])
    assert view.project(seats) + 0.5 == pytest.approx(pixels, abs=3.0)
