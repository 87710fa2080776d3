"""What a reading costs: time against OpenCV's decoding of the same JPEG, memory, and loading.

Machines differ and are shared, so times are processor time of one thread, and what counts is their
ratio to the full-size decode in the same run.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import cv2
import numpy as np

from lab.rendering.film import jpeg_bytes
from vision.dimension.reader import Reader
from vision.dimension.reading import STAGES
from vision.dimension.tracking.track import TrayTracker

LARGE = (4032, 3024)
"""Twelve megapixels."""

_DECODES = 5

_FRESH = """
import re, sys, time
from pathlib import Path
begun = time.process_time()
from vision.dimension.reader import Reader
loaded = time.process_time() - begun
import cv2
cv2.setNumThreads(1)
reader = Reader()
for file in sys.argv[1:]:
    reader.read(Path(file))
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
print(loaded, int(peak) / 1024)
"""
# The peak of this process alone: getrusage's counts what its parent had when it was started.


@dataclass(frozen=True)
class Fresh:
    """What a fresh process took to load the reader, and its peak of resident memory."""

    import_s: float
    peak_mb: float


@dataclass(frozen=True)
class Times:
    """Times of one or several readings of each photo, as multiples of its full-size decode."""

    decode_ms: float
    """Median of the decodes."""
    ratios: dict[str, list[float]]
    """By stage; ``total`` among them."""

    def median(self, stage: str = "total") -> float:
        """The median ratio."""
        return median(self.ratios[stage])

    def p95(self, stage: str = "total") -> float:
        """The ratio that 95 % of the readings do not exceed."""
        return float(np.percentile(self.ratios[stage], 95))


def stage_times(files: Sequence[Path], repeats: int = 1) -> Times:
    """How long the stages of a reading take for these JPEGs, each read ``repeats`` times.

    The first photo is read once before, so that models are loaded.
    """
    reader = Reader()
    reader.read(files[0])
    decodes: list[float] = []
    ratios: dict[str, list[float]] = {stage: [] for stage in STAGES}
    for file in files:
        for _ in range(repeats):
            decode = decode_seconds(file.read_bytes())
            begun = process_time()
            ms = reader.read(file).ms
            total = (process_time() - begun) / decode
            decodes.append(decode)
            for stage in STAGES:
                ratios[stage].append(total * ms.get(stage, 0.0) / ms["total"])
    return Times(median(decodes) * 1000, ratios)


def decode_seconds(content: bytes) -> float:
    """Processor time that OpenCV takes to decode a JPEG at full size."""
    data = np.frombuffer(content, np.uint8)
    return median(_seconds(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR)) for _ in range(_DECODES))


def large_photo_ratio(file: Path, repeats: int = 5) -> float:
    """How much longer a twelve-megapixel copy takes to be read than one of half its width."""
    picture = cv2.imread(str(file))
    if picture is None:
        raise ValueError(f"{file} cannot be decoded")
    large = np.asarray(cv2.resize(picture, LARGE, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    half = np.asarray(cv2.resize(large, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    reader = Reader()
    times: list[float] = []
    for content in (jpeg_bytes(large, 90), jpeg_bytes(half.astype(np.uint8), 90)):
        reader.read(content)
        again = partial(reader.read, content)
        times.append(median(_seconds(again) for _ in range(repeats)))
    return times[0] / times[1]


def tracking_ratios(file: Path, frames: int = 40) -> list[float]:
    """What the frames of a film cost, each as a multiple of its decode, once the tray is held."""
    tracker, ratios = TrayTracker(), []
    for content in hand_held(file, frames):
        decode = decode_seconds(content)
        taken = _seconds(partial(tracker.frame, content))
        ratios.append(taken / decode)
    return ratios[1:]  # the first one is a cold reading


def hand_held(file: Path, frames: int) -> Iterator[bytes]:
    """JPEGs of a photo as a hand would hold the camera: it drifts and turns a little."""
    picture = cv2.imread(str(file))
    if picture is None:
        raise ValueError(f"{file} cannot be decoded")
    height, width = picture.shape[:2]
    for number in range(frames):
        drift, turn = 0.006 * width * np.sin(number / 6), 0.8 * np.sin(number / 9)
        move = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        move[:, 2] += drift
        frame = cv2.warpAffine(picture, move, (width, height), borderMode=cv2.BORDER_REFLECT)
        yield jpeg_bytes(np.asarray(frame, dtype=np.uint8), 88)


def fresh_process(files: Sequence[Path]) -> Fresh:
    """What it takes to load the reader and read these photos, from nothing."""
    command = [sys.executable, "-c", _FRESH, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded, peak = map(float, re.findall(r"[\d.]+", done.stdout))
    return Fresh(loaded, peak)


def _seconds(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun
