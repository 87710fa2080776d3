"""The database: SQLite in the data directory, or PostgreSQL by its URL; the same code for both.

SQLite has one writer at a time, so writers queue before it; what is committed is on disk. With
PostgreSQL, writers of one table queue at its row (``Tables.lock``).
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from api.storage import schema
from api.storage.disk import create
from api.storage.failures import DatabaseError, StorageAway, StorageMistake, gone, told_plainly

__all__ = ["UNREADABLE", "Database", "DatabaseError", "size_of_rows"]

UNREADABLE = (DatabaseError, SQLAlchemyError, UnicodeDecodeError)
"""What a database that is away or damaged ends with: SQLite's own complaint may be no text."""
_BUSY_MS = 20_000
_WAITING = {"connect_timeout": 5, "tcp_user_timeout": 10_000, "keepalives_idle": 10}
"""PostgreSQL that does not answer is given up, so that requests are refused and do not pile up.
Seconds, milliseconds, seconds; what the URL says comes first."""
_FREE_S = 10.0
"""How long a request waits for a connection that is free."""


class Database:
    """Connections to the database, for reading and for writing."""

    def __init__(self, url: str) -> None:
        self.url = _url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine = _sqlite(self.url) if self.is_sqlite else _server(self.url)
        self._writer = threading.Lock()
        self._file: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The database for people: its URL without its secrets."""
        return self.url.set(query={}).render_as_string(hide_password=True)

    @property
    def file(self) -> Path | None:
        """Where SQLite keeps it."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    def is_there(self) -> bool:
        """Whether there is anything to read; looking does not make a file."""
        return self.file is None or (self.file.is_file() and self.file.stat().st_size > 0)

    def open(self, revision: str = "head") -> None:
        """Bring the database to the newest form; raises ``DatabaseError`` if it is not to be had.

        What stands in it is kept.
        """
        config = _migrations()
        try:
            if self.file is not None and not self.file.exists():
                create(self.file).close()  # SQLite would make it readable for all
            with self.writing() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, revision)
        except (*UNREADABLE, OSError) as error:
            raise self.unusable(error) from error
        except CommandError as error:
            text = f"The database {self.name} is of a newer version of Trayscore: use that one."
            raise DatabaseError("newer_database", text) from error
        self._file = self._identity()

    def unusable(self, error: Exception) -> "DatabaseError":
        """What to say if the database cannot be used. Nothing of what it holds is told."""
        if isinstance(error, DatabaseError) and not isinstance(error, StorageAway | StorageMistake):
            return error
        why = error.text if isinstance(error, DatabaseError) else type(error).__name__
        if isinstance(error, OSError):
            why = error.strerror or why
        if isinstance(error, StorageAway) and error.code == "database_away":
            why = "check its path and permissions." if self.is_sqlite else "check that it runs."
        return DatabaseError("bad_database", f"The database {self.name} cannot be opened: {why}")

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees the database as it is at one moment."""
        options: dict[str, Any] = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with told_plainly(), self._engine.connect().execution_options(**options) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it is kept, or nothing if an error leaves it."""
        if not self.is_sqlite:
            with told_plainly(), self._engine.begin() as connection:
                yield connection
            return
        with (
            told_plainly(),
            self._writer,
            self._engine.connect().execution_options(trayscore_writes=True) as connection,
            connection.begin(),
        ):
            self._refuse_if_gone()
            yield connection

    def _refuse_if_gone(self) -> None:
        """Raise ``StorageAway`` if the file was moved or deleted: what is written would be lost."""
        if self._file is not None and self._identity() != self._file:
            raise gone()

    def _identity(self) -> tuple[int, int] | None:
        """What tells SQLite's file from any other at the same place."""
        if not self.is_sqlite or not self.url.database:
            return None
        try:
            found = Path(self.url.database).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


def size_of_rows(connection: Connection) -> int:
    """What the rows take: of SQLite all pages in use, of PostgreSQL histories and kept answers."""
    if connection.dialect.name == "sqlite":
        pages, free, size = (
            int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size
    parts = (schema.entries.c.body, schema.entries.c.files, schema.answers.c.body)
    sums = [select(func.coalesce(func.sum(func.octet_length(part)), 0)) for part in parts]
    return sum(int(connection.execute(query).scalar_one()) for query in sums)


def revision_of(connection: Connection) -> str | None:
    """Which form the database has; none if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str:
    """The form that this version of the program brings databases to."""
    newest = ScriptDirectory.from_config(_migrations()).get_current_head()
    assert newest is not None
    return newest


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", "api.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config


def _url(text: str) -> URL:
    try:
        url = make_url(text)
    except (SQLAlchemyError, ValueError):
        # The text may hold a password, so it is not told.
        text = "TRAYSCORE_DATABASE_URL is no database's URL: postgresql://user@host/name."
        raise DatabaseError("bad_database", text) from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        text = "The database is SQLite or PostgreSQL: postgresql://user@host/name."
        raise DatabaseError("bad_database", text)
    return url


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, pool_size=8, max_overflow=56, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("trayscore_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _server(url: URL) -> Engine:
    try:
        return create_engine(
            url,
            pool_size=8,
            max_overflow=24,
            pool_timeout=_FREE_S,
            pool_pre_ping=True,  # after the server came back, connections of before are replaced
            hide_parameters=True,
            connect_args={name: wait for name, wait in _WAITING.items() if name not in url.query},
        )
    except ModuleNotFoundError as error:
        text = "PostgreSQL needs the package psycopg: pip install 'trayscore[postgres]'."
        raise DatabaseError("bad_database", text) from error
