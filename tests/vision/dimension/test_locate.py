"""Trays located in the sample images, and none where there is none."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.dimension.geometry import seat_array, seat_positions
from calibration.dimension.profile import BUILT_IN, TrayProfile, load_profile
from vision.dimension.locating.detector import CLOSE, Window, look
from vision.dimension.locating.hypotheses import Candidate
from vision.dimension.locating.locate import Located, best_view, by_place, locate
from vision.photo import Photo, load_photo

SAMPLES = Path(__file__).parents[3] / "sample_images"
TRUTH: dict[str, dict[str, Any]] = {
    row["file"]: row
    for row in map(json.loads, (SAMPLES / "truth.jsonl").read_text(encoding="utf-8").splitlines())
}
TRAYS = sorted(name for name, row in TRUTH.items() if row["spheres"])
NEGATIVES = sorted(name for name, row in TRUTH.items() if row["kind"] == "negative")


def profiles(row: dict[str, Any]) -> list[TrayProfile]:
    if row["tray"] not in BUILT_IN and row.get("profile"):
        return [TrayProfile.from_json(row["profile"])]
    return [load_profile(name) for name in BUILT_IN]


def error(located: Located, row: dict[str, Any], photo: Photo) -> float:
    """Median distance of played spheres from their seats as located, in diameters."""
    places = seat_positions(located.profile)
    spheres = {seat: sphere for seat, sphere in row["spheres"].items() if seat in places}
    seats = np.array([places[seat] for seat in spheres])
    true = np.array([[sphere["u"] - 0.5, sphere["v"] - 0.5] for sphere in spheres.values()])
    radii = np.array([sphere["radius"] for sphere in spheres.values()])
    ours = photo.to_original(located.view.project(seats))
    return float(np.median(np.linalg.norm(ours - true, axis=1) / (2 * radii)))


@pytest.mark.parametrize("name", TRAYS)
def test_a_tray_is_located_where_it_is(name: str) -> None:
    row, photo = TRUTH[name], load_photo(SAMPLES / name)
    located = locate(photo, profiles(row))
    assert located is not None
    assert error(located, row, photo) < 0.06


@pytest.mark.parametrize("name", NEGATIVES)
def test_no_tray_is_invented(name: str) -> None:
    assert locate(load_photo(SAMPLES / name), profiles(TRUTH[name])) is None


@pytest.mark.parametrize("name", ["01045.jpg", "01106.jpg"])
def test_the_outline_tells_which_tray_it_is(name: str) -> None:
    located = locate(load_photo(SAMPLES / name), profiles(TRUTH[name]))
    assert located is not None
    assert located.profile.name == TRUTH[name]["tray"]


def test_an_empty_tray_is_a_tray() -> None:
    located = locate(load_photo(SAMPLES / "02100.jpg"), profiles(TRUTH["02100.jpg"]))
    assert located is not None
    assert located.profile.name == "pentagon"


def test_the_central_one_of_several_trays_is_taken_and_the_others_are_mentioned() -> None:
    row = TRUTH["lab-three-trays.jpg"]
    located = locate(load_photo(SAMPLES / row["file"]), profiles(row))
    assert located is not None
    assert located.others >= 1


@pytest.mark.parametrize("name", ["lab-play.jpg"])
def test_a_tray_of_another_make_is_not_surely_one_of_ours(name: str) -> None:
    located = locate(load_photo(SAMPLES / name), [load_profile(name) for name in BUILT_IN])
    assert located is None or not located.sure


@pytest.mark.parametrize("name", ["01106.jpg", "01200.jpg", "02400.jpg"])
def test_a_tray_whose_storage_is_cut_off_is_located_and_said_to_be_cropped(name: str) -> None:
    row, photo = TRUTH[name], load_photo(SAMPLES / name)
    whole = locate(photo, profiles(row))
    assert whole is not None
    assert not whole.cropped
    outlines = whole.view.sphere_outlines(seat_array(whole.profile)[:14], 10.0)
    radius = outlines[:, 2].max()
    left, top = np.maximum(outlines[:, :2].min(axis=0) - 3.1 * radius, 0).astype(int)
    right, bottom = (outlines[:, :2].max(axis=0) + 3.1 * radius).astype(int)
    part = np.ascontiguousarray(photo.picture[top:bottom, left:right])
    size = (part.shape[1], part.shape[0])
    located = locate(Photo(part, 1.0, size, None), profiles(row))
    assert located is not None
    assert located.cropped
    middle = located.view.project(np.zeros((1, 3))) + np.array([left, top])
    assert np.linalg.norm(middle - whole.view.project(np.zeros((1, 3)))) < 0.2 * radius


def test_a_tall_photo_is_as_good_as_a_wide_one() -> None:
    row = TRUTH["02400.jpg"]
    photo = load_photo(SAMPLES / row["file"])
    turned = np.ascontiguousarray(np.rot90(photo.picture))
    tall = Photo(turned, photo.scale, (photo.size[1], photo.size[0]), photo.focal_px)
    assert locate(tall, profiles(row)) is not None


@pytest.mark.parametrize("shape", [(64, 64), (64, 384), (512, 90), (384, 512)])
@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_empty_picture_has_no_tray(shape: tuple[int, int], level: int) -> None:
    picture = np.full((*shape, 3), level, np.uint8)
    photo = Photo(picture, 1.0, (shape[1], shape[0]), None)
    assert locate(photo, [load_profile("disc")]) is None


def test_noise_has_no_tray() -> None:
    chance = np.random.default_rng(5)
    picture = chance.integers(0, 256, (384, 512, 3), dtype=np.uint8)
    assert locate(Photo(picture, 1.0, (512, 384), None), [load_profile("disc")]) is None


def test_peaks_are_where_the_picture_has_them_whatever_the_window() -> None:
    photo = load_photo(SAMPLES / "02400.jpg")
    whole = look(photo.picture)
    best = whole.centres.uv[whole.centres.strength.argmax()]
    near = look(photo.picture, Window((float(best[0]), float(best[1])), 0.45, CLOSE))
    again = near.centres.uv[near.centres.strength.argmax()]
    assert np.linalg.norm(best - again) < 6.0


def test_locating_does_not_change_the_picture() -> None:
    photo = load_photo(SAMPLES / "02403.jpg")
    before = photo.picture.copy()
    locate(photo, [load_profile("disc")])
    assert cv2.norm(before, photo.picture) == 0.0


def candidate(u: float, v: float, strength: float) -> Candidate:
    return Candidate(np.array([u, v]), strength, 60.0 * np.eye(2), {}, None)


def test_the_most_central_of_strong_candidates_comes_first() -> None:
    picture = np.zeros((384, 512, 3), np.uint8)
    beside, central = candidate(90, 90, 0.9), candidate(250, 200, 0.45)
    faint = candidate(256, 192, 0.2)
    ranked = by_place([beside, faint, central], picture)
    assert [one.strength for one in ranked] == [0.45, 0.9, 0.2]


def test_a_tray_beside_a_more_central_one_that_is_not_understood_is_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photo, known = load_photo(SAMPLES / "01211.jpg"), profiles(TRUTH["01211.jpg"])
    alone, found = locate(photo, known), best_view(photo, known)
    assert alone is not None
    assert found is not None
    monkeypatch.setattr(
        "vision.dimension.locating.locate.best_view", lambda *_: replace(found, passed_over=True)
    )
    doubted = locate(photo, known)
    assert doubted is not None
    assert doubted.score == pytest.approx(alone.score / 2)
    assert alone.sure
    assert not doubted.sure
