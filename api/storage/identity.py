"""A data directory and its database know each other by an id that is kept in both.

So a database that was deleted, emptied or confused with another is noticed at the start, before
its photos look as if nobody wanted them. The id is drafted in the directory, then kept in the
database, then in the directory: whenever the power fails, the next start finishes it.
"""

from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from sqlalchemy import Connection, delete, insert, inspect, select

from api.storage import schema
from api.storage.database import UNREADABLE, Database, DatabaseError
from api.storage.disk import sync_directory, write_whole
from api.storage.photos import PhotoFiles

ID = "id"
_DRAFT = "id.draft"
_LOOKED_AT = 1000
"""Photos that are looked for when a directory and a database without ids are to be paired."""


@dataclass(frozen=True)
class _Side:
    """What the database says of itself."""

    id: str | None = None
    tables: bool = False
    files: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        return self.id is None and not self.tables


def refuse_strangers(directory: Path, database: Database, photos: PhotoFiles) -> None:
    """Raise ``DatabaseError`` if the directory and the database do not belong together.

    Both without an id are new, or older than ids: then they belong together if none of them could
    miss anything of the other.
    """
    own, theirs = directory_id(directory), _side(database)
    if theirs.id is not None and theirs.id in (own, _read(directory / _DRAFT)):
        return
    has_photos = next(photos.directory.glob("??/*"), None) is not None
    if theirs.empty and (own is not None or has_photos):
        raise _refusal("database_lost", _LOST, directory, database)
    if own is not None or theirs.id is not None:
        raise _refusal("other_database", _OTHER, directory, database)
    found = any(photos.path(*file).exists() for file in theirs.files)
    if not found and (theirs.files or has_photos):
        raise _refusal("other_database", _OTHER, directory, database)


def make_pair(directory: Path, database: Database, anew: bool = False) -> None:
    """Give both the same id if they have none yet, or a new one; the database has its form."""
    with database.reading() as connection:
        theirs = database_id(connection)
    if theirs is not None and not anew:
        if directory_id(directory) != theirs:
            keep_id(directory, theirs)
        return
    new = new_id()
    write_whole(directory / _DRAFT, new.encode())
    with database.writing() as connection:
        set_database_id(connection, new)
    keep_id(directory, new)


def new_id() -> str:
    """An id like no other."""
    return token_hex(16)


def keep_id(directory: Path, id_: str) -> None:
    """Keep the id in the directory."""
    write_whole(directory / ID, id_.encode())
    (directory / _DRAFT).unlink(missing_ok=True)
    sync_directory(directory)


def directory_id(directory: Path) -> str | None:
    """The id that is kept in the directory."""
    return _read(directory / ID)


def database_id(connection: Connection) -> str | None:
    """The id that is kept in the database."""
    if not inspect(connection).has_table(schema.identity.name):
        return None
    return connection.execute(select(schema.identity.c.id)).scalar()


def set_database_id(connection: Connection, id_: str) -> None:
    """Keep the id in the database."""
    connection.execute(delete(schema.identity))
    connection.execute(insert(schema.identity), {"id": id_})


def _read(path: Path) -> str | None:
    try:
        return path.read_text("ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def _side(database: Database) -> _Side:
    if not database.is_there():
        return _Side()
    try:
        with database.reading() as connection:
            if not inspect(connection).has_table(schema.tables.name):
                return _Side()
            first = connection.execute(select(schema.tables.c.id).limit(1)).first()
            files = connection.execute(
                select(schema.files.c.sha256, schema.files.c.suffix).limit(_LOOKED_AT)
            )
            return _Side(
                database_id(connection),
                first is not None,
                tuple((row.sha256, row.suffix) for row in files),
            )
    except UNREADABLE as error:
        raise database.unusable(error) from error


_LOST = (
    "The database {database} is empty, but {directory} holds photos of tables or was used with "
    "another database. Was the database deleted, or is TRAYSCORE_DATABASE_URL another one than "
    "before? Nothing was changed. Bring the database back, or restore a backup: "
    "trayscore restore FILE --force --data {directory}. To begin anew, choose another directory, "
    "or say: trayscore adopt --data {directory} (its photos go to {directory}/trash for 30 days)."
)
_OTHER = (
    "{directory} and the database {database} do not belong together: one of them was used with "
    "another one. Nothing was changed. Name the directory (--data, TRAYSCORE_DATA_DIR) and the "
    "database (TRAYSCORE_DATABASE_URL) that were used together. If these are meant to be used "
    "together from now on, say: trayscore adopt --data {directory} (photos that no table points to "
    "go to {directory}/trash for 30 days)."
)


def _refusal(code: str, text: str, directory: Path, database: Database) -> DatabaseError:
    return DatabaseError(code, text.format(directory=directory, database=database.name))
