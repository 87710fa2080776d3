"""Settings for all tests, and how they tell their figures."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Tests run side by side, one per core: threads that wait for each other would only cost time.
# Children inherit it. It has to be set before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Machines are shared and noisy: a slow example is no failure.
settings.register_profile("trayscore", deadline=None, print_blob=True)
settings.load_profile("trayscore")

RULES = Path(__file__).parent / "rules"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure coverage of the rules by the tests of the rules alone: tracing takes time."""
    for item in items:
        if RULES not in item.path.parents:
            item.add_marker("no_cover")


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Writes a figure to the terminal, whether or not the test passes."""

    def write(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{line}\n")

    return write
