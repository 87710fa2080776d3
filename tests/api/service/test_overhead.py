"""What the service adds to the bare reader: multipart, queue, another process, JSON."""

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from tests.api.conftest import SAMPLES
from tests.api.service.serving import Served, serving
from tests.api.usage import Used, children

MOST_MS = 15.0
ROUNDS = 40
CALM_MS = 1.0
"""Where processes stand in line for a core no longer than that, the clock tells the truth."""


@dataclass(frozen=True)
class Added:
    """What a request took beyond the reading, in milliseconds."""

    clock: float
    processor: float
    """Of the service and of whoever asks. What a worker does beside reading is not in it: it takes
    a photo from a pipe, and gives a reading back."""
    queued: float
    """How long service and worker stood in line for a core."""


def added(served: Served, session: requests.Session, photo: bytes) -> Added:
    service, here = served.process.pid, os.getpid()
    pids = [service, here, *children(service)]
    before = [Used.by(pid) for pid in pids]
    begun = time.perf_counter()
    answer = session.post(f"{served.address}/v1/readings", files={"photos": photo}, timeout=120)
    took = (time.perf_counter() - begun) * 1000
    used = [Used.by(pid).since(was) for pid, was in zip(pids, before, strict=True)]
    (reading,) = answer.json()["readings"]
    return Added(
        clock=took - float(reading["ms"]["total"]),
        processor=sum(one.cpu_s for one in used[:2]) * 1000,
        queued=sum(one.queued_s for one in used) * 1000,
    )


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who stood in line")
def test_a_reading_by_http_costs_little_more_than_the_bare_reader(
    tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """By the processor's time, whatever else the machine does; where it is calm, by the clock too.

    On a busy machine a request stands in line four times more than a bare reading does.
    """
    photo = (SAMPLES / "01006.jpg").read_bytes()
    with serving(tmp_path) as served, requests.Session() as session:
        added(served, session, photo)  # the first one waits for the worker
        rounds = [added(served, session, photo) for _ in range(ROUNDS)]
    clock = statistics.median(one.clock for one in rounds)
    processor = statistics.median(one.processor for one in rounds)
    queued = statistics.median(one.queued for one in rounds)
    tell(
        f"POST /v1/readings adds {clock:.1f} ms by the clock, {processor:.1f} ms of the "
        f"processor; service and worker stood in line for {queued:.1f} ms"
    )
    assert processor <= MOST_MS
    assert clock <= MOST_MS or queued > CALM_MS
