"""Dice profiles: what is written is what is read, and everything wrong is told at once."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.high_score.profile import DICE, FACE_SIZE, DiceProfile
from calibration.profile_files import ProfileError
from calibration.profiles import profile_kind
from rules.high_score.dice import FACES


def some_profile() -> DiceProfile:
    rng = np.random.default_rng(1)
    shape = (FACE_SIZE, FACE_SIZE, 3)
    return DiceProfile(
        "ours", {value: (rng.integers(0, 255, shape, dtype=np.uint8),) for value in FACES}
    )


def wrong(change: dict[str, Any]) -> list[str]:
    with pytest.raises(ProfileError) as caught:
        DiceProfile.from_json({**some_profile().to_json(), **change})
    return [problem.key for problem in caught.value.problems]


def test_a_profile_comes_back_as_it_was_written(tmp_path: Path) -> None:
    profile, file = some_profile(), tmp_path / "ours.json"
    DICE.save(profile, file)
    again = DICE.load(str(file))
    assert again.name == "ours"
    for value in FACES:
        assert np.array_equal(again.faces[value][0], profile.faces[value][0])


def test_the_registry_knows_dice() -> None:
    assert profile_kind("dice") is DICE


def test_a_profile_says_what_it_is_of() -> None:
    assert json.loads(json.dumps(some_profile().to_json()))["kind"] == "dice"
    assert wrong({"kind": "tray"}) == ["kind"]


def test_all_that_is_wrong_is_told_at_once() -> None:
    assert wrong({"name": "", "version": 2, "extra": 1}) == ["version", "name", "extra"]


def test_every_face_needs_pictures_of_the_right_size() -> None:
    faces = some_profile().to_json()["faces"]
    assert wrong({"faces": {**faces, "3": []}}) == ["faces.3"]
    assert wrong({"faces": {**faces, "V": ["bm8gcGljdHVyZQ=="]}}) == ["faces.V"]
    assert wrong({"faces": {**faces, "V": [7]}}) == ["faces.V"]
    assert wrong({"faces": {**faces, "6": faces["V"]}}) == ["faces.6"]
    assert wrong({"faces": "all"}) == ["faces"]


def test_a_profile_is_an_object() -> None:
    with pytest.raises(ProfileError, match="JSON object"):
        DiceProfile.from_json([])
