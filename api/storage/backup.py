"""Backups: everything that a service keeps in one file, taken while it runs.

The rows are read in one transaction, so they fit together; photos are there before the rows that
point to them. A backup can be restored into SQLite or PostgreSQL, wherever it was taken. Left out
are answers kept for repeated requests and the service's secret: tokens stay valid without them.
"""

import io
import json
import os
import re
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from alembic.migration import MigrationContext
from sqlalchemy import Connection, Table, func, insert, select

from api.evidence.chain import canonical
from api.storage import schema, tables
from api.storage.database import Database
from api.storage.store import PHOTOS, Store
from rules.errors import RulesError

FORMAT = "trayscore-backup/1"
TRAYS = "trays"
_KEPT = (schema.tables, schema.players, schema.entries, schema.files, schema.solo_games)
_TRIES = 3
_BATCH = 500
_SPOOLED = 16_000_000

_PHOTO = re.compile(r"photos/([0-9a-f]{2})/([0-9a-f]{64})\.([a-z]{3,4})")
_TRAY = re.compile(r"trays/([A-Za-z0-9][A-Za-z0-9._-]{0,63}\.json)")
_ROWS = re.compile(r"rows/(tables|players|entries|files|solo_games)\.jsonl")


class BackupError(RulesError):
    """A backup that cannot be taken or restored, with the reason."""


@dataclass(frozen=True)
class Counted:
    """What a backup holds."""

    tables: int
    photos: int


class _PhotoGone(Exception):
    """A table was deleted while its photos were copied."""


def take_backup(directory: Path, database_url: str | None, target: Path) -> Counted:
    """What was put into the new file ``target``; the service may go on meanwhile."""
    store = Store(directory, database_url)
    if store.database.is_sqlite and not Path(store.database.url.database or "").is_file():
        raise BackupError("nothing_there", f"Nothing is kept in {directory}.")
    draft = target.with_name(f".{target.name}.part")
    try:
        for _ in range(_TRIES):
            with suppress(_PhotoGone):
                counted = _write(store, draft)
                draft.replace(target)
                return counted
    except OSError as error:
        raise BackupError("bad_file", f"{target} cannot be written: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)
        store.database.close()
    raise BackupError("busy", "Tables are being deleted: try again.")


def _write(store: Store, draft: Path) -> Counted:
    with draft.open("wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
        with store.database.reading() as connection:
            counted = _write_rows(tar, connection)
            photos = connection.execute(
                select(schema.files.c.sha256, schema.files.c.suffix).distinct()
            ).all()
        for digest, suffix in photos:
            path = store.files.path(digest, suffix)
            try:
                tar.add(path, f"{PHOTOS}/{digest[:2]}/{digest}.{suffix}", recursive=False)
            except FileNotFoundError:
                raise _PhotoGone from None
        for tray in sorted((store.directory / TRAYS).glob("*.json")):
            tar.add(tray, f"{TRAYS}/{tray.name}", recursive=False)
        tar.close()
        file.flush()
        os.fsync(file.fileno())
    return Counted(counted, len(photos))


def _write_rows(tar: tarfile.TarFile, connection: Connection) -> int:
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None:
        raise BackupError("nothing_there", "The database is empty.")
    manifest = canonical({"format": FORMAT, "revision": revision})
    _add(tar, "manifest.json", io.BytesIO(manifest.encode()))
    for table in _KEPT:
        order = list(table.primary_key.columns)
        with SpooledTemporaryFile(_SPOOLED) as rows:
            for row in connection.execute(select(table).order_by(*order)).mappings():
                rows.write(canonical({str(name): row[name] for name in row}).encode() + b"\n")
            _add(tar, f"rows/{table.name}.jsonl", cast(IO[bytes], rows))
    return int(connection.execute(select(func.count()).select_from(schema.tables)).scalar_one())


def _add(tar: tarfile.TarFile, name: str, content: IO[bytes]) -> None:
    info = tarfile.TarInfo(name)
    info.size = content.seek(0, os.SEEK_END)
    info.mode = 0o600
    content.seek(0)
    tar.addfile(info, content)


def restore_backup(
    source: Path, directory: Path, database_url: str | None, overwrite: bool = False
) -> Counted:
    """What was restored from the file ``source``; it is checked whole before anything is changed.

    What is kept already is refused to be overwritten, unless that is wanted.
    """
    revision = _check(source)
    store = Store(directory, database_url)
    store.open()
    try:
        if _holds_something(store) and not overwrite:
            text = f"{directory} holds tables already: say --force to replace all of them."
            raise BackupError("not_empty", text)
        if revision != _revision(store.database):
            text = "The backup is of another version of Trayscore: restore it with that one."
            raise BackupError("other_version", text)
        counted = _restore(source, store)
        store.sweep()
        return counted
    finally:
        store.close()


def _check(source: Path) -> str:
    """The database's revision in a backup; raises ``BackupError`` if anything in it is wrong."""
    revision = ""
    try:
        with tarfile.open(source, "r:") as tar:
            for name, content in _members(tar):
                if name == "manifest.json":
                    revision = _manifest(content.read())
                elif found := _PHOTO.fullmatch(name):
                    if sha256(content.read()).hexdigest() != found[2]:
                        raise BackupError("damaged", f"{name} in the backup is damaged.")
                elif _ROWS.fullmatch(name):
                    for line in content:
                        json.loads(line)
    except (OSError, tarfile.TarError, ValueError) as error:
        raise BackupError("bad_file", f"{source} is no backup, or damaged: {error}.") from error
    if not revision:
        raise BackupError("bad_file", f"{source} is no backup of Trayscore.")
    return revision


def _manifest(content: bytes) -> str:
    manifest = json.loads(content)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BackupError("bad_file", "This is no backup of Trayscore, or of a newer one.")
    return str(manifest.get("revision"))


def _members(tar: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes]]]:
    """Names and contents; raises ``BackupError`` for what does not belong into a backup."""
    for member in tar:
        known = member.name == "manifest.json" or any(
            pattern.fullmatch(member.name) for pattern in (_PHOTO, _TRAY, _ROWS)
        )
        file = tar.extractfile(member) if member.isreg() and known else None
        if file is None:
            raise BackupError("bad_file", f"{member.name!r} does not belong into a backup.")
        yield member.name, file


def _restore(source: Path, store: Store) -> Counted:
    """Put everything in the place of what was there, in one transaction."""
    counted, photos = 0, 0
    by_name = {table.name: table for table in _KEPT}
    with tarfile.open(source, "r:") as tar, store.database.writing() as connection:
        for table in connection.execute(select(schema.tables.c.id)).scalars().all():
            tables.remove(connection, table)
        for name, content in _members(tar):
            if found := _ROWS.fullmatch(name):
                rows = _insert(connection, by_name[found[1]], content)
                counted += rows if found[1] == schema.tables.name else 0
            elif found := _PHOTO.fullmatch(name):
                store.files.write(content.read(), found[3])
                photos += 1
            elif found := _TRAY.fullmatch(name):
                (store.directory / TRAYS).mkdir(exist_ok=True)
                (store.directory / TRAYS / found[1]).write_bytes(content.read())
    return Counted(counted, photos)


def _insert(connection: Connection, table: Table, lines: IO[bytes]) -> int:
    """How many rows were in the lines; they are put into the table."""
    count = 0
    while rows := [json.loads(line) for line in islice(lines, _BATCH)]:
        connection.execute(insert(table), rows)
        count += len(rows)
    return count


def _holds_something(store: Store) -> bool:
    with store.database.reading() as connection:
        return connection.execute(select(schema.tables.c.id).limit(1)).first() is not None


def _revision(database: Database) -> str | None:
    with database.reading() as connection:
        return MigrationContext.configure(connection).get_current_revision()
