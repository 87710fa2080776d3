"""What following a tray costs: ``python -m lab.dimension.bench.tracking [FRAMES_DIR]``.

Times every frame of a film (``lab.dimension.video``; by default one is made, 24 frames of 1024 ×
768) on one core and prints them as multiples of what OpenCV takes to decode such a JPEG at full
size (the median of the same run, the two measured in turns); besides, how far centres are from the
truth, and which frames were held. The time is the thread's own, so that what else the machine does
counts little.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time
from typing import Any

import cv2
import numpy as np

from lab.dimension.video import main as film
from vision.dimension.tracking.track import Tracked, TrayTracker

FRAMES = 24
AIM = 6.0
"""A frame may take so many times as long as decoding it (the median)."""


@dataclass(frozen=True)
class Timed:
    """One frame: seconds for decoding and for following, what was told, and its truth."""

    decode: float
    follow: float
    tracked: Tracked
    truth: dict[str, Any]


def timed(folder: Path) -> Iterator[Timed]:
    """Every frame of a film in order."""
    cv2.setNumThreads(1)
    tracker = TrayTracker()
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        truth = json.loads(line)
        content = (folder / truth["file"]).read_bytes()
        decode = float(np.median([_decoding(content) for _ in range(3)]))
        begun = thread_time()
        tracked = tracker.frame(content)
        yield Timed(decode, thread_time() - begun, tracked, truth)


def _decoding(content: bytes) -> float:
    """Seconds that OpenCV takes to decode a frame at full size."""
    stored = np.frombuffer(content, np.uint8)
    begun = thread_time()
    cv2.imdecode(stored, cv2.IMREAD_COLOR)
    return thread_time() - begun


def off_truth(frame: Timed) -> float:
    """Median distance of the centres of spheres from the truth, in diameters."""
    seats = {**frame.tracked.reading.seats, **frame.tracked.reading.storage}
    apart = [
        np.hypot(seats[name].uv[0] + 0.5 - sphere["u"], seats[name].uv[1] + 0.5 - sphere["v"])
        / (2 * sphere["radius"])
        for name, sphere in frame.truth["spheres"].items()
    ]
    return float(np.median(apart))


def report(frames: Sequence[Timed]) -> Iterator[str]:
    """The figures in lines."""
    held = [frame for frame in frames[1:] if frame.tracked.state in ("tracking", "hand")]
    in_view = sum(frame.truth["in_view"] for frame in frames)
    yield f"{len(frames)} frames, tray in view in {in_view}, followed in {len(held)}"
    if not held:
        return
    decode = float(np.median([frame.decode for frame in frames]))
    ratios = np.array([frame.follow for frame in held]) / decode
    met = "met" if np.median(ratios) <= AIM else "MISSED"
    followed = np.median(ratios) * decode * 1000
    yield f"decoding at full size {decode * 1000:.1f} ms, following {followed:.1f} ms a frame"
    yield (
        f"ratio: median {np.median(ratios):.1f} (aim {AIM:.0f}: {met}), "
        f"95 % {np.quantile(ratios, 0.95):.1f}, most {ratios.max():.1f}; "
        f"first frame, read cold, {frames[0].follow / decode:.1f}"
    )
    off = [off_truth(frame) for frame in held]
    yield f"centres off by {np.median(off):.1%} of a diameter, at most {max(off):.1%}"
    certain = sum(frame.tracked.certain for frame in held)
    right = sum(
        frame.tracked.certain and str(frame.tracked.reading.layout) == frame.truth["layout"]
        for frame in held
    )
    yield f"certain in {certain} of them, right in {right} of those"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.dimension.bench.tracking", description=__doc__
    )
    parser.add_argument("frames", type=Path, nargs="?", help="a film's directory")
    chosen = parser.parse_args(arguments).frames
    with TemporaryDirectory() as made:
        folder = chosen or Path(made)
        if chosen is None:
            film(["--frames", str(FRAMES), "--seed", "4", "--tray", "pentagon", "--out", made])
        for line in report(list(timed(folder))):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
