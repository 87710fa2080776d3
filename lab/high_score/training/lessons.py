"""Pictures to learn from: made ones with full truth, real ones that know places and values."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.high_score.faces import Rng

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

WHOLE = 4096


@dataclass(frozen=True, eq=False)
class Lesson:
    """A picture, and the dice in it: one row each."""

    picture: Picture
    uv: Floats
    edges: Floats
    """(N, 2, 2); NaN where only the place is known."""
    cocked: Floats
    kinds: tuple[str, ...] = ()
    faces: tuple[tuple[int, int], ...] = ()
    """Set and face of each die; (−1, −1) where unknown."""
    sides: tuple[float, ...] = ()
    """Widths of real dice as their truth tells them."""


def made(folder: Path, size: int = WHOLE) -> list[Lesson]:
    """Lessons of ``lab.high_score.make``, at most this many pixels long."""
    found = []
    for line in (folder / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        dice = truth["dice"]
        picture, scale = _load(folder / truth["file"], size)
        found.append(
            Lesson(
                picture,
                scale * np.array([die["uv"] for die in dice], np.float32).reshape(-1, 2),
                scale * np.array([die["edges"] for die in dice], np.float32).reshape(-1, 2, 2),
                np.array([die["cocked"] for die in dice], np.float32),
                tuple(die["kind"] for die in dice),
                tuple((die["set"], die["face"]) for die in dice),
            )
        )
    return found


def real(folder: Path, size: int = WHOLE, held_back: bool = False) -> list[Lesson]:
    """Lessons of photos with pips. Every fourth is held back, for measuring."""
    found = []
    for number, line in enumerate((folder / "truth.jsonl").read_text().splitlines()):
        if (number % 4 == 3) != held_back:
            continue
        truth = json.loads(line)
        dice = truth["dice"]
        picture, scale = _load(folder / truth["file"], size)
        found.append(
            Lesson(
                picture,
                scale * np.array([die["uv"] for die in dice], np.float32).reshape(-1, 2),
                np.full((len(dice), 2, 2), np.nan, np.float32),
                np.zeros(len(dice), np.float32),
                tuple("6" if die["value"] == "V" else die["value"] for die in dice),
                tuple((-1, -1) for _ in dice),
                tuple(scale * die["side_px"] for die in dice),
            )
        )
    return found


def empty(files: list[Path], size: int = WHOLE) -> list[Lesson]:
    """Lessons of photos without dice."""
    none = np.zeros((0, 2), np.float32)
    edges, cocked = np.zeros((0, 2, 2), np.float32), np.zeros(0, np.float32)
    return [Lesson(_load(file, size)[0], none, edges, cocked) for file in files]


def varied(rng: Rng, lesson: Lesson, size: int) -> Lesson:
    """A window of the picture, turned, scaled, mirrored, under other light."""
    height, width = lesson.picture.shape[:2]
    if len(lesson.uv) and rng.random() < 0.65:  # around a die
        middle = lesson.uv[rng.integers(len(lesson.uv))] + rng.normal(0, size / 5, 2)
    else:
        middle = rng.uniform(0, 1, 2) * (width, height)
    angle, scale = rng.uniform(0, 2 * np.pi), np.exp(rng.uniform(-0.25, 0.25))
    linear = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if rng.random() < 0.5:
        linear = linear @ np.diag([-1.0, 1.0])
    shift = np.array([size / 2, size / 2]) - linear @ middle
    warp = np.column_stack([linear, shift])
    picture = cv2.warpAffine(
        lesson.picture, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    uv = lesson.uv @ linear.T + shift
    edges = (linear @ lesson.edges).astype(np.float32)
    flipped = np.linalg.det(edges) < 0
    edges[flipped] = edges[flipped][..., ::-1]
    # What the border mirrors has no truth: grey it out.
    inside = cv2.warpAffine(np.full((height, width), 255, np.uint8), warp, (size, size))
    picture[inside < 128] = picture.reshape(-1, 3).mean(axis=0)
    return Lesson(
        relit(rng, np.asarray(picture, np.uint8)), uv.astype(np.float32), edges, lesson.cocked
    )


def relit(rng: Rng, picture: Picture) -> Picture:
    """The picture under another light, sometimes in other colours, sharper or softer.

    Tables and ready-made noise: training waits for this more than for anything else.
    """
    if rng.random() < 0.3:
        picture = np.ascontiguousarray(picture[..., rng.permutation(3)])
    levels = (np.arange(256, dtype=np.float32) / 255) ** np.exp(rng.normal(0, 0.2))
    gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.15))
    table = np.clip(255 * levels[:, None] * gain, 0, 255).astype(np.uint8)
    picture = np.asarray(cv2.LUT(picture, table[None]), np.uint8)
    if rng.random() < 0.15:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.1)), np.uint8)
    if rng.random() < 0.3:
        height, width = picture.shape[:2]
        row, column = rng.integers(_NOISE.shape[0] - height), rng.integers(_NOISE.shape[1] - width)
        noise = _NOISE[row : row + height, column : column + width]
        mixed = picture.astype(np.int16) + noise // int(rng.integers(1, 5))
        picture = np.clip(mixed, 0, 255).astype(np.uint8)
    return picture


_NOISE = np.random.default_rng(0).normal(0, 9, (640, 640, 3)).astype(np.int16)


def _load(file: Path, size: int) -> tuple[Picture, float]:
    """The picture, at most this many pixels long, and by how much it was made smaller."""
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    assert picture is not None, file
    scale = size / max(picture.shape[:2])
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(picture, np.uint8), min(scale, 1.0)
