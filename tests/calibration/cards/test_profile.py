"""Deck profiles: what is written is what is read, and everything wrong is told at once."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.cards.profile import DECKS, DeckProfile, EnrolledCard
from calibration.profile_files import ProfileError
from calibration.profiles import profile_kind


def some_profile() -> DeckProfile:
    rng = np.random.default_rng(1)
    pictures = rng.integers(0, 255, (3, 120, 96, 3), dtype=np.uint8)
    cards = (EnrolledCard.of(f"card-{at}", one) for at, one in enumerate(pictures))
    return DeckProfile("ours", tuple(cards))


def wrong(change: dict[str, Any]) -> list[str]:
    with pytest.raises(ProfileError) as caught:
        DeckProfile.from_json({**some_profile().to_json(), **change})
    return [problem.key for problem in caught.value.problems]


def test_a_deck_comes_back_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    DECKS.save(some_profile(), file)
    again = DECKS.load(str(file))
    assert again == some_profile()
    assert again.codes == ["card-0", "card-1", "card-2"]
    assert [picture.shape for picture in again.pictures] == [(120, 96, 3)] * 3


def test_the_registry_knows_decks() -> None:
    assert profile_kind("cards") is DECKS


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"kind": "tray"}, ["kind"]),
        ({"version": 2}, ["version"]),
        ({"name": "no name"}, ["name"]),
        ({"cards": []}, ["cards"]),
        ({"name": "", "version": "1", "more": 1}, ["name", "version", "more"]),
    ],
)
def test_all_that_is_wrong_is_told_at_once(change: dict[str, Any], where: list[str]) -> None:
    assert sorted(wrong(change)) == sorted(where)


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut off"])
def test_a_damaged_picture_is_named(content: bytes) -> None:
    cards = some_profile().to_json()["cards"]
    cards[1]["picture"] = base64.b64encode(content).decode()
    assert wrong({"cards": cards}) == ["cards[1].picture"]
