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
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from api.storage.disk import create
from rules.errors import RulesError

_BUSY_MS = 20_000
UNREADABLE = (SQLAlchemyError, UnicodeDecodeError)
"""What a database that is away or damaged ends with: SQLite's own complaint may be no text."""


class DatabaseError(RulesError):
    """A database that cannot be used, with the reason."""


class Database:
    """Connections to the database, for reading and for writing."""

    def __init__(self, url: str) -> None:
        self.url = _url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine = _sqlite(self.url) if self.is_sqlite else _server(self.url)
        self._writer = threading.Lock()

    @property
    def name(self) -> str:
        """The database for people: its URL without the password."""
        return self.url.render_as_string(hide_password=True)

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

    def unusable(self, error: Exception) -> "DatabaseError":
        """What to say if the database cannot be used."""
        why = str(getattr(error, "orig", None) or error).strip()
        text = f"The database {self.name} cannot be opened: {why}"
        return DatabaseError("bad_database", text)

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees the database as it is at one moment."""
        options: dict[str, Any] = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self._engine.connect().execution_options(**options) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it is kept, or nothing if an error leaves it."""
        if not self.is_sqlite:
            with self._engine.begin() as connection:
                yield connection
            return
        with (
            self._writer,
            self._engine.connect().execution_options(trayscore_writes=True) as connection,
            connection.begin(),
        ):
            yield connection


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
    except SQLAlchemyError as error:
        raise DatabaseError("bad_database", f"{text!r} is no database's URL.") from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        text = "The database is SQLite or PostgreSQL: postgresql://user@host/name."
        raise DatabaseError("bad_database", text)
    return url


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, pool_size=8, max_overflow=56)

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
        return create_engine(url, pool_size=8, max_overflow=24, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        text = "PostgreSQL needs the package psycopg: pip install 'trayscore[postgres]'."
        raise DatabaseError("bad_database", text) from error
