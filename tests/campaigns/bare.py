"""The reader without a service, for comparison: run as ``python -m tests.campaigns.bare PHOTO…``.

Prints the seconds that a photo takes it, by the clock and of the processor.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class OneReading:
    """What a photo takes the bare reader, in seconds."""

    wall_s: float
    cpu_s: float


def one_reading(files: Sequence[str], at_a_time: int) -> OneReading:
    """What a photo takes, with so many readers at a time, each by itself as the workers are."""
    command = [sys.executable, "-m", "tests.campaigns.bare", *files]
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    readers = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=alone, cwd=Path(__file__).parents[2]
        )
        for _ in range(at_a_time)
    ]
    told = [reader.communicate()[0].split() for reader in readers]
    assert all(reader.returncode == 0 for reader in readers)
    wall, cpu = zip(*((float(wall), float(cpu)) for wall, cpu in told), strict=True)
    return OneReading(statistics.mean(wall), statistics.mean(cpu))


def _main(files: Sequence[str]) -> None:
    import cv2  # noqa: PLC0415 - whoever asks for the comparison need not load it

    from vision.dimension.reader import Reader  # noqa: PLC0415

    cv2.setNumThreads(1)
    os.nice(5)  # as the service's workers are
    reader = Reader()
    contents = [Path(file).read_bytes() for file in files]
    reader.read(contents[0])
    begun, used = time.perf_counter(), time.process_time()
    for content in contents:
        reader.read(content)
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    print(wall / len(contents), cpu / len(contents))  # noqa: T201 - this is how it talks


if __name__ == "__main__":
    _main(sys.argv[1:])
