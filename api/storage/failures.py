"""What can go wrong with disk and database, in words that hold nothing of what was stored.

Errors of the drivers quote statements, values and whole rows. None of them leaves the storage: what
is raised instead says what happened, and whether to come back later.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC, EROFS

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from rules.errors import RulesError

_SQLITE_BYTE = 0xFF
"""Extended codes of SQLite carry the plain one in their last byte."""

_LOST_CONNECTION = ("08", "57P", "58")
_TOO_MANY = ("53",)
_COLLIDED = ("40", "55P03", "57014")
"""How the codes of PostgreSQL begin (its manual, appendix A)."""


class DatabaseError(RulesError):
    """A database that cannot be used, with the reason."""


class StorageAway(DatabaseError):
    """Disk or database do not work for now; they may again without a restart."""

    retry_s = 5


class DiskFull(StorageAway):
    """There is no room for what should be kept."""

    retry_s = 60

    def __init__(self) -> None:
        super().__init__("disk_full", "The service's disk is full. Nothing was changed.")


class Conflict(DatabaseError):
    """Somebody else was first: the row is there already."""


class StorageMistake(DatabaseError):
    """An error of the database that nobody foresaw."""


@contextmanager
def told_plainly() -> Iterator[None]:
    """Errors of the database leave as those of this module, without a word of the drivers'."""
    try:
        yield
    except SQLAlchemyError as error:
        raise plain(error).with_traceback(error.__traceback__) from None


def plain(error: SQLAlchemyError) -> DatabaseError:
    """What an error means."""
    if isinstance(error, NoConnectionFree):
        return StorageAway("database_busy", "The database is busy. Please try again.")
    if not isinstance(error, DBAPIError):
        return StorageMistake("database_error", f"{type(error).__name__} in the database layer.")
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        found = _of_sqlite(getattr(cause, "sqlite_errorcode", 0))
    else:
        found = _of_server(str(getattr(cause, "sqlstate", None) or ""), error)
    return found or _mistaken(error)


def _of_sqlite(code: int) -> StorageAway | None:
    match code & _SQLITE_BYTE:
        case sqlite3.SQLITE_FULL:
            return DiskFull()
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StorageAway("database_busy", "The database is busy. Please try again.")
        case sqlite3.SQLITE_READONLY:
            return read_only()
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN:
            return _away()
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            text = "The database file is damaged. Restore a backup. Nothing was changed."
            return StorageAway("database_damaged", text)
    return None


def _of_server(state: str, error: DBAPIError) -> StorageAway | None:
    if state == "53100":
        return DiskFull()
    if state == "25006":
        return read_only()
    if state.startswith((*_TOO_MANY, *_COLLIDED)):
        return StorageAway("database_busy", "The database is busy. Please try again.")
    lost = error.connection_invalidated or type(error.orig).__name__ in (
        "OperationalError",  # without a code: no connection was to be had
        "ConnectionTimeout",
    )
    return _away() if lost or state.startswith(_LOST_CONNECTION) else None


def _away() -> StorageAway:
    text = "The service cannot reach its database. Nothing was changed. Please try again soon."
    return StorageAway("database_away", text)


def gone() -> StorageAway:
    """The failure of a database whose file was moved or deleted while it was in use."""
    text = "The database file was moved or deleted. Put it back, or restart with a backup."
    return StorageAway("database_gone", text)


def read_only() -> StorageAway:
    """The failure of a disk or database that can only be read."""
    text = "The service's disk or database can only be read. Nothing was changed."
    return StorageAway("storage_read_only", text)


def _mistaken(error: DBAPIError) -> DatabaseError:
    """The name of an error and the beginning of its statement; values are bound, so not in it."""
    state = getattr(error.orig, "sqlstate", None) or getattr(error.orig, "sqlite_errorname", "")
    begun = " ".join((error.statement or "").split()[:3])
    text = f"{type(error.orig).__name__} {state} in {begun!r}: see the trace."
    kind = Conflict if isinstance(error, IntegrityError) else StorageMistake
    return kind("database_error", text)


def of_disk(error: OSError) -> StorageAway | None:
    """What a file's error means, if it is the disk's fault."""
    if error.errno in (ENOSPC, EDQUOT):
        return DiskFull()
    return read_only() if error.errno == EROFS else None
