import pytest

from tests.api.evidence.recorded import Recorded, record


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A finished game with every kind of entry."""
    return record(tmp_path_factory.mktemp("recorded"))
