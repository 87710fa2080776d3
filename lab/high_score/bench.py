"""Measures the dice reader. ``python -m lab.high_score.bench FOLDER…`` runs it.

A folder has photos and ``truth.jsonl``: a line a photo with ``file``, ``kind`` (``roll``, ``enrol``
or ``negative``), ``set`` and ``dice`` (``value``, null for a leaning die, ``uv``, ``side_px``).
Sets with an enrolment photo are read with it, and once more without. A folder without truth has
photos without dice.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.high_score.enrolling import DiceEnrolmentError, enrol
from vision.high_score.reader import WORKING_SIZE, Reader
from vision.high_score.reading import DiceReading
from vision.photo import load_photo

Truth = dict[str, Any]

NEAR = 0.6
"""Widths of a die that its place may be off."""
HELD_BACK = 4
"""Of the real photos every fourth teaches nothing; ``--held-back`` reads just these."""


@dataclass
class Tally:
    """What a group of photos came to."""

    verdicts: Counter[str] = field(default_factory=Counter)
    right: int = 0
    dice: int = 0
    confidence: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, truth: Truth, reading: DiceReading) -> str:
        """Count a reading; what it is."""
        verdict, right = judge(truth, reading)
        self.verdicts[verdict] += 1
        if verdict not in ("leaning told", "refused", "FALSE DICE"):
            self.right += right
            self.dice += len(truth["dice"])
            if reading.confidence is not None:
                self.confidence.append((reading.confidence, verdict.startswith("exact")))
        return verdict

    def say(self, name: str) -> None:
        """Print the figures."""
        aside = ("leaning told", "refused", "FALSE DICE")
        rolls = sum(count for verdict, count in self.verdicts.items() if verdict not in aside)
        exact = self.verdicts["exact"] + self.verdicts["exact, unsure"]
        certain = self.verdicts["exact"] + self.verdicts["SILENT ERROR"]
        shown = f"{name:28s} whole {exact}/{rolls}, dice {self.right}/{self.dice}, "
        shown += f"certain {certain}, silent errors {self.verdicts['SILENT ERROR']}, "
        shown += f"calibration error {calibration_error(self.confidence):.3f}"
        for verdict in ("not found", *aside):
            if self.verdicts[verdict]:
                shown += f", {verdict} {self.verdicts[verdict]}"
        print(shown, flush=True)


def judge(truth: Truth, reading: DiceReading) -> tuple[str, int]:
    """What a reading is, and how many dice have their place and value."""
    nothing = reading.status in ("no_dice", "bad_image")
    if truth["kind"] == "negative":
        return "refused" if nothing else "FALSE DICE", 0
    left, right = list(reading.seen), 0
    for die in truth["dice"]:
        if not left:
            break
        away = [float(np.hypot(*np.subtract(seen.uv, die["uv"]))) for seen in left]
        nearest = int(np.argmin(away))
        if away[nearest] < NEAR * die["side_px"]:
            right += left.pop(nearest).value == die["value"]
    certain = reading.status == "certain"
    if any(die["value"] is None for die in truth["dice"]):
        return "SILENT ERROR" if certain else "leaning told", 0
    if nothing:
        return "not found", 0
    whole = right == len(truth["dice"]) == len(reading.seen)
    if certain:
        return "exact" if whole else "SILENT ERROR", right
    return "exact, unsure" if whole else "wrong, unsure", right


def calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """Mean distance between confidence and share of right readings, over equal bins."""
    ordered, count, total = sorted(pairs), len(pairs), 0.0
    for number in range(bins):
        part = ordered[number * count // bins : (number + 1) * count // bins]
        total += abs(sum(said for said, _ in part) - sum(right for _, right in part))
    return total / max(1, count)


def truths_of(folder: Path, held_back: bool) -> list[Truth]:
    """The photos of a folder."""
    file = folder / "truth.jsonl"
    if not file.exists():
        return [{"file": p.name, "kind": "negative", "dice": []} for p in folder.glob("*.jpg")]
    truths = [json.loads(line) for line in file.read_text().splitlines()]
    return truths[HELD_BACK - 1 :: HELD_BACK] if held_back else truths


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each folder and set; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m lab.high_score.bench", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--held-back", action="store_true", help="every fourth photo only")
    parser.add_argument("--errors", action="store_true", help="name what went wrong")
    parser.add_argument("--out", type=Path, help="write the readings, one JSON object a line")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    lines: list[str] = []
    for folder in options.folders:
        truths = truths_of(folder, options.held_back)
        for name in sorted({str(truth.get("set", "")) for truth in truths}):
            of_set = [truth for truth in truths if str(truth.get("set", "")) == name]
            photos = [truth for truth in of_set if truth["kind"] != "enrol"]
            for label, reader in _readers(folder, name, of_set):
                lines += _measure(folder, label, reader, photos, options.errors)
    if options.out:
        options.out.write_text("\n".join(lines) + "\n")
    return 0


def _readers(folder: Path, name: str, truths: Iterable[Truth]) -> list[tuple[str, Reader]]:
    """The readers for a set: with its profile if it can be enrolled, and without."""
    label = f"{folder.name} {name}".strip()
    found = [(f"{label} (no set-up)" if name else label, Reader())]
    rows = [truth["file"] for truth in truths if truth["kind"] == "enrol"]
    if rows:
        try:
            profile = enrol([load_photo(folder / row, WORKING_SIZE).picture for row in rows], name)
        except DiceEnrolmentError as error:
            print(f"{label}: not enrolled. {error.text}", flush=True)
        else:
            found.insert(0, (f"{label} (enrolled)", Reader([profile])))
    return found


def _measure(
    folder: Path, label: str, reader: Reader, truths: Sequence[Truth], errors: bool
) -> list[str]:
    """The readings as JSON; prints their figures."""
    tally, lines = Tally(), []
    for truth in truths:
        reading = reader.read(folder / truth["file"])
        verdict = tally.add(truth, reading)
        lines.append(json.dumps(reading.to_json()))
        if errors and verdict not in ("exact", "exact, unsure", "leaning told", "refused"):
            print(f"  {truth['file']} {verdict} {reading.dice} {reading.confidence}")
    tally.say(label)
    return lines


if __name__ == "__main__":
    sys.exit(main())
