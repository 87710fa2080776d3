"""Which tests are campaigns, and the databases they run on."""

from pathlib import Path

import pytest

from tests.api.tables.conftest import database_url, postgres_server

__all__ = ["database_url", "postgres_server"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever is slow here is a campaign."""
    for item in items:
        if Path(__file__).parent in item.path.parents and item.get_closest_marker("slow"):
            item.add_marker("campaign")
