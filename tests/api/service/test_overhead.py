"""What the service adds to the bare reader: multipart, queue, another process, JSON."""

import statistics
import time
from pathlib import Path

import pytest
import requests

from tests.api.conftest import SAMPLES
from tests.api.service.serving import serving

MOST_MS = 15.0
ROUNDS = 40


@pytest.mark.slow
def test_a_reading_by_http_costs_little_more_than_the_bare_reader(tmp_path: Path) -> None:
    """Whatever else the machine does slows both: what is added is taken request by request."""
    photo = (SAMPLES / "01006.jpg").read_bytes()
    with serving(tmp_path) as served, requests.Session() as session:

        def added() -> float:
            begun = time.perf_counter()
            answer = session.post(
                f"{served.address}/v1/readings", files={"photos": photo}, timeout=120
            )
            took = (time.perf_counter() - begun) * 1000
            (reading,) = answer.json()["readings"]
            return took - float(reading["ms"]["total"])

        added()  # the first one waits for the worker
        assert statistics.median(added() for _ in range(ROUNDS)) <= MOST_MS
