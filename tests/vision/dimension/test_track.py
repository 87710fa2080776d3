"""A film of the lab followed: the tray seen, a hand that comes and goes, a look away and back.

``film/film.mjpeg`` was made by ``python -m lab.dimension.video --frames 64 --seed 3 --size 384x288
--tray disc --hand 20-40 --away 40-60``. The hand is over the tray in frames 25 to 34; in 43 to 55
not all holes are in the picture.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import FloatArray
from rules.dimension.layout import Layout
from vision.dimension.reading import Reading
from vision.dimension.tracking.track import GRACE, SEARCH_EVERY, Tracked, TrayTracker
from vision.photo import Photo, load_photo

FILM = Path(__file__).parent / "film"
HAND, AWAY, BACK = range(25, 35), range(43, 56), 56
LEFT = 41
"""From here on the camera turns away, fast."""


@cache
def frames() -> list[bytes]:
    start = b"\xff\xd8\xff"
    parts = (FILM / "film.mjpeg").read_bytes().split(start)[1:]
    return [start + part for part in parts]


@cache
def truths() -> list[dict[str, Any]]:
    lines = (FILM / "truth.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def followed() -> list[Tracked]:
    tracker = TrayTracker()
    return [tracker.frame(frame) for frame in frames()]


def off_truth(tracked: Tracked, truth: dict[str, Any]) -> list[float]:
    """How far each sphere's centre is from where it is, in diameters."""
    seats = {**tracked.reading.seats, **tracked.reading.storage}
    return [
        float(np.hypot(seats[seat].uv[0] + 0.5 - u, seats[seat].uv[1] + 0.5 - v)) / (2 * radius)
        for seat, (u, v, radius) in truth["spheres"].items()
    ]


def test_the_lock_is_kept_while_the_tray_is_in_view() -> None:
    states = [tracked.state for tracked in followed()[:LEFT]]
    assert "lost" not in states
    assert "searching" not in states


def test_centres_are_where_they_are_in_every_frame() -> None:
    for tracked, truth in zip(followed()[:LEFT], truths(), strict=False):
        off = off_truth(tracked, truth)
        assert np.median(off) < 0.03, truth["frame"]
        assert max(off) < 0.06, truth["frame"]


def test_a_hand_is_noticed_when_it_comes_and_when_it_goes() -> None:
    states = [tracked.state == "hand" for tracked in followed()[:LEFT]]
    assert [frame for frame, hand in enumerate(states) if hand] == list(HAND)
    for frame in HAND:
        assert "hand_in_view" in followed()[frame].reading.warnings
        assert followed()[frame].advice[0] == "hand"


def test_nothing_is_certain_while_a_hand_is_in_the_way_nor_right_after() -> None:
    assert not any(followed()[frame].certain for frame in range(HAND.start, HAND.stop + 2))
    assert any(followed()[frame].certain for frame in range(HAND.stop, LEFT))


def test_the_layout_is_certain_after_a_few_frames_and_right() -> None:
    truth = Layout.parse(truths()[0]["layout"])
    assert not followed()[0].certain, "one look is not enough"
    assert all(tracked.certain for tracked in followed()[8 : HAND.start])
    for tracked in followed():
        if tracked.certain:
            assert tracked.reading.layout is not None
            assert tracked.reading.layout.same_as(truth)


def test_a_tray_that_leaves_is_lost_then_searched_for() -> None:
    for frame in AWAY:
        assert followed()[frame].state in ("lost", "searching")
        assert followed()[frame].reading.layout is None
        assert followed()[frame].advice == ("find",)
    lost = [tracked.state for tracked in followed()].count("lost")
    assert 1 <= lost <= GRACE
    assert followed()[AWAY[-1]].state == "searching"


def test_it_is_found_again() -> None:
    again = [tracked.state == "tracking" for tracked in followed()[BACK:]]
    assert again[-1]
    assert again.index(True) <= 2 * SEARCH_EVERY
    assert np.median(off_truth(followed()[-1], truths()[-1])) < 0.03


def test_a_film_that_begins_with_a_hand_says_so_until_it_has_gone() -> None:
    tracker = TrayTracker()
    told = [tracker.frame(frame) for frame in frames()[28:LEFT]]
    there = HAND.stop - 28
    # In its last frame only fingertips are left over the edge.
    assert {tracked.state for tracked in told[: there - 1]} == {"hand"}
    assert not any(tracked.certain for tracked in told[: there + 1])
    assert told[-1].state == "tracking"


def test_stillness_is_told() -> None:
    def travel(frame: int) -> float:
        now, before = (np.array(list(truths()[i]["spheres"].values())) for i in (frame, frame - 1))
        moved = np.linalg.norm(now[:, :2] - before[:, :2], axis=1)
        return float(np.median(moved / now[:, 2]))

    for frame in range(1, LEFT):
        if travel(frame) < 0.04:
            assert followed()[frame].still
        if travel(frame) > 0.09:
            assert not followed()[frame].still


def test_the_answer_is_a_reading_with_more() -> None:
    for frame in (10, HAND[0], AWAY[0]):
        told = json.loads(json.dumps(followed()[frame].to_json()))
        more = {name: told.pop(name) for name in ("state", "still", "certain", "advice")}
        assert more["state"] == followed()[frame].state
        assert more["certain"] == (told["status"] == "certain")
        assert str(Reading.from_json(told).layout) == str(followed()[frame].reading.layout)


def test_a_search_is_not_made_in_every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker, searched = TrayTracker(), list[Photo]()
    monkeypatch.setattr(tracker._reader, "sight", searched.append)
    for _ in range(7):
        assert tracker.frame(frames()[AWAY[5]]).state == "searching"
    assert len(searched) == 3


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0" + b"\0" * 99])
def test_a_broken_frame_is_told_and_forgotten(content: bytes) -> None:
    tracker = TrayTracker()
    assert tracker.frame(content).reading.status == "bad_image"
    assert tracker.frame(frames()[0]).state == "tracking"
    assert tracker.frame(content).state == "lost"
    assert tracker.frame(frames()[1]).state == "tracking"


def test_frames_of_another_size_are_searched_anew() -> None:
    tracker = TrayTracker()
    tracker.frame(frames()[0])
    smaller = cv2.resize(load_photo(frames()[1]).picture, None, fx=0.8, fy=0.8)
    encoded = cv2.imencode(".jpg", smaller)[1].tobytes()
    assert tracker.frame(encoded).state == "tracking"
    off = [
        np.hypot(u, v)
        for u, v in (
            np.array(tracker.frame(encoded).reading.seats[seat].uv)
            - 0.8 * np.array(followed()[1].reading.seats[seat].uv)
            for seat in ("C", "R0", "R3")
        )
    ]
    assert max(off) < 1.5


def test_what_is_moved_is_read_anew() -> None:
    """A sphere painted over in the film, as if it were another now."""
    tracker = TrayTracker()
    for frame in frames()[:12]:
        before = tracker.frame(frame)
    assert before.certain
    seat = next(seat for seat, entry in before.reading.seats.items() if entry.color == "B")
    states = []
    for number in range(12, HAND.start):
        picture = load_photo(frames()[number]).picture.copy()
        entry = followed()[number].reading.seats[seat]
        u, v = (round(value) for value in entry.uv)
        cv2.circle(picture, (u, v), round(entry.radius), (235, 235, 235), -1, cv2.LINE_AA)
        states.append(tracker.frame(cv2.imencode(".png", picture)[1].tobytes()))
    assert states[-1].reading.layout is not None
    assert states[-1].reading.layout[seat] == "W"


def spoiled(content: bytes, chance: np.random.Generator) -> bytes:
    """A frame after some mishap: shaken, dark, noisy, upside down, shifted, or all black."""
    picture: FloatArray = load_photo(content).picture.astype(float)
    match int(chance.integers(7)):
        case 0:
            spread = float(chance.uniform(1, 12))
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), spread), float)
        case 1:
            picture = picture * chance.uniform(0.0, 0.5)
        case 2:
            picture = picture + chance.normal(0, chance.uniform(5, 60), picture.shape)
        case 3:
            picture = picture[::-1, ::-1]
        case 4:
            picture = np.roll(picture, chance.integers(-150, 150, 2), axis=(0, 1))
        case 5:
            picture = np.zeros_like(picture)
        case _:
            pass
    return cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8))[1].tobytes()


@pytest.mark.parametrize("seed", range(2))
def test_whatever_comes_there_is_an_answer_and_none_is_certain_and_wrong(seed: int) -> None:
    chance, tracker = np.random.default_rng(seed), TrayTracker()
    truth = Layout.parse(truths()[0]["layout"])
    number = 0
    for _ in range(40):
        jump = chance.random() < 0.15
        number = int(chance.integers(LEFT)) if jump else min(number + 1, LEFT - 1)
        content = frames()[number]
        tracked = tracker.frame(spoiled(content, chance) if chance.random() < 0.4 else content)
        json.dumps(tracked.to_json(), allow_nan=False)
        if tracked.certain:
            assert tracked.reading.layout is not None
            assert tracked.reading.layout.same_as(truth)
