"""Whatever is sent to the dice reader, it refuses what it cannot read and raises nothing."""

from collections import Counter

import cv2
import numpy as np
import pytest

from vision.high_score.reader import Reader

SEED = 13
FILES = 120


def _damaged(rng: np.random.Generator, sound: bytes) -> bytes:
    """A JPEG cut off, with bytes changed, or only its beginning followed by noise."""
    kind = int(rng.integers(3))
    end = int(rng.integers(1, len(sound)))
    if kind == 0:
        return sound[: end // 8]
    if kind == 1:
        changed = bytearray(sound)
        for at in rng.integers(0, len(changed), 40):
            changed[at] = int(rng.integers(256))
        return bytes(changed)
    return sound[:20] + rng.integers(0, 256, end % 4000, dtype=np.uint8).tobytes()


def _absurd(rng: np.random.Generator) -> bytes:
    """A picture with nothing in it: one colour, noise, a gradient; of any shape."""
    height, width = (int(side) for side in rng.choice([1, 2, 7, 40, 333, 700], 2))
    kind = int(rng.integers(3))
    if kind == 0:
        picture = np.full((height, width, 3), rng.integers(0, 256, 3), np.uint8)
    elif kind == 1:
        picture = rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
    else:
        ramp = np.linspace(0, 255, width, dtype=np.uint8)
        picture = np.repeat(np.tile(ramp, (height, 1))[..., None], 3, axis=2)
    ending = str(rng.choice([".jpg", ".png", ".webp"]))
    return cv2.imencode(ending, picture)[1].tobytes()


@pytest.mark.slow
def test_damaged_and_absurd_files_are_refused() -> None:
    rng = np.random.default_rng(SEED)
    y, x = np.mgrid[:300, :400].astype(np.float32)
    table = np.stack([90 + x / 8, 110 + y / 9, 140 + x / 9], axis=2).astype(np.uint8)
    sound = cv2.imencode(".jpg", table)[1].tobytes()
    reader, told = Reader(), Counter[str]()
    for number in range(FILES):
        content = _damaged(rng, sound) if number % 2 else _absurd(rng)
        reading = reader.read(content)
        assert reading.message, number
        told[reading.status] += 1
    assert set(told) <= {"bad_image", "no_dice"}, told
    assert told["bad_image"] >= FILES // 6, told
