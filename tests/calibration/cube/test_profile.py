"""Board profiles: what is written is what is read, and everything wrong is told at once."""

from pathlib import Path
from typing import Any

import pytest

from calibration.cube.colors import Palette
from calibration.cube.names import LOOKS, name_colors
from calibration.cube.profile import BOARDS, BUILT_IN, BoardProfile, load_profile, problems
from calibration.profiles import profile_kind

COLORS = ((30.0, 60.0, 200.0), (20.0, 120.0, 60.0), (190.0, 30.0, 30.0), (220.0, 190.0, 20.0))
OURS = BoardProfile("ours", Palette("BGRY", COLORS), 0.92, 0.3, supply=16)


def test_a_profile_comes_back_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    BOARDS.save(OURS, file)
    assert BOARDS.load(str(file)) == OURS


def test_the_registry_knows_boards() -> None:
    assert profile_kind("board") is BOARDS
    assert problems(load_profile(BUILT_IN[0]).to_json()) == ()


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"kind": "tray"}, ["kind"]),
        ({"letters": "RRGB"}, ["letters", "colors"]),
        ({"letters": "rgby"}, ["letters", "colors"]),
        ({"colors": {"B": [0, 0, 0]}}, ["colors"]),
        ({"colors": {letter: [0, 0, 256] for letter in "BGRY"}}, ["colors"]),
        ({"cube": True}, ["cube"]),
        ({"cube": float("nan")}, ["cube"]),
        ({"border": -0.1, "cube": 1.2}, ["cube", "border"]),
        ({"supply": 65}, ["supply"]),
        ({"name": "../evil", "height": 1}, ["height", "name"]),
    ],
)
def test_all_that_is_wrong_is_told_at_once(change: dict[str, Any], where: list[str]) -> None:
    assert [problem.key for problem in problems({**OURS.to_json(), **change})] == where


@pytest.mark.parametrize("data", [None, 3, "RYBG", []])
def test_what_is_no_object_is_no_profile(data: object) -> None:
    (problem,) = problems(data)
    assert problem.text == "A board's profile is a JSON object."


@pytest.mark.parametrize("letters", ["RYBG", "KWON", "GROW", "BYNK"])
@pytest.mark.parametrize("bright", [0.5, 1.0])
def test_colours_are_named_in_any_light(letters: str, bright: float) -> None:
    seen = [
        (red, green, blue)
        for red, green, blue in (
            (255 * (bright * part) ** (1 / 2.2) for part in LOOKS[letter]) for letter in letters
        )
    ]
    assert name_colors(seen) == letters
