"""Lab pictures as the locating network's school: loaded with their labels, then varied.

Whatever does not change where a tray is, is varied: place, turn and size in the picture, mirror
image, colours (even swapped: no colour tells a tray), light, blur, grain, compression, and things
that lie before it. The numbers are wider than any phone's, so that real ones are inside.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.dimension.training.locate_labels import Labels, labels_of
from vision.dimension.locating.detector import COARSEST, ENLARGED, SIZE

Rng = np.random.Generator
Picture = NDArray[np.uint8]

SMALLEST, LARGEST = 20.0, 66.0
"""Pixels of the network's input from a tray's centre to its slots, in a first look."""
SECOND_LOOKS = 0.65
"""Share of lessons that are as the network's second look at a tray."""


@dataclass(frozen=True)
class Lesson:
    """A lab picture and its labels, in the picture's pixels."""

    picture: Picture
    half: Picture
    labels: Labels


def load_lessons(directory: Path, skip_below: int = 0) -> list[Lesson]:
    """All pictures of a directory that ``lab.dimension.make`` filled (or is still filling)."""
    lessons = []
    for line in (directory / "truth.jsonl").read_text(encoding="utf-8").splitlines()[skip_below:]:
        truth = json.loads(line)
        picture = np.asarray(cv2.imread(str(directory / truth["file"])), dtype=np.uint8)
        half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        labels = labels_of(truth["file"], truth)
        lessons.append(Lesson(picture, np.asarray(half, dtype=np.uint8), labels))
    return lessons


def varied(rng: Rng, lesson: Lesson) -> tuple[Picture, Labels]:
    """The lesson at the network's size, randomly varied."""
    warp = _draw_warp(rng, lesson)
    picture, own = lesson.picture, warp
    if np.sqrt(abs(np.linalg.det(warp[:, :2]))) < COARSEST:  # from afar: without aliasing
        picture = lesson.half
        own = np.column_stack([2 * warp[:, :2], warp[:, 2] + 0.5 * warp[:, :2].sum(axis=1)])
    around = rng.integers(0, 256, 3).tolist()
    seen = cv2.warpAffine(picture, own, SIZE, flags=cv2.INTER_LINEAR, borderValue=around)
    seen = _cover(rng, np.asarray(seen, dtype=np.uint8))
    return _film(rng, _paint(rng, seen)), lesson.labels.moved(warp)


def _draw_warp(rng: Rng, lesson: Lesson) -> NDArray[np.float64]:
    """A similarity that shows a tray somewhere, or as the second look does: large, in the middle.

    Pictures are mostly held upright, as photos are.
    """
    height, width = lesson.picture.shape[:2]
    scale = SIZE[0] / width * np.exp(rng.uniform(np.log(0.8), np.log(1.6)))
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    aside = rng.normal(0, 0.12, 2) * np.array(SIZE)
    if len(lesson.labels.centres):
        tray = int(rng.integers(len(lesson.labels.centres))) if rng.random() < 0.2 else 0
        middle = lesson.labels.centres[tray]
        reach = reach_of(lesson.labels.slots[tray])
        scale = np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))) / reach
        if rng.random() < SECOND_LOOKS:
            scale = ENLARGED * np.exp(rng.normal(0, 0.12)) / reach
            aside = rng.normal(0, 4.0, 2)
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.15 else rng.normal(0, 0.15)
    cos, sin = np.cos(turn), np.sin(turn)
    turned = scale * np.array([[cos, -sin], [sin, cos]])
    if rng.random() < 0.5:
        turned = turned * np.array([-1.0, 1.0])
    wanted = (np.array(SIZE) - 1) / 2 + aside
    return np.column_stack([turned, wanted - turned @ middle])


def reach_of(slots: NDArray[np.float64]) -> float:
    """Pixels from a tray's centre to its slots (5, 2) where it is least foreshortened."""
    off = slots - slots.mean(axis=0)
    return float(np.sqrt(np.linalg.eigvalsh(0.4 * off.T @ off)[-1]))


def _cover(rng: Rng, picture: Picture) -> Picture:
    """Sometimes cover a part of the picture, as a hand or a sleeve does."""
    if rng.random() > 0.06:
        return picture
    at = rng.uniform(0, 1, 2) * SIZE
    reach = rng.uniform(8, 45, 2)
    color = rng.integers(0, 256, 3).tolist()
    box = (tuple(at.tolist()), tuple((2 * reach).tolist()), float(rng.uniform(0, 180)))
    cv2.ellipse(picture, box, color, -1, cv2.LINE_AA)
    return picture


def _paint(rng: Rng, picture: Picture) -> Picture:
    """Other colours and light."""
    if rng.random() < 0.1:
        picture = np.ascontiguousarray(picture[..., rng.permutation(3)])
    grey = rng.uniform(-0.3, 0.4) if rng.random() > 0.03 else 1.0
    mean = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.12, 3))
    mix = ((1 - grey) * np.eye(3) + grey / 3) * mean[:, None]
    seen = cv2.transform(picture.astype(np.float32), mix)
    curve = 255 * np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.25))
    bent = cv2.LUT(np.clip(seen, 0, 255).astype(np.uint8), curve.astype(np.uint8))
    return np.asarray(bent, dtype=np.uint8)


def _film(rng: Rng, picture: Picture) -> Picture:
    """Blur, grain and compression."""
    if rng.random() < 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.2)), np.uint8)
    if rng.random() < 0.25:
        grain = rng.normal(0, rng.uniform(1, 8), picture.shape).astype(np.float32)
        picture = np.clip(picture + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        picture = np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], 1), np.uint8)
    return picture
