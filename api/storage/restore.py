"""Restoring a backup: checked whole, laid out beside what is there, then swapped in.

Nothing is touched before the backup is known to be whole: every hash, every chain. What it
replaces goes to the trash, where it stays for thirty days: files as they are, and the rows of a
database outside the directory as a backup of their own.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tarfile import TarError
from tempfile import TemporaryDirectory
from typing import IO

from sqlalchemy import Connection, Table, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from api.storage import schema
from api.storage.backup import kept_tables, write_backup
from api.storage.backup_file import PHOTO, ROWS, TRAY, BackupError, Contents, contents, members
from api.storage.database import UNREADABLE, Database, DatabaseError
from api.storage.disk import create, make_directory, sync, write_whole
from api.storage.identity import new_id, refuse_strangers, set_database_id
from api.storage.photos import PhotoFiles, state_of
from api.storage.restoring import (
    RESTORING,
    drop_unready,
    finish_restoring,
    mark_ready,
    undo_restoring,
)
from api.storage.soundness import problems
from api.storage.store import DATABASE, PHOTOS, TRAYS, Store

_BATCH = 500


@dataclass(frozen=True)
class Restored:
    """What was restored, what could not be, and where the things went that were there before."""

    tables: int
    photos: int
    lost: tuple[str, ...]
    broken: tuple[str, ...]
    replaced: Path | None

    @property
    def whole(self) -> bool:
        """Whether all is there, and all of it is sound."""
        return not self.lost and not self.broken


def restore_backup(
    source: Path, directory: Path, database_url: str | None, overwrite: bool = False
) -> Restored:
    """What was restored from the file ``source``; it is checked whole before anything is changed.

    What is kept already is refused to be overwritten, unless that is wanted.
    """
    held = contents(source)
    with TemporaryDirectory(prefix="trayscore-") as scratch:
        database = Database(f"sqlite:///{Path(scratch) / DATABASE}")
        try:
            count = _load(source, held, database)
        finally:
            database.close()
        store = Store(directory, database_url)
        store.claim()
        try:
            finish_restoring(directory, store.database, store.trash)
            holds = _holds_something(store, overwrite)
            try:
                lost = _lay_out(source, held, store)
                replaced = _swap_in(store, database, holds)
            finally:
                database.close()
                drop_unready(directory)
        finally:
            store.close()
    photos = len(held.photos) + len(held.record.lost) - len(lost)
    told = tuple(f"{name} is {held.record.lost[name]} in the backup." for name in lost)
    return Restored(count, photos, told, held.record.broken, replaced if holds else None)


def _load(source: Path, held: Contents, database: Database) -> int:
    """How many tables there are; the rows are put into a new database and checked there."""
    try:
        database.open(held.revision)
        with database.writing() as connection:
            by_name = {table.name: table for table in kept_tables(connection)}
            for name, lines in members(source):
                if found := ROWS.fullmatch(name):
                    _insert(connection, by_name[found[1]], lines)
        database.open()
        with database.reading() as connection:
            _check_rows(source, held, connection)
            return int(connection.execute(select(func.count(schema.tables.c.id))).scalar_one())
    except DatabaseError as error:
        text = f"{source} was made by a newer version of Trayscore: restore it with that one."
        raise BackupError("other_version", text) from error
    except (SQLAlchemyError, TarError, ValueError, TypeError, KeyError) as error:
        raise BackupError("damaged", f"{source} is damaged: {error}.") from error


def _insert(connection: Connection, table: Table, lines: IO[bytes]) -> None:
    while rows := [json.loads(line) for line in islice(lines, _BATCH)]:
        connection.execute(insert(table), rows)


def _check_rows(source: Path, held: Contents, connection: Connection) -> None:
    """Raise ``BackupError`` unless histories hold, and all their photos are accounted for."""
    new = [text for text in problems(connection) if text not in held.record.broken]
    if new:
        raise BackupError("damaged", f"{source} was changed, nothing was restored. {new[0]}")
    there = {*held.photos, *held.record.lost}
    wanted = connection.execute(select(schema.files.c.sha256, schema.files.c.suffix))
    for digest, suffix in wanted:
        name = f"{PHOTOS}/{digest[:2]}/{digest}.{suffix}"
        if name not in there:
            raise BackupError("damaged", f"{name} is missing in {source}: nothing was restored.")


def _holds_something(store: Store, overwrite: bool) -> bool:
    """Whether something will be replaced; raises if that is not wanted, or is somebody else's."""
    own = store.database.file == store.directory / DATABASE
    photos = next((store.directory / PHOTOS).glob("??/*"), None) is not None
    try:
        rows = store.database.is_there() and _has_tables(store.database)
    except UNREADABLE as error:
        if not own:
            raise store.database.unusable(error) from error
        rows = True  # a damaged database is something
    if (rows or photos) and not overwrite:
        text = f"{store.directory} holds tables already: say --force to replace all of them."
        raise BackupError("not_empty", text)
    if rows and not own:
        refuse_strangers(store.directory, store.database, store.files)
    return rows or photos


def _has_tables(database: Database) -> bool:
    with database.reading() as connection:
        names = {table.name for table in kept_tables(connection)}
        if schema.tables.name not in names:
            return False
        return connection.execute(select(schema.tables.c.id).limit(1)).first() is not None


def _lay_out(source: Path, held: Contents, store: Store) -> list[str]:
    """The photos that could not be had; all that is to be swapped in lies ready beside the rest."""
    staged = store.directory / RESTORING
    try:
        make_directory(staged / TRAYS)
        for tray in (store.directory / TRAYS).glob("*.json"):  # those of other tables stay
            shutil.copyfile(tray, staged / TRAYS / tray.name)
        photos = PhotoFiles(staged / PHOTOS, store.trash)
        make_directory(photos.directory)
        for name, content in members(source):
            if found := PHOTO.fullmatch(name):
                photos.write(content.read(), found[3])
            elif found := TRAY.fullmatch(name):
                write_whole(staged / TRAYS / found[1], content.read())
        return list(_not_found(held, store, photos))
    except OSError as error:
        text = f"There is no room to restore into {store.directory}: {error.strerror}."
        raise BackupError("bad_data_dir", text) from error


def _not_found(held: Contents, store: Store, photos: PhotoFiles) -> Iterator[str]:
    """The names of photos that the backup lacks and that are not to be found here either."""
    in_trash = store.trash.files() if held.record.lost else {}
    for name in held.record.lost:
        found = PHOTO.fullmatch(name)
        if found is None:
            continue
        digest, suffix = found[2], found[3]
        here = [store.files.path(digest, suffix), *in_trash.get(digest, ())]
        sound = next((path for path in here if state_of(path, digest) == "sound"), None)
        if sound is None:
            yield name
        else:
            photos.write(sound.read_bytes(), suffix)


def _swap_in(store: Store, rows: Database, holds: bool) -> Path:
    """Where all that was replaced is now; the store has been opened with what was laid out."""
    staged, new = store.directory / RESTORING, new_id()
    replaced = store.trash.folder("replaced")
    own = store.database.file == store.directory / DATABASE
    if own:
        with rows.writing() as connection:
            set_database_id(connection, new)
        rows.close()
        assert rows.file is not None
        with rows.file.open("rb") as source, create(staged / DATABASE) as target:
            shutil.copyfileobj(source, target)
            sync(target)
        mark_ready(staged, new, replaced)
    else:
        store.database.open()
        if holds:
            write_backup(store, replaced / "tables.backup", photos=False)
        mark_ready(staged, new, replaced)
        _replace_rows(store.database, rows, new)
    store.database.close()
    finish_restoring(store.directory, store.database, store.trash)
    try:
        refuse_strangers(store.directory, store.database, store.files)
        store.database.open()
    except DatabaseError:
        if own:
            undo_restoring(store.directory, replaced, store.trash)
        raise
    if not any(replaced.iterdir()):
        replaced.rmdir()
    return replaced


def _replace_rows(database: Database, rows: Database, id_: str) -> None:
    """Put all rows in the place of those that are there, in one transaction."""
    with rows.reading() as source, database.writing() as connection:
        ours = [table for table in schema.metadata.sorted_tables if table is not schema.identity]
        for table in reversed(ours):
            connection.execute(delete(table))
        for table in ours:
            found = source.execute(select(table)).mappings()
            while batch := [dict(row) for row in islice(found, _BATCH)]:
                connection.execute(insert(table), batch)
        broken = list(problems(connection))
        if broken != list(problems(source)):
            raise BackupError("damaged", f"The database does not hold what it was given: {broken}")
        set_database_id(connection, id_)
