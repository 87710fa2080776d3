"""The whole way from photo to reading, on the sample images."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rules.dimension.layout import Layout
from rules.dimension.places import ALL_SEATS
from vision.dimension.reader import Reader
from vision.dimension.reading import STAGES, Reading

SAMPLES = Path(__file__).parents[3] / "sample_images"
TRUTH = {
    truth["file"]: truth
    for truth in map(json.loads, (SAMPLES / "truth.jsonl").read_text("utf-8").splitlines())
}
NEGATIVES = [name for name, truth in TRUTH.items() if truth["kind"] == "negative"]
BUILT_IN = [
    name
    for name, truth in TRUTH.items()
    if truth["tray"] in ("disc", "pentagon") and name not in NEGATIVES
]


@cache
def reading(name: str) -> Reading:
    return Reader().read(SAMPLES / name)


def is_right(name: str) -> bool:
    found = reading(name).layout
    return found is not None and found.same_as(Layout.parse(TRUTH[name]["layout"]))


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_no_certain_reading_is_wrong(name: str) -> None:
    assert reading(name).status != "certain" or is_right(name)


@pytest.mark.parametrize("name", sorted(NEGATIVES))
def test_where_there_is_no_tray_none_is_found(name: str) -> None:
    found = reading(name)
    assert (found.status, found.layout, found.confidence) == ("no_tray", None, None)
    assert found.message


def test_most_trays_are_read_exactly() -> None:
    # 22 of 23 when this was written: what the reader is known to reach, not what is aimed at
    assert sum(map(is_right, BUILT_IN)) >= 0.9 * len(BUILT_IN)


@pytest.mark.parametrize("name", sorted(BUILT_IN)[:3])
def test_seats_are_where_the_truth_has_them(name: str) -> None:
    found = reading(name)
    truth = TRUTH[name]["spheres"]
    assert set(found.seats) | set(found.storage) == set(ALL_SEATS)
    turns = range(6)
    offsets = [
        np.median(
            [
                np.hypot(*(np.array(found.seats[turned(seat, turn)].uv) + 0.5 - (s["u"], s["v"])))
                / s["radius"]
                for seat, s in truth.items()
                if seat[0] != "S"
            ]
        )
        for turn in turns
    ]
    assert min(offsets) < 0.15


def turned(seat: str, steps: int) -> str:
    return seat if seat in ("C", "A") else f"{seat[0]}{(int(seat[1]) + steps) % 6}"


def test_a_reading_tells_its_stages() -> None:
    found = reading(sorted(BUILT_IN)[0]).to_json()
    assert set(found["ms"]) == set(STAGES)
    assert found["ms"]["total"] >= found["ms"]["locate"] > 0


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0" + b"\0" * 99])
def test_what_is_no_photo_is_a_bad_image(content: bytes) -> None:
    found = Reader().read(content)
    assert (found.status, found.layout) == ("bad_image", None)
    assert found.message


def test_a_missing_file_is_a_bad_image() -> None:
    assert Reader().read(SAMPLES / "none.jpg").status == "bad_image"


def test_two_views_of_one_tray_make_one_reading() -> None:
    pair = ["02200-a.jpg", "02200-b.jpg"]
    together = Reader().read_same_tray([SAMPLES / name for name in pair])
    assert together.layout is not None
    assert together.layout.same_as(Layout.parse(TRUTH[pair[0]]["layout"]))
    assert isinstance(together.photo, tuple)


def test_several_photos_of_which_one_is_broken_are_a_bad_image() -> None:
    assert Reader().read_same_tray([SAMPLES / "01211.jpg", b""]).status == "bad_image"


def test_several_photos_without_a_tray_are_none() -> None:
    assert Reader().read_same_tray([SAMPLES / "dice-08.jpg"]).status == "no_tray"
