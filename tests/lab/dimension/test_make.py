"""Pictures with known truth: reproducible, legal, wide in what they show, honest."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.dimension.outline import Disc
from calibration.dimension.place_mat import find_markers, marker_corners, mat_markers
from calibration.dimension.profile import TrayProfile, format_problems, load_profile
from lab.dimension.make import KINDS, Made, Seeds, Wishes, compose, main, make, plan
from lab.dimension.paints import draw_paints
from lab.dimension.setting import LIGHTS, draw_profile
from lab.rendering.cast import HitKind, cast
from lab.rendering.colors import lab
from lab.rendering.scene import Scene
from lab.rendering.textures import PATTERNS, draw_tile
from rules.dimension.layout import Layout
from rules.dimension.places import STORAGE

SMALL = Wishes(size=(192, 144))
KEYS = {
    *("kind", "tray", "layout", "slots", "stray", "table", "light", "view", "tilt_deg"),
    *("distance_mm", "fov_deg", "size", "spheres", "lens_k1", "profile", "pose", "hand", "mat"),
}


def made(seed: int, **wishes: object) -> Made:
    return make(Seeds.of(9, seed), replace(SMALL, **wishes))  # type: ignore[arg-type]


def composed(seed: int, **wishes: object) -> tuple[Scene, dict[str, Any]]:
    return compose(Seeds.of(9, seed), replace(SMALL, **wishes))  # type: ignore[arg-type]


def test_the_same_seeds_make_the_same_picture() -> None:
    first, second = made(4), made(4)
    assert np.array_equal(first.picture, second.picture)
    assert first.truth == second.truth
    assert not np.array_equal(first.picture, made(5).picture)


@pytest.mark.parametrize("seed", range(40))
def test_truth_is_complete_and_legal(seed: int) -> None:
    _, truth = composed(seed, kind="play")
    assert set(truth) == KEYS
    layout = Layout.parse(truth["layout"])
    assert not layout.problems()
    colors = [*(color for _, color in layout), *truth["slots"].values()]
    assert all(colors.count(color) <= 3 for color in "OBGKW")
    assert len(colors) + truth["stray"] >= 15
    assert set(truth["spheres"]) == {*(seat for seat, _ in layout), *truth["slots"]}
    assert all(0 <= sphere["visible"] <= 1 for sphere in truth["spheres"].values())
    assert json.loads(json.dumps(truth)) == truth
    assert TrayProfile.from_json(truth["profile"]).sphere_mm > 0


def test_a_start_has_all_fifteen_in_storage_and_an_empty_tray_none() -> None:
    (_, start), (_, empty) = composed(1, kind="start"), composed(1, kind="empty")
    assert sorted(start["slots"]) == sorted(STORAGE)
    assert start["layout"] == empty["layout"] == "......./....../."
    assert empty["slots"] == empty["spheres"] == {}


@pytest.mark.parametrize("seed", range(7))
def test_negatives_have_no_tray(seed: int) -> None:
    scene, truth = composed(seed, kind="negative")
    assert truth["layout"] is None
    assert truth["spheres"] == {}
    assert all(ball.seat is None for ball in scene.balls)


@pytest.mark.parametrize("seed", range(4))
def test_truth_points_at_the_spheres(seed: int) -> None:
    """What is said to be seen wholly is what the ray through its centre meets."""
    scene, truth = composed(seed, kind="play", neighbours=0)
    eye = scene.view.pose.eye.astype(np.float32)
    for index, ball in enumerate(scene.balls):
        sphere = truth["spheres"].get(ball.seat)
        if sphere is None or sphere["visible"] < 0.999:
            continue
        pixel = np.array([[sphere["u"] - 0.5, sphere["v"] - 0.5]])
        hits = cast(scene, eye, scene.view.rays(pixel).astype(np.float32))
        others = [b for b in scene.balls if b.seat is None]
        if hits.kind[0] == HitKind.BALL and scene.balls[hits.index[0]] in others:
            continue  # a stray sphere may stand before the tray
        assert (hits.kind[0], hits.index[0]) == (HitKind.BALL, index)


@pytest.mark.parametrize("seed", range(15))
def test_no_two_spheres_are_in_the_same_place(seed: int) -> None:
    balls = composed(seed, kind="start" if seed % 2 else "play")[0].balls
    for a, b in combinations(balls, 2):
        apart = float(np.linalg.norm(np.subtract(a.centre, b.centre)))
        assert apart > 0.95 * (a.radius + b.radius)


def test_wishes_are_granted() -> None:
    layout = Layout.parse("OKBGGWB/K.B.O./K")
    profile = load_profile("pentagon")
    _, truth = composed(
        3, kind="play", layout=layout, profile=profile, light="sun", table="wood", tilt_deg=(20, 30)
    )
    assert truth["layout"] == str(layout)
    assert truth["profile"]["outline"]["shape"] == "pentagon"
    assert (truth["light"], truth["table"]) == ("sun", "wood")
    assert 10 < truth["tilt_deg"] < 40


@pytest.mark.parametrize("light", LIGHTS)
def test_every_light_gives_a_picture_one_can_see(light: str) -> None:
    picture = made(2, kind="play", light=light).picture
    assert picture.shape == (144, 192, 3)
    assert 15 < picture.mean() < 235
    assert picture.std() > 8


@pytest.mark.parametrize("name", PATTERNS)
def test_every_tile_is_seamless(name: str) -> None:
    tile, mm_per_px = draw_tile(np.random.default_rng(3), name)
    assert np.isfinite(tile).all()
    assert mm_per_px > 0
    across = np.abs(tile[:, 0] - tile[:, -1]).mean()
    inside = np.abs(np.diff(tile, axis=1)).mean(axis=(0, 2)).max()
    assert across <= inside + 0.1


def test_trays_of_any_make_can_be_played_on() -> None:
    rng = np.random.default_rng(1)
    profiles = [draw_profile(rng) for _ in range(30)]
    assert not any(format_problems(profile.to_json()) for profile in profiles)
    assert len({type(profile.outline) for profile in profiles}) == 3
    ratios = [profile.pitch_mm / profile.sphere_mm for profile in profiles]
    assert max(ratios) - min(ratios) > 0.1


def test_paints_of_a_set_can_be_told_apart() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        seen = [lab(color) for color in draw_paints(rng).values()]
        assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) > 20


def test_some_leave_their_spheres_beside_the_tray() -> None:
    truths = [composed(seed, kind="play", neighbours=0)[1] for seed in range(40)]
    on_tray = [len(truth["spheres"]) for truth in truths]
    assert on_tray.count(15) > 25
    assert min(on_tray) < 12


@pytest.mark.parametrize("seed", range(5))
def test_a_borrowed_sphere_makes_four_of_a_colour(seed: int) -> None:
    _, truth = composed(seed, kind="play", borrowed=True)
    colors = truth["layout"] + "".join(truth["slots"].values())
    assert sorted(map(colors.count, "OBGKW")) == [2, 3, 3, 3, 4]


def test_a_hand_covers_something_and_is_told() -> None:
    (bare, told), (covered, told_too) = composed(6), composed(6, hand=True)
    assert (told["hand"], told_too["hand"]) == (False, True)
    assert told["layout"] == told_too["layout"]
    assert told["stray"] == told_too["stray"]
    assert len(covered.balls) > len(bare.balls)


def test_evenings_share_the_setting_and_pairs_the_things() -> None:
    evening = list(plan(1, 5, SMALL, "evenings"))
    assert [wishes.kind for _, _, wishes in evening] == ["start"] + ["play"] * 6
    assert len({seeds.setting for _, seeds, _ in evening}) == 1
    assert len({seeds.arrangement for _, seeds, _ in evening}) == 7
    (name_a, seeds_a, above), (name_b, seeds_b, beside) = plan(1, 5, SMALL, "pairs")
    assert (name_a[-6:], name_b[-6:]) == ("-a.jpg", "-b.jpg")
    (_, first), (_, second) = compose(seeds_a, above), compose(seeds_b, beside)
    assert first["layout"] == second["layout"]
    assert first["slots"] == second["slots"]
    assert first["pose"] != second["pose"]


def test_the_command_writes_pictures_and_their_truth(tmp_path: Path) -> None:
    options = ["--count", "2", "--seed", "3", "--size", "96x72", "--jobs", "1"]
    assert main([*options, "--out", str(tmp_path)]) == 0
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert len(lines) == 2
    for truth in lines:
        picture = cv2.imread(str(tmp_path / truth["file"]))
        assert picture is not None
        assert picture.shape == (72, 96, 3)
        assert truth["kind"] in KINDS


def test_a_mat_lies_under_the_tray_and_nothing_else_changes() -> None:
    (scene, truth), (bare, before) = (
        composed(2, kind="empty", mat=mat, profile=load_profile("disc")) for mat in (True, False)
    )
    sheet = scene.table.sheet
    assert sheet is not None
    assert truth["mat"]
    assert not before["mat"]
    assert bare.table.sheet is None
    assert sheet.size == pytest.approx((210, 297), abs=0.1)
    assert np.hypot(*sheet.centre) < 20
    assert [ball.centre for ball in scene.balls] == [ball.centre for ball in bare.balls]
    assert truth["layout"] == before["layout"]


def test_the_mat_s_markers_are_seen_where_they_were_printed() -> None:
    wishes = Wishes(
        size=(768, 576), kind="empty", profile=load_profile("disc"), mat=True, tilt_deg=(10, 20)
    )
    picture = make(Seeds.of(9, 2), replace(wishes, light="office", noise=0.01)).picture
    scene, _ = compose(Seeds.of(9, 2), replace(wishes, light="office", noise=0.01))
    sheet = scene.table.sheet
    assert sheet is not None
    mat, seen = mat_markers("a4"), find_markers(picture, "DICT_APRILTAG_36h11")
    assert len(seen) >= 6
    cos, sin = np.cos(sheet.angle), np.sin(sheet.angle)
    for number, corners in seen.items():
        printed = marker_corners(mat, number)[:, :2] @ np.array([[cos, sin], [-sin, cos]])
        there = np.column_stack([printed + sheet.centre, np.full(4, scene.table.z)])
        assert np.abs(scene.view.project(there) - corners).max() < 1.5


def test_a_tray_too_large_for_any_paper_has_no_mat() -> None:
    large = replace(load_profile("disc"), outline=Disc(150.0))
    scene, truth = composed(2, kind="empty", mat=True, profile=large)
    assert scene.table.sheet is None
    assert not truth["mat"]
