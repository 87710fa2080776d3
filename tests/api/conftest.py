"""The service for tests: one, with one worker, for the whole session."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from api.settings import Settings

SAMPLES = Path(__file__).parents[2] / "sample_images"


def quiet_settings(data_dir: Path, **change: object) -> Settings:
    """Settings under which a test may ask as often as it likes."""
    free = {"rate_per_minute": 1e9, "address_rate_per_minute": 1e9, "workers": 1}
    return Settings.model_validate({**free, "data_dir": data_dir, **change})


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a running service; tests that change its state do so under names of their own."""
    app = create_app(quiet_settings(tmp_path_factory.mktemp("service")))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def sample() -> bytes:
    """A photo with a tray."""
    return (SAMPLES / "01006.jpg").read_bytes()
