"""What every game's ``read`` shares: photos in, one reading each, drawn and shown in order.

Exit status: 0 when every photo was processed, whatever its status; 2 for bad usage.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from api.cli import options
from rules.errors import RulesError
from vision.photo import BadImageError
from vision.readers import GameReader, GameReading

_STYLES = {"certain": "green", "uncertain": "yellow"}
_NOTHING_READ = "red"
"""For every other status."""

Json = dict[str, Any]


@dataclass(frozen=True)
class PhotoReading:
    """How a game reads photos. It is sent to worker processes, so its functions are importable."""

    make_reader: Callable[[], GameReader]
    draw: Callable[[str, Any], bytes]
    """The reading drawn on its photo, as PNG; raises ``BadImageError`` without a photo."""
    position: str
    """The field of a reading that holds the position: ``layout``, ``dice``, ``board``."""


@dataclass(frozen=True)
class Task:
    """Photos to read together (mostly one), and where to draw the reading."""

    photos: tuple[str, ...]
    drawing: Path | None = None

    def done(self, reader: GameReader, how: PhotoReading) -> Json:
        """The reading as JSON, with ``photo`` as the caller wrote it."""
        files = [Path(photo) for photo in self.photos]
        reading = reader.read(files[0]) if len(files) == 1 else reader.read_together(files)
        if self.drawing is not None:
            _draw(self.photos[0], reading, self.drawing, how)
        photo = self.photos[0] if len(files) == 1 else list(self.photos)
        return {**reading.to_json(), "photo": photo}


def add_photos(parser: argparse.ArgumentParser) -> None:
    """The options of ``read`` that every game has."""
    options.add_game(parser)
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="JPEG, PNG, WebP or HEIC")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument(
        "--overlay", type=Path, metavar="DIR", help="draw each reading on its photo, into DIR"
    )
    parser.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="read N photos at a time (default 1)"
    )


def read_photos(args: argparse.Namespace, how: PhotoReading, together: bool = False) -> int:
    """Read photos and show what they hold, in their order; ``together``: they show one thing."""
    tasks = _tasks(args.photos, together, args.overlay)
    readings = _with_progress(_readings(tasks, how, args.jobs), len(tasks))
    if args.json:
        for reading in readings:
            options.print_json(reading)
    else:
        _show(list(readings), how.position)
    return 0


def _tasks(photos: Sequence[str], together: bool, overlay: Path | None) -> list[Task]:
    groups = [tuple(photos)] if together else [(photo,) for photo in photos]
    if overlay is None:
        return [Task(group) for group in groups]
    try:
        overlay.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"{overlay} cannot be written to: {error.strerror}."
        raise RulesError("bad_overlay", text) from error
    names = _drawing_names([group[0] for group in groups])
    return [Task(group, overlay / name) for group, name in zip(groups, names, strict=True)]


def _drawing_names(photos: Iterable[str]) -> Iterator[str]:
    """A file name for each photo's drawing; photos of one name get numbers."""
    used: dict[str, int] = {}
    for photo in photos:
        stem = Path(photo).stem or "photo"
        used[stem] = used.get(stem, 0) + 1
        yield f"{stem}.png" if used[stem] == 1 else f"{stem}-{used[stem]}.png"


def _readings(tasks: Sequence[Task], how: PhotoReading, jobs: int) -> Iterator[Json]:
    """The readings in the order of the tasks, each as soon as it and those before are there."""
    if jobs == 1 or len(tasks) == 1:
        reader = how.make_reader()
        yield from (task.done(reader, how) for task in tasks)
        return
    workers = min(jobs, len(tasks))
    fresh = get_context("spawn")  # OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(workers, fresh, _start_worker, (how,)) as pool:
        try:
            yield from pool.map(_work, tasks)
        finally:
            pool.shutdown(cancel_futures=True)


_worker: list[tuple[GameReader, PhotoReading]] = []
"""What a worker process reads with."""


def _start_worker(how: PhotoReading) -> None:
    cv2.setNumThreads(1)  # the processes share the cores already
    _worker[:] = [(how.make_reader(), how)]


def _work(task: Task) -> Json:
    return task.done(*_worker[0])


def _with_progress(readings: Iterator[Json], total: int) -> Iterable[Json]:
    """The same readings; on a terminal a bar on standard error shows the progress."""
    console = Console(stderr=True)
    if total < 2 or not console.is_terminal:
        return readings
    return track(readings, "Reading", total=total, console=console, transient=True)


def _draw(photo: str, reading: GameReading, file: Path, how: PhotoReading) -> None:
    """Write the drawing, if the photo can be drawn on at all."""
    try:
        drawing = how.draw(photo, reading)
    except BadImageError:
        return  # the reading says so
    try:
        file.write_bytes(drawing)
    except OSError as error:
        print(f"trayscore: warning: {file} cannot be written: {error.strerror}.", file=sys.stderr)


def _show(readings: Sequence[Json], position: str) -> None:
    """Print a table for people."""
    table = Table(box=None, header_style="bold")
    table.add_column("photo", overflow="fold")
    table.add_column("status", no_wrap=True)
    table.add_column(position, no_wrap=True)
    table.add_column("sure", justify="right", no_wrap=True)
    table.add_column("remarks", overflow="fold")
    for reading in readings:
        photo, sure = reading["photo"], reading.get("confidence")
        table.add_row(
            Text(photo if isinstance(photo, str) else "\n".join(photo)),
            Text(reading["status"], _STYLES.get(reading["status"], _NOTHING_READ)),
            Text(reading.get(position) or ""),
            "" if sure is None else f"{sure:.1%}",
            Text(reading["message"]),
        )
    Console(highlight=False).print(table)


def _jobs(text: str) -> int:
    count = int(text)
    if not 1 <= count <= 64:
        raise argparse.ArgumentTypeError("from 1 to 64 photos can be read at a time")
    return count
