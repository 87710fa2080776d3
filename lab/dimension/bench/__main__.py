"""Measures the reader.

Run it with ``make bench`` or ``python -m lab.dimension.bench [--count N] [--photos DIR]``.

Prints the judge's tables for ``sample_images`` and for a lab sweep over tilt × light × fill ×
noise, and what a reading costs. To ``--out`` go a row a picture (``rows.jsonl``), the reliability
diagram and the risk–coverage curve.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from lab.dimension.bench import charts as bench_charts
from lab.dimension.bench.accuracy import SILENT_ERROR, Judged, calibration_error, pairs, table
from lab.dimension.bench.costs import (
    Times,
    fresh_process,
    large_photo_ratio,
    stage_times,
    tracking_ratios,
)
from lab.dimension.bench.locating import held_back
from lab.dimension.bench.readings import (
    Pictured,
    ReadingRow,
    draw_row,
    pictures,
    read_all,
    write_rows,
)
from lab.dimension.bench.sweep import FILLS, TILTS, render
from rules.dimension.layout import Layout
from vision.dimension.reading import STAGES
from vision.dimension.reporting.confidence import shipped_confidence

Thing = TypeVar("Thing")

SAMPLES = Path(__file__).parents[3] / "sample_images"
COUNT = 150


def tilt_word(judged: Judged) -> str | None:
    """The span of tilts in which the camera was held."""
    edges = (*(low for low, _ in TILTS), TILTS[-1][1], 91)
    return next(
        f"{low:02.0f}–{high:.0f}°" if high < 91 else f"{low:.0f}° and more"
        for low, high in pairwise(edges)
        if judged.truth["tilt_deg"] < high
    )


def fill_word(judged: Judged) -> str | None:
    """How many spheres lie on the seats."""
    count = len(Layout.parse(judged.truth["layout"]))
    low, high = next((low, high) for low, high in FILLS if count <= high)
    return f"{low:2d}–{high}" if high else " 0"


def noise_word(judged: Judged) -> str | None:
    """How noisy the picture was made, where that is known."""
    noise = judged.truth.get("noise")
    return None if noise is None else f"{noise:.2f}"


GROUPS: dict[str, Callable[[Judged], str | None]] = {
    "tilt": tilt_word,
    "light": lambda judged: judged.truth.get("light"),
    "spheres": fill_word,
    "noise": noise_word,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    options = _options(arguments)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    measured: dict[str, list[ReadingRow]] = {}
    for name, chosen in _sets(options):
        rows = list(_counted(read_all(chosen, options.jobs), f"{name}: reading", len(chosen)))
        measured[name] = rows
        print(_report(name, rows))
    everything = [row for rows in measured.values() for row in rows]
    write_rows(everything, options.out / "rows.jsonl")
    _charts(measured, options.out)
    if options.overlays:
        for row in everything:
            if row.failed:
                draw_row(row, options.overlays)
    if not options.no_costs:
        print(_costs())
    print(f"\nrows.jsonl, reliability.png and risk_coverage.png are in {options.out}/")
    return 0


def _sets(options: argparse.Namespace) -> Iterator[tuple[str, list[Pictured]]]:
    """Names and pictures of the sets to be measured."""
    yield "sample images", pictures(SAMPLES)
    for folder in options.photos:
        yield str(folder), pictures(folder)
    for folder in options.dev:
        chosen = pictures(folder)
        yield f"{folder}, held back", [one for one in chosen if held_back(one.file)]
        yield f"{folder}, open", [one for one in chosen if not held_back(one.file)]
    if options.count and not options.photos:
        made = options.out / "sweep"
        total = options.count
        for _ in _counted(render(made, total, options.seed, options.jobs), "lab sweep: making"):
            pass
        yield "lab sweep", pictures(made)


def _report(name: str, rows: Sequence[ReadingRow]) -> str:
    """The judge's table of a set, its calibration error, and its silent errors by name."""
    lines = [f"\n{name}", table(rows, GROUPS if len(rows) >= 100 else {})]
    known = pairs(rows)
    lines.append(f"expected calibration error {calibration_error(known):.3f} of {len(known)}")
    for row in rows:
        if row.failed:
            mark = "!!" if row.outcome == SILENT_ERROR else "  "
            lines.append(
                f"{mark} {row.file.name}  {row.outcome}: {row.reading['layout']}"
                f" for {row.truth['layout']}, {row.reading['confidence']}"
                f"{'' if row.decidable or not row.shows_tray else ', not decidable'}"
            )
    return "\n".join(lines)


def _charts(measured: dict[str, list[ReadingRow]], out: Path) -> None:
    known = {name: pairs(rows) for name, rows in measured.items()}
    known = {name: some for name, some in known.items() if some}
    bench_charts.reliability(known, out / "reliability.png")
    bar = shipped_confidence().certain_from
    bench_charts.risk_coverage(known, out / "risk_coverage.png", bar)


def _costs() -> str:
    """Time by stage, tracking, the twelve-megapixel ratio, memory and loading."""
    files = sorted(SAMPLES.glob("0*.jpg"))
    times, fresh = stage_times(files, repeats=2), fresh_process(files)
    tracked = [ratio for file in files[:6] for ratio in tracking_ratios(file)]
    return "\n".join(
        [
            f"\ncost of a reading, one thread, {len(files)} photos of 1024 × 768, "
            f"as multiples of OpenCV's decode ({times.decode_ms:.1f} ms)",
            *_stage_lines(times),
            f"tracking, a frame: {np.median(tracked):.1f}, 95 % {np.percentile(tracked, 95):.1f}",
            f"12 megapixels against half the width: {large_photo_ratio(files[0]):.2f}",
            f"memory of a fresh process: {fresh.peak_mb:.0f} MB; import: {fresh.import_s:.2f} s",
        ]
    )


def _stage_lines(times: Times) -> Iterator[str]:
    yield f"{'':10}{'median':>8}{'95 %':>8}"
    for stage in STAGES:
        yield f"{stage:10}{times.median(stage):8.1f}{times.p95(stage):8.1f}"


def _counted(things: Iterable[Thing], what: str, total: int | None = None) -> Iterator[Thing]:
    """The same things, counted on a terminal's standard error as they come."""
    of = "" if total is None else f" of {total}"
    shown = sys.stderr.isatty()
    for number, thing in enumerate(things, 1):
        if shown:
            sys.stderr.write(f"\r{what} {number}{of} ")
        yield thing
    if shown:
        sys.stderr.write("\r\x1b[K")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.dimension.bench", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="pictures in the lab sweep")
    parser.add_argument("--seed", type=int, default=4, help="of the lab sweep")
    parser.add_argument(
        "--photos", type=Path, nargs="+", default=[], help="folders of pictures instead of a sweep"
    )
    parser.add_argument(
        "--dev", type=Path, nargs="+", default=[], help="the project's photos; both sides are shown"
    )
    parser.add_argument("--out", type=Path, default=Path("bench"))
    parser.add_argument("--overlays", type=Path, help="draw what is wrong into this folder")
    parser.add_argument("--no-costs", action="store_true", help="leave out time and memory")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
