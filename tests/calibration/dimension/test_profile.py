"""Tray profiles: geometry as in docs/notation.md, files that round-trip, every problem named."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from calibration.dimension.geometry import seat_positions
from calibration.dimension.outline import Disc, Pentagon, Polygon, inside_by, outline_points
from calibration.dimension.profile import (
    BUILT_IN,
    Markers,
    TrayProfile,
    format_problems,
    load_profile,
    profile_file,
    profile_names,
    profile_schema,
    save_profile,
)
from calibration.profile_files import ProfileError
from calibration.profiles import profile_kind
from rules.dimension.board import CONTACTS, OVERLAPS, SUPPORTS
from rules.dimension.places import ALL_SEATS

SQUARE = Polygon(((-75.0, -75.0), (75.0, -75.0), (75.0, 75.0), (-75.0, 75.0)), 12.0)


@pytest.fixture
def disc() -> TrayProfile:
    return load_profile("disc")


@pytest.fixture(autouse=True)
def data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRAYSCORE_DATA_DIR", str(tmp_path))
    return tmp_path


def distance(profile: TrayProfile, a: str, b: str) -> float:
    places = seat_positions(profile)
    return float(np.linalg.norm(np.subtract(places[a], places[b])))


def test_there_are_29_seats_in_one_order(disc: TrayProfile) -> None:
    assert tuple(seat_positions(disc)) == ALL_SEATS
    assert len(ALL_SEATS) == 29


def test_a_sphere_rests_on_its_supports_exactly(disc: TrayProfile) -> None:
    for seat, supports in SUPPORTS.items():
        for below in {below for support in supports for below in support}:
            assert distance(disc, seat, below) == pytest.approx(disc.sphere_mm)


def test_seats_that_touch_are_one_pitch_or_one_sphere_apart(disc: TrayProfile) -> None:
    for a, b in CONTACTS:
        assert disc.sphere_mm - 1e-9 <= distance(disc, a, b) <= disc.pitch_mm + 1e-9


def test_seats_that_overlap_are_closer_than_a_sphere(disc: TrayProfile) -> None:
    assert all(distance(disc, a, b) < disc.sphere_mm for a, b in OVERLAPS)


def test_labels_run_clockwise_seen_from_above(disc: TrayProfile) -> None:
    places = seat_positions(replace(disc, ring0_deg=90, slot0_deg=90))
    assert places["R0"][:2] == pytest.approx((0, 21.5))
    assert places["R1"][0] > 0
    assert places["R1"][1] > 0
    assert places["S00"][0] < places["S01"][0] < places["S02"][0]
    assert places["S10"][0] > 0


def test_a_sphere_in_a_hole_touches_the_rim(disc: TrayProfile) -> None:
    assert disc.level_one_mm**2 + (disc.hole_mm / 2) ** 2 == pytest.approx(disc.sphere_radius_mm**2)


@pytest.mark.parametrize("outline", [Disc(68), Pentagon(66, 14), Pentagon(70), SQUARE, None])
def test_profiles_survive_their_file(
    disc: TrayProfile, outline: Disc | Pentagon | Polygon | None, tmp_path: Path
) -> None:
    profile = replace(
        disc,
        name="mine",
        outline=outline,
        scale="assumed",
        colors={"O": (60.0, 50.0, 60.5), "tray": (40.0, -30.0, 20.0)},
        measured={"pitch_mm": 0.05},
        markers=Markers("DICT_4X4_50", 20.0, {3: (100.0, -80.0)}, -8.0),
    )
    file = tmp_path / "deep" / "mine.json"
    save_profile(profile, file)
    assert load_profile(file) == profile


def test_built_in_profiles_then_the_users(disc: TrayProfile) -> None:
    save_profile(replace(disc, name="blue"), profile_file("blue"))
    assert profile_names() == (*BUILT_IN, "blue")
    assert load_profile("blue").name == "blue"


def test_an_unknown_name_tells_the_known_ones() -> None:
    with pytest.raises(ProfileError, match=r"no tray profile 'round'.*disc, pentagon"):
        load_profile("round")


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", "\x00", '{"name": NaN}', "[" * 99999])
def test_a_file_that_is_no_profile_is_refused_in_words(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(ProfileError):
        load_profile(file)


def changed(**changes: Any) -> dict[str, Any]:
    data = {**load_profile("disc").to_json(), **changes}
    return {key: value for key, value in data.items() if value != "missing"}


BADLY_WRITTEN = [
    ({"sphere_mm": "missing"}, ["sphere_mm"]),
    ({"sphere_mm": "20"}, ["sphere_mm"]),
    ({"sphere_mm": 0, "hole_mm": -1, "pitch_mm": None}, ["sphere_mm", "pitch_mm", "hole_mm"]),
    ({"hole_mm": True}, ["hole_mm"]),
    ({"ring0_deg": [1]}, ["ring0_deg"]),
    ({"version": 2, "scale": "guessed", "name": "../x"}, ["name", "version", "scale"]),
    ({"colour": 1}, ["colour"]),
    ({"outline": {"shape": "star"}}, ["outline.shape"]),
    ({"outline": {"shape": "disc"}}, ["outline.radius_mm"]),
    ({"outline": {"shape": "disc", "radius_mm": 68, "corner_mm": 3}}, ["outline.corner_mm"]),
    ({"outline": {"shape": "pentagon", "inradius_mm": 66, "corner_mm": -1}}, ["outline.corner_mm"]),
    ({"outline": {"shape": "polygon", "points_mm": [[0, 0], [1, 0]]}}, ["outline.points_mm"]),
    ({"colors": {"X": [1, 2, 3], "O": [1, 2]}}, ["colors.X", "colors.O"]),
    ({"measured": {"pitch_mm": "wide"}}, ["measured.pitch_mm"]),
    (
        {"markers": {"dictionary": 4, "centers_mm": {"1": [0]}}},
        ["markers.size_mm", "markers.dictionary", "markers.centers_mm.1"],
    ),
]


@pytest.mark.parametrize(("changes", "keys"), BADLY_WRITTEN)
def test_everything_badly_written_is_named_at_once(
    changes: dict[str, Any], keys: list[str]
) -> None:
    assert [problem.key for problem in format_problems(changed(**changes))] == keys


@pytest.mark.parametrize(("changes", "_keys"), [({}, []), *BADLY_WRITTEN])
def test_the_schema_says_the_same(changes: dict[str, Any], _keys: list[str]) -> None:
    data = changed(**changes)
    assert jsonschema.Draft202012Validator(profile_schema()).is_valid(data) == (not changes)


def test_the_schema_tells_what_each_measure_is() -> None:
    measures = profile_schema()["properties"]
    assert measures["hole_mm"]["description"] == "Diameter of a hole and width of a slot."


def test_a_profile_says_what_its_file_says() -> None:
    """Ledgers name profiles by the hash of their JSON: 90 must not become 90.0."""
    assert json.dumps(load_profile("pentagon").to_json(), sort_keys=True) == (
        '{"hole_mm": 15.0, "name": "pentagon", "outline": {"corner_mm": 14.0, "inradius_mm": 66.0,'
        ' "shape": "pentagon"}, "pitch_mm": 21.5, "ring0_deg": 90, "scale": "given", "slot0_deg":'
        ' 90, "slot_radius_mm": 47.5, "slot_step_mm": 20.6, "sphere_mm": 20.0, "version": 1}'
    )


def test_a_file_may_say_that_it_is_of_a_tray() -> None:
    assert TrayProfile.from_json(changed(kind="tray")) == load_profile("disc")
    assert [problem.key for problem in format_problems(changed(kind="dice"))] == ["kind"]


@pytest.mark.parametrize("key", ["version", "scale"])
def test_what_every_file_says_may_not_be_missing(key: str) -> None:
    assert [problem.text for problem in format_problems(changed(**{key: "missing"}))] == [
        f"{key} is missing."
    ]


def test_a_wrong_value_is_shown_beside_what_it_should_be() -> None:
    problems = format_problems(changed(sphere_mm=-1, version=True, outline={"shape": "star"}))
    assert [problem.text for problem in problems] == [
        "sphere_mm is -1 instead of a length above 0 mm.",
        "outline.shape is 'star' instead of one of disc, pentagon, polygon.",
        "version is True instead of 1, the version that this program reads.",
    ]


def test_trays_are_a_kind_of_profile() -> None:
    assert profile_kind("tray").load("disc") == load_profile("disc")
    with pytest.raises(ProfileError, match=r"no profiles of kind 'house'. Kinds: tray"):
        profile_kind("house")


@pytest.mark.parametrize(
    ("changes", "keys"),
    [
        ({"pitch_mm": 19.0}, ["pitch_mm"]),
        ({"pitch_mm": 40.0, "slot_radius_mm": 90.0, "outline": None}, ["pitch_mm"]),
        ({"hole_mm": 20.0}, ["hole_mm"]),
        ({"pitch_mm": 18.0, "hole_mm": 20.5}, ["pitch_mm", "hole_mm"]),
        ({"slot_step_mm": 15.0}, ["slot_step_mm"] * 10),
        ({"outline": {"shape": "disc", "radius_mm": 58}}, ["outline"] * 10),
        (
            {"outline": {"shape": "polygon", "points_mm": [[-90, -90], [-90, 90], [90, 0]]}},
            ["outline.points_mm"],
        ),
    ],
)
def test_what_no_tray_can_be_is_named(changes: dict[str, Any], keys: list[str]) -> None:
    assert [problem.key for problem in format_problems(changed(**changes))] == keys


def test_slots_that_run_into_the_ring_are_named() -> None:
    problems = format_problems(changed(slot_radius_mm=34.0))
    assert any("R0 and S01" in problem.text for problem in problems)


def test_a_profile_that_cannot_be_loaded_is_not_written(disc: TrayProfile, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    with pytest.raises(ProfileError):
        save_profile(replace(disc, pitch_mm=5.0), file)
    assert not file.exists()


@pytest.mark.parametrize("outline", [Disc(68), Pentagon(66, 14), Pentagon(70), SQUARE])
def test_outline_points_lie_on_the_outline(outline: Disc | Pentagon | Polygon) -> None:
    points = outline_points(outline, 20.0, 0.5)
    assert np.abs(inside_by(outline, 20.0, points)).max() < 1e-9
    steps = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    assert steps.max() < 0.51


def test_a_pentagons_sides_lie_along_the_slots() -> None:
    depth = inside_by(Pentagon(66, 14), 90.0, np.array([[0.0, 66.0], [0.0, 60.0], [0.0, 0.0]]))
    assert depth == pytest.approx([0.0, 6.0, 66.0])


def test_no_two_seats_to_store_are_the_same_place(disc: TrayProfile) -> None:
    stored = [seat for seat in ALL_SEATS if seat[0] == "S"]
    assert min(distance(disc, a, b) for a, b in combinations(stored, 2)) > disc.sphere_mm
