"""Photos of buildings, from the file to the reading."""

import cv2
import numpy as np
import pytest

from tests.vision.cube.photos import SIZE, columns, photo, scene
from vision.cube.reader import NO_COLORS, Reader

SEEDS = (4, 6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["side", "top"])
def test_what_is_certain_is_right(seed: int, kind: str) -> None:
    reading = Reader().read(photo(seed, kind))
    assert reading.status in ("certain", "uncertain")
    assert reading.board is not None
    there = columns(scene(seed, kind))
    for number, (read, true) in enumerate(zip(reading.board.columns, there, strict=True)):
        if (number % 4, number // 4) in reading.open:
            continue
        if reading.status == "certain":
            assert len(read) == len(true)
        for z, letter in enumerate(read):
            cube = reading.cubes[number % 4, number // 4, z]
            if reading.status == "certain" and cube.how == "seen":
                assert letter == true[z]


def test_both_photos_together_show_the_building() -> None:
    reading = Reader().read_together([photo(8, "side"), photo(8, "top")])
    assert reading.status == "certain", reading.message
    assert reading.board is not None
    assert tuple(reading.board.columns) == columns(scene(8, "side"))


def test_a_table_without_a_board_has_no_building() -> None:
    table = np.full((SIZE[1], SIZE[0], 3), (90, 120, 140), np.uint8)
    reading = Reader().read(cv2.imencode(".jpg", table)[1].tobytes())
    assert (reading.status, reading.board) == ("no_board", None)
    assert "whole board" in reading.message


def test_a_photo_without_colours_is_refused() -> None:
    shown = cv2.imdecode(np.frombuffer(photo(4, "side"), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert shown is not None
    reading = Reader().read(cv2.imencode(".jpg", shown)[1].tobytes())
    assert reading.status in ("bad_image", "no_board")
    assert reading.status == "no_board" or reading.message == NO_COLORS


@pytest.mark.parametrize("content", [b"", b"no photo", b"\xff\xd8\xff\xe0"])
def test_a_damaged_file_is_a_bad_image(content: bytes) -> None:
    assert Reader().read(content).status == "bad_image"
