"""What ``trayscore read`` and ``trayscore score PHOTO`` do."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import cv2
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from api.cli import options
from api.cli.show import show_score
from api.doubts import doubt
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.profile_files import ProfileError
from rules.dimension.questions import answer_score, terms
from rules.errors import RulesError
from vision.dimension.reader import Reader
from vision.dimension.reading import Reading
from vision.dimension.reporting.doubt import Doubt
from vision.dimension.reporting.overlay import DRAWING_SIZE, draw, encode
from vision.photo import BadImageError, load_photo

_STYLES = {"certain": "green", "uncertain": "yellow", "no_tray": "red", "bad_image": "red"}


@dataclass(frozen=True)
class Task:
    """A photo to read (several of one tray), and where to draw the reading."""

    photos: tuple[str, ...]
    drawing: Path | None = None

    def done(self, reader: Reader) -> Reading:
        """The reading, drawn if that is wanted; ``photo`` is as the caller wrote it."""
        if len(self.photos) == 1:
            reading = replace(reader.read(Path(self.photos[0])), photo=self.photos[0])
        else:
            together = reader.read_same_tray([Path(photo) for photo in self.photos])
            reading = replace(together, photo=self.photos)
        if self.drawing is not None:
            _draw(self.photos[0], reading, self.drawing)
        return reading


def read(args: argparse.Namespace) -> int:
    """Read photos and show what they hold, in their order."""
    trays = _trays(args.tray)
    tasks = _tasks(args.photos, args.same_tray, args.overlay)
    readings = _with_progress(_readings(tasks, trays, args.jobs), len(tasks))
    if args.json:
        for reading in readings:
            options.print_json(reading.to_json())
    else:
        _show(list(readings))
    return 0


def score(args: argparse.Namespace) -> int:
    """Read one photo and score it; 1, with the reason, if there is nothing to score."""
    deck = options.deck(args)
    question = options.question(args)
    asked = terms(question, deck)
    photo = str(args.what)
    reading = Task((photo,)).done(Reader(_trays(getattr(args, "tray", None))))
    if reading.layout is None:
        print(f"trayscore: {photo}: {reading.message}", file=sys.stderr)
        return 1
    answer = answer_score({**question, "layout": str(reading.layout)}, deck)
    worth = doubt(reading, asked.cards, asked.edition, asked.rulings, asked.most)
    if args.json:
        options.print_json({**answer, "doubt": worth.to_json(), "reading": reading.to_json()})
    elif answer["problems"]:
        for problem in answer["problems"]:
            print(f"{problem['code']}: {problem['text']}", file=sys.stderr)
        print(f"trayscore: {reading.message}", file=sys.stderr)
    else:
        show_score(reading.layout, asked, args.lang)
        _show_doubt(reading, worth)
    return 1 if answer["problems"] else 0


def _trays(asked: str | None) -> list[TrayProfile] | None:
    """The profile that was asked for; None to try all that are known."""
    if asked is None:
        return None
    try:
        return [load_profile(asked)]
    except ProfileError as error:
        raise RulesError("bad_tray", str(error)) from error


def _tasks(photos: Sequence[str], same_tray: bool, overlay: Path | None) -> list[Task]:
    groups = [tuple(photos)] if same_tray else [(photo,) for photo in photos]
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


def _readings(
    tasks: Sequence[Task], trays: Sequence[TrayProfile] | None, jobs: int
) -> Iterator[Reading]:
    """The readings in the order of the tasks, each as soon as it and those before are there."""
    if jobs == 1 or len(tasks) == 1:
        reader = Reader(trays)
        yield from (task.done(reader) for task in tasks)
        return
    workers = min(jobs, len(tasks))
    fresh = get_context("spawn")  # OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(workers, fresh, _start_worker, (trays,)) as pool:
        try:
            yield from pool.map(_work, tasks)
        finally:
            pool.shutdown(cancel_futures=True)


_worker: list[Reader] = []
"""The reader of a worker process."""


def _start_worker(trays: Sequence[TrayProfile] | None) -> None:
    cv2.setNumThreads(1)  # the processes share the cores already
    _worker[:] = [Reader(trays)]


def _work(task: Task) -> Reading:
    return task.done(_worker[0])


def _with_progress(readings: Iterator[Reading], total: int) -> Iterable[Reading]:
    """The same readings; a bar on a terminal's standard error shows how far it is."""
    console = Console(stderr=True)
    if total < 2 or not console.is_terminal:
        return readings
    return track(readings, "Reading", total=total, console=console, transient=True)


def _draw(photo: str, reading: Reading, file: Path) -> None:
    """Write the drawing, if the photo can be drawn on at all."""
    try:
        picture = draw(load_photo(photo, DRAWING_SIZE), reading)
    except BadImageError:
        return  # the reading says so
    try:
        file.write_bytes(encode(picture))
    except OSError as error:
        print(f"trayscore: warning: {file} cannot be written: {error.strerror}.", file=sys.stderr)


def _show(readings: Sequence[Reading]) -> None:
    """Print a table for people."""
    table = Table(box=None, header_style="bold")
    table.add_column("photo", overflow="fold")
    table.add_column("status", no_wrap=True)
    table.add_column("layout", no_wrap=True)
    table.add_column("sure", justify="right", no_wrap=True)
    table.add_column("remarks", overflow="fold")
    for reading in readings:
        photos = reading.photo if isinstance(reading.photo, str) else "\n".join(reading.photo)
        table.add_row(
            Text(photos),
            Text(reading.status, _STYLES[reading.status]),
            "" if reading.layout is None else str(reading.layout),
            "" if reading.confidence is None else f"{reading.confidence:.1%}",
            Text(reading.message),
        )
    Console(highlight=False).print(table)


def _show_doubt(reading: Reading, worth: Doubt) -> None:
    """Print how sure reading and points are, where there is any doubt."""
    console = Console(highlight=False)
    sure = reading.confidence or 0.0
    console.print(f"Read from {reading.photo}: {reading.status}, {sure:.1%} sure.")
    if reading.status != "certain":
        console.print(Text(reading.message, "yellow"))
        for points, p in worth.points.items():
            console.print(f"  {points} points: {p:.1%}")
        console.print(Text(worth.advice, "yellow"))
