"""What the workers cannot do is told as a problem that a person can act on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from api.workers.pool import QueueFull
from api.workers.process import JobMistake, TooSlow, WorkerDied
from api.workers.readers import ReadingPool
from tests.api.conftest import quiet_settings
from tests.api.service.pictures import blank


class Failing(ReadingPool):
    """Readers without workers: every job ends in the same way."""

    def __init__(self, folder: Path, end: Exception) -> None:
        super().__init__(quiet_settings(folder))
        self._end = end

    async def run(self, *_: Any) -> Any:
        raise self._end


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    client = TestClient(create_app(quiet_settings(tmp_path)), raise_server_exceptions=False)
    yield client
    client.close()


@pytest.mark.parametrize(
    ("end", "status", "code"),
    [
        (QueueFull(), 503, "busy"),
        (TooSlow("stopped after 20 s"), 422, "took_too_long"),
        (WorkerDied("the worker died"), 422, "breaks_readers"),
        (JobMistake("Traceback: nobody foresaw this"), 500, "internal"),
    ],
)
def test_how_a_job_may_end(
    client: TestClient, tmp_path: Path, end: Exception, status: int, code: str
) -> None:
    client.app.state.readers = Failing(tmp_path, end)  # type: ignore[attr-defined]
    answer = client.post("/v1/readings", files={"photos": blank()})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert "Traceback" not in answer.text
    assert ("retry-after" in answer.headers) == (code == "busy")


def test_a_reading_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    app = create_app(quiet_settings(tmp_path, reading_timeout_s=0.001))
    with TestClient(app) as client:
        answer = client.post("/v1/readings", files={"photos": blank()})
        assert answer.json()["code"] == "took_too_long"
        assert client.get("/v1/health").status_code == 200
