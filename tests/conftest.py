"""Settings for all tests, and how they tell their figures."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import settings

# Machines are shared and noisy: a slow example is no failure.
settings.register_profile("trayscore", deadline=None, print_blob=True)
settings.load_profile("trayscore")


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Writes a line to the terminal."""

    def write(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{line}\n")

    return write
