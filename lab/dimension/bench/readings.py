"""Readings of pictures whose truth is known: each read with the profile that its owner would have.

One row a picture goes to a JSONL file, so that errors can be looked at, and nothing has to be read
twice.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from lab.dimension.bench.accuracy import Judged
from lab.dimension.bench.locating import profiles_for
from lab.processes import side_by_side
from vision.dimension.reader import Reader
from vision.dimension.reading import Reading
from vision.dimension.reporting.confidence import Confidence
from vision.dimension.reporting.overlay import DRAWING_SIZE, draw
from vision.drawing import encode
from vision.photo import BadImageError, load_photo

Told = TypeVar("Told")

_BULKY = frozenset({"spheres", "profile", "pose"})


@dataclass(frozen=True)
class Pictured:
    """A picture and the truth about it."""

    file: Path
    truth: dict[str, Any]


@dataclass(frozen=True)
class ReadingRow(Judged):
    """A reading beside its truth, and the picture that it is of."""

    file: Path
    unrounded: float | None
    """The reading's confidence with all its digits."""

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON object: the verdict first, then what it rests on."""
        return {
            "file": str(self.file),
            "outcome": self.outcome,
            "decidable": self.decidable,
            "wrong_seats": self.wrong_seats if self.shows_tray else None,
            "confidence": self.unrounded,
            "truth": {key: value for key, value in self.truth.items() if key not in _BULKY},
            "reading": self.reading,
        }


def pictures(folder: Path) -> list[Pictured]:
    """The pictures in a folder, or below it, of which its ``truth.jsonl`` tells."""
    if not (folder / "truth.jsonl").is_file():
        raise SystemExit(f"{folder} holds no truth.jsonl: there is nothing to measure against.")
    files = {file.name: file for file in sorted(folder.rglob("*.*"))}
    truths = map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines())
    return [Pictured(files[truth["file"]], truth) for truth in truths if truth["file"] in files]


def read_all(
    chosen: Sequence[Pictured], jobs: int, confidence: Confidence | None = None
) -> Iterator[ReadingRow]:
    """A row for each picture, in their order."""
    return in_processes(partial(read_one, confidence=confidence), chosen, jobs)


def in_processes(
    task: Callable[[Pictured], Told], chosen: Sequence[Pictured], jobs: int
) -> Iterator[Told]:
    """What a task tells of each picture, in order; processes in parallel, each on one thread."""
    if jobs == 1:
        yield from map(task, chosen)
        return
    with side_by_side(jobs) as pool:
        yield from pool.map(task, chosen, chunksize=4)


def read_one(pictured: Pictured, confidence: Confidence | None = None) -> ReadingRow:
    """The row of one picture."""
    return read_with(reader_for(pictured, confidence), pictured)


def read_with(reader: Reader, pictured: Pictured) -> ReadingRow:
    """The row of one picture, read by this reader."""
    reading = reader.read(pictured.file)
    shown = {**reading.to_json(), "photo": pictured.file.name}
    return ReadingRow(pictured.truth, shown, pictured.file, reading.confidence)


def write_rows(rows: Iterable[ReadingRow], file: Path) -> None:
    """Write the rows, one JSON object a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row.to_json()) + "\n" for row in rows)
    file.write_text("".join(lines), encoding="utf-8")


def draw_row(row: ReadingRow, folder: Path) -> None:
    """Draw a reading on its picture, as PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        picture = draw(load_photo(row.file, DRAWING_SIZE), Reading.from_json(dict(row.reading)))
    except BadImageError:
        return  # nothing to draw on
    (folder / f"{row.file.stem}.png").write_bytes(encode(picture))


def reader_for(pictured: Pictured, confidence: Confidence | None = None) -> Reader:
    """The reader that the owner of the pictured tray would have."""
    if pictured.truth.get("profile"):
        return Reader(profiles_for(pictured.truth), confidence)
    return _common_reader(confidence)


@lru_cache(maxsize=2)
def _common_reader(confidence: Confidence | None) -> Reader:
    """The reader for trays of the built-in makes."""
    return Reader(None, confidence)
