"""Makes pictures with known truth: ``python -m lab.dimension.make --count 100 --seed 1 --out DIR``.

A picture is the product of three draws with seeds of their own: the setting (tray, paints, table,
light), the arrangement (what lies where) and the shot (camera and film). Evenings share the first
(truth: ``NAME-0`` is the start photo), pairs share the first two (``-a``, ``-b``).
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibration.dimension.profile import TrayProfile, load_profile
from lab.dimension.arrange import Arrangement, arrange
from lab.dimension.hand import draw_hand
from lab.dimension.mat_sheet import lay_mat
from lab.dimension.negatives import arrange_negative
from lab.dimension.setting import LIGHTS, Setting, draw_setting
from lab.dimension.shot import Span, draw_film, draw_view
from lab.dimension.truth import truth_of
from lab.processes import side_by_side
from lab.rendering.expose import photograph
from lab.rendering.film import Picture, jpeg_bytes
from lab.rendering.scene import Scene, Sheet
from lab.rendering.textures import PATTERNS
from rules.dimension.layout import Layout

KINDS = ("play", "start", "empty", "negative")
MIX = (0.8, 0.07, 0.05, 0.08)
"""How often each kind is made when none is asked for."""

MAT_AROUND = 1.5
"""Who lays a mat has all of it, or nearly, in the picture."""
_EVENING = 7


@dataclass(frozen=True)
class Wishes:
    """What a picture should show; None leaves it to chance."""

    size: tuple[int, int] = (1024, 768)
    kind: str | None = None
    profile: TrayProfile | None = None
    layout: Layout | None = None
    light: str | None = None
    table: str | None = None
    tilt_deg: Span | None = None
    noise: float | None = None
    neighbours: int | None = None
    hand: bool = False
    borrowed: bool = False
    mat: bool = False
    """The tray lies on its printed place mat, if it is not too large for one."""
    view: str = "any"
    """A word for truth; pairs are ``top`` and ``side``."""


@dataclass(frozen=True)
class Seeds:
    """Seeds of the three draws; equal ones give equal settings, arrangements or shots."""

    setting: tuple[int, ...]
    arrangement: tuple[int, ...]
    shot: tuple[int, ...]

    @classmethod
    def of(cls, *seed: int) -> "Seeds":
        """Three independent seeds from one."""
        return cls((*seed, 1), (*seed, 2), (*seed, 3))


@dataclass(frozen=True)
class Made:
    """A picture (BGR), its truth, and the scene it was taken of."""

    picture: Picture
    truth: dict[str, Any]
    scene: Scene


def make(seeds: Seeds, wishes: Wishes | None = None) -> Made:
    """The picture of these seeds: always the same."""
    scene, truth = compose(seeds, wishes or Wishes())
    return Made(photograph(scene, np.random.default_rng((*seeds.shot, 1))), truth, scene)


def compose(seeds: Seeds, wishes: Wishes) -> tuple[Scene, dict[str, Any]]:
    """What the picture of these seeds would show, and its truth, without taking it."""
    chance = np.random.default_rng(seeds.setting)
    setting = draw_setting(chance, wishes.profile, wishes.light, wishes.table)
    chance = np.random.default_rng(seeds.arrangement)
    kind = wishes.kind or str(chance.choice(KINDS, p=MIX))
    if kind == "negative":
        things: Arrangement = arrange_negative(chance, setting)
    else:
        things = arrange(chance, setting, kind, wishes.layout, wishes.neighbours, wishes.borrowed)
    chance = np.random.default_rng(seeds.shot)
    hand = draw_hand(chance, setting) if wishes.hand else ()
    sheet = _mat(seeds, setting) if wishes.mat and things.layout is not None else None
    around = 1.0 if sheet is None else MAT_AROUND
    view, *lens = draw_view(
        chance, setting, wishes.size, wishes.tilt_deg, around, things.other_trays
    )
    scene = Scene(
        view=view,
        balls=(*things.balls, *hand),
        blocks=things.blocks,
        table=replace(setting.table, cards=things.cards, sheet=sheet),
        lights=setting.lights,
        room=setting.room,
        film=draw_film(chance, setting, wishes.size[0], wishes.noise),
    )
    truth = {
        "kind": kind,
        "view": wishes.view,
        **truth_of(things, setting, view, (lens[0], lens[1])),
    }
    truth["hand"] = wishes.hand
    truth["mat"] = sheet is not None
    return scene, truth


def _mat(seeds: Seeds, setting: Setting) -> Sheet | None:
    """The mat under this arrangement's tray; a draw of its own, so that all else stays the same."""
    return lay_mat(np.random.default_rng((*seeds.arrangement, 1)), setting.profile)


def plan(count: int, seed: int, wishes: Wishes, group: str) -> Iterator[tuple[str, Seeds, Wishes]]:
    """Name, seeds and wishes of each picture of a set."""
    for number in range(count):
        name = f"{seed:03d}-{number:05d}"
        own = Seeds.of(seed, number)
        if group == "single":
            yield f"{name}.jpg", own, wishes
        elif group == "pairs":
            again = replace(own, shot=(*own.shot, 1))
            above = replace(wishes, kind="play", tilt_deg=(0, 15), view="top")
            beside = replace(wishes, kind="play", tilt_deg=(40, 55), view="side")
            yield f"{name}-a.jpg", own, above
            yield f"{name}-b.jpg", again, beside
        else:
            for photo in range(_EVENING):
                again = Seeds(own.setting, (*own.arrangement, photo), (*own.shot, photo))
                kind = "play" if photo else "start"
                yield f"{name}-{photo}.jpg", again, replace(wishes, kind=kind)


def write_one(out: Path, job: tuple[str, Seeds, Wishes]) -> str:
    """Make one picture and write it; returns its line of truth."""
    name, seeds, wishes = job
    made = make(seeds, wishes)
    # The picture has been through the camera's JPEG; a file must not lose much more.
    (out / name).write_bytes(jpeg_bytes(made.picture, 95, all_colors=True))
    return json.dumps({"file": name, **made.truth})


def main(arguments: Sequence[str] | None = None) -> int:
    """Write pictures and truth.jsonl; the exit status."""
    options = _options(arguments)
    wishes = Wishes(
        size=options.size,
        kind=None if options.kind == "mix" else options.kind,
        profile=load_profile(options.tray) if options.tray else None,
        light=options.light,
        table=options.table,
        tilt_deg=options.tilt,
        mat=options.mat,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    jobs = list(plan(options.count, options.seed, wishes, options.group))
    with (
        side_by_side(options.jobs) as pool,
        (options.out / "truth.jsonl").open("w", encoding="utf-8") as truth,
    ):
        for number, line in enumerate(pool.map(partial(write_one, options.out), jobs), 1):
            truth.write(line + "\n")
            sys.stderr.write(f"\r{number}/{len(jobs)} pictures")
    sys.stderr.write("\n")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.dimension.make", description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=_size, default=(1024, 768), help="such as 1024x768")
    parser.add_argument("--out", type=Path, required=True, help="directory for the pictures")
    parser.add_argument("--kind", choices=("mix", *KINDS), default="mix")
    parser.add_argument("--group", choices=("single", "pairs", "evenings"), default="single")
    parser.add_argument("--tray", help="profile by name or file instead of any")
    parser.add_argument("--light", choices=tuple(LIGHTS))
    parser.add_argument("--table", choices=tuple(PATTERNS))
    parser.add_argument("--tilt", type=_span, help="span of degrees such as 0-30")
    parser.add_argument("--mat", action="store_true", help="trays on their printed place mats")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _span(text: str) -> Span:
    low, high = text.split("-")
    return float(low), float(high)


if __name__ == "__main__":
    sys.exit(main())
