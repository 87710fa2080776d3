"""Makes pictures of dice with their truth: ``python -m lab.high_score.make OUT --count 1500``.

Dice of the sets 0 to ``--sets``; with ``--first`` others, to be held back. A picture shows one set,
or several as found in a drawer, or one in a row as for enrolment.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from lab.high_score.faces import Rng
from lab.high_score.scene import Label, WantedDice, photograph


def wanted(rng: Rng, first: int, sets: int) -> WantedDice:
    """What a picture is to show."""
    one = first + int(rng.integers(sets))
    kind = rng.random()
    if kind < 0.12:
        return WantedDice((one,), 6, row=(0, 1, 2, 3, 4, 5))
    if kind < 0.32:
        several = tuple(first + int(number) for number in rng.integers(sets, size=8))
        return WantedDice(several, int(rng.integers(1, 18)))
    if kind < 0.36:
        return WantedDice((one,), 0)
    return WantedDice((one,), 7 if kind < 0.8 else int(rng.integers(1, 12)))


def label_json(label: Label) -> dict[str, object]:
    """A die's truth as JSON."""
    return {
        "uv": [round(float(c), 2) for c in label.uv],
        "edges": [[round(float(c), 2) for c in row] for row in label.edges],
        "kind": label.kind,
        "face": label.face,
        "set": label.set_number,
        "cocked": label.cocked,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pictures; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m lab.high_score.make", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first set of dice")
    parser.add_argument("--sets", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=1800, help="stop after this time")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    with (options.out / "truth.jsonl").open("w") as truth:
        for index in range(options.count):
            if time.monotonic() - begun > options.seconds:
                break
            rng = np.random.default_rng([options.seed, index])
            asked = wanted(rng, options.first, options.sets)
            picture, labels = photograph(rng, asked)
            name = f"{options.seed:02d}{index:05d}.jpg"
            cv2.imwrite(str(options.out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
            kind = "enrol" if asked.row else "roll"
            dice = [label_json(label) for label in labels]
            truth.write(json.dumps({"file": name, "kind": kind, "dice": dice}) + "\n")
            truth.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
