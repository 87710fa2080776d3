"""Tables on SQLite, and (slow) on a PostgreSQL server of the tests' own."""

from collections.abc import Iterator
from itertools import count

import psycopg
import pytest

from tests.api.tables import postgres
from tests.api.tables.house import House, house

_numbers = count(1)
_BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    if postgres.binaries() is None:
        pytest.skip(postgres.MISSING)
    with postgres.server() as url:
        yield url


def _database_url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    server: str = request.getfixturevalue("postgres_server")
    name = f"trayscore{next(_numbers)}"
    with psycopg.connect(server.format("postgres").replace("+psycopg", ""), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}")
    return server.format(name)


@pytest.fixture(params=_BOTH)
def database_url(request: pytest.FixtureRequest) -> str | None:
    """A database for one test."""
    return _database_url(request)


@pytest.fixture(scope="session", params=_BOTH)
def at(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running service for all tests that mind their own table only."""
    with house(tmp_path_factory.mktemp("house"), _database_url(request)) as running:
        yield running


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tested: nobody reads the letter s."""
    skipped = terminalreporter.stats.get("skipped", [])
    if any(postgres.MISSING in str(report.longrepr) for report in skipped):
        terminalreporter.write_sep("!", postgres.MISSING, red=True, bold=True)
