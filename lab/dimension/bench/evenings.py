"""Trays of unknown make: ``python -m lab.dimension.bench.evenings DIR…``.

A DIR is what ``lab.dimension.make --group evenings`` made. Of each evening the start photo is
measured as ``trayscore calibrate`` would; then the photos of play are read three times: with the
measured profile, with the true one, as if the make were well known, and without any, when the
reader can only guess. Evenings whose start photo is refused are named, and left out: their owner
would be asked for another photo. Evenings with a tray of built-in measures are not taken.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from calibration.dimension.profile import BUILT_IN, TrayProfile, load_profile
from calibration.dimension.start.measure import Measured, measure
from lab.dimension.bench.accuracy import calibration_error, pairs, table
from lab.dimension.bench.readings import Pictured, ReadingRow, pictures, read_with, write_rows
from lab.dimension.truth import profile_of
from lab.processes import side_by_side
from vision.dimension.locating.locate import geometries
from vision.dimension.locating.sphere_hints import likely_spheres
from vision.dimension.reader import Reader

MEASURED, TRUE, NONE = "measured from one start photo", "true profile", "no profile"


@dataclass(frozen=True)
class Evening:
    """A tray's start photo, and its photos of play."""

    name: str
    start: Pictured
    play: tuple[Pictured, ...]


@dataclass(frozen=True)
class Told:
    """The result of an evening: why its start photo was refused, or its readings."""

    evening: Evening
    refused: str | None
    rows: Mapping[str, Sequence[ReadingRow]]


def evenings(chosen: Iterable[Pictured]) -> list[Evening]:
    """The evenings among these pictures, by their names: all up to the last dash."""
    found = []
    named = sorted(chosen, key=lambda one: one.file.stem)
    for name, members in groupby(named, key=lambda one: one.file.stem.rpartition("-")[0]):
        first, *others = members
        if first.truth["kind"] == "start" and others:
            found.append(Evening(name, first, tuple(others)))
    return found


def _is_unknown(profile: TrayProfile) -> bool:
    """Whether the reader knows no tray with such measures."""
    known = [load_profile(name) for name in BUILT_IN]
    return len(geometries([*known, profile])) > len(geometries(known))


def read_evening(evening: Evening) -> Told:
    """Measure the tray, then read its evening."""
    cv2.setNumThreads(1)
    picture = np.asarray(cv2.imread(str(evening.start.file)), np.uint8)
    measured = measure([picture], spheres=likely_spheres)
    if not isinstance(measured, Measured):
        return Told(evening, measured.code, {})
    known: dict[str, list[TrayProfile] | None] = {
        MEASURED: [measured.profile],
        TRUE: [profile_of(evening.start.truth)],
        NONE: None,
    }
    readers = {word: Reader(profiles) for word, profiles in known.items()}
    return Told(
        evening,
        None,
        {
            word: list(map(partial(read_with, reader), evening.play))
            for word, reader in readers.items()
        },
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read and print the judge's tables; the exit status."""
    options = _options(arguments)
    found = evenings(one for folder in options.folders for one in pictures(folder))
    chosen = [one for one in found if _is_unknown(profile_of(one.start.truth))]
    if not chosen:
        print(
            "No evening with a tray of unknown make: see lab.dimension.make --group evenings.",
            file=sys.stderr,
        )
        return 1
    with side_by_side(options.jobs) as pool:
        told = list(pool.map(read_evening, chosen))
    refused = [f"{one.evening.name} ({one.refused})" for one in told if one.refused]
    print(f"{len(chosen)} evenings; start photos refused: {', '.join(refused) or 'none'}")
    for word in (MEASURED, TRUE, NONE):
        rows = [row for one in told for row in one.rows.get(word, ())]
        print(f"\n{word}\n{table(rows, {})}")
        print(f"expected calibration error {calibration_error(pairs(rows)):.3f}")
        if options.out:
            write_rows(rows, options.out / f"{word.replace(' ', '_')}.jsonl")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lab.dimension.bench.evenings", description=__doc__
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--out", type=Path, help="folder for a row a picture, as JSONL")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
