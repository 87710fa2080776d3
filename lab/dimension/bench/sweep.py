"""The lab sweep: pictures over tilt × light × fill × noise, each level equally often.

All combinations would be thousands. Instead every factor goes through its levels evenly, in an
order of its own by chance, so that each can be looked at alone.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from lab.dimension.make import Seeds, Wishes, write_one
from lab.dimension.setting import LIGHTS
from lab.dimension.shot import Span
from lab.processes import side_by_side
from rules.dimension.board import seats_in, shapes
from rules.dimension.layout import COLORS, PER_COLOR, Layout

Level = TypeVar("Level")

SIZE = (512, 384)
TILTS: tuple[Span, ...] = ((0, 15), (15, 30), (30, 45), (45, 55))
FILLS = ((0, 0), (1, 4), (5, 8), (9, 11))
"""Fewest and most spheres on the tray."""
NOISES = (0.0, 0.02, 0.05, 0.1)
"""The lab's noise: 0.05 is a phone by day at its worst, 0.1 one in the evening."""
NEGATIVES = 0.1
"""Pictures without a tray that are added, as a share."""


@dataclass(frozen=True)
class Point:
    """One combination of the four factors."""

    tilt_deg: Span
    light: str
    fill: tuple[int, int]
    noise: float


def design(count: int, seed: int) -> list[Point]:
    """So many combinations; each level of a factor comes equally often, give or take one."""
    rng = np.random.default_rng(seed)
    return [
        Point(*levels)
        for levels in zip(
            _evenly(TILTS, count, rng),
            _evenly(tuple(LIGHTS), count, rng),
            _evenly(FILLS, count, rng),
            _evenly(NOISES, count, rng),
            strict=True,
        )
    ]


def render(out: Path, count: int, seed: int, jobs: int) -> Iterator[int]:
    """Write the sweep's pictures and truth.jsonl to a folder; yields how many are done."""
    out.mkdir(parents=True, exist_ok=True)
    points = design(count, seed)
    plan = [
        (f"sweep-{number:05d}.jpg", Seeds.of(seed, number), _wishes(point, (seed, number)))
        for number, point in enumerate(points)
    ]
    plan += [
        (f"negative-{number:05d}.jpg", Seeds.of(seed, count + number), Wishes(SIZE, "negative"))
        for number in range(round(NEGATIVES * count))
    ]
    noises = [point.noise for point in points] + [None] * (len(plan) - count)
    with (
        side_by_side(jobs) as pool,
        (out / "truth.jsonl").open("w", encoding="utf-8") as truth,
    ):
        lines = pool.map(partial(write_one, out), plan)
        for done, (line, noise) in enumerate(zip(lines, noises, strict=True), 1):
            truth.write(json.dumps({**json.loads(line), "noise": noise}) + "\n")
            yield done


def _wishes(point: Point, seed: tuple[int, ...]) -> Wishes:
    rng = np.random.default_rng((*seed, 4))
    layout = _layout(point.fill, rng)
    return Wishes(
        size=SIZE,
        kind="play" if len(layout) else "start",
        layout=layout,
        light=point.light,
        tilt_deg=point.tilt_deg,
        noise=point.noise,
    )


def _layout(fill: tuple[int, int], rng: np.random.Generator) -> Layout:
    """A random legal layout with so many spheres."""
    wanted = int(rng.integers(fill[0], fill[1] + 1))
    shape = rng.choice([mask for mask in shapes() if mask.bit_count() == wanted])
    colors = rng.permutation(list(COLORS * PER_COLOR))
    return Layout.of(dict(zip(seats_in(int(shape)), map(str, colors), strict=False)))


def _evenly(levels: Sequence[Level], count: int, rng: np.random.Generator) -> list[Level]:
    repeated = [levels[number % len(levels)] for number in range(count)]
    return [repeated[i] for i in rng.permutation(count)]
