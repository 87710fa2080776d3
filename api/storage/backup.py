"""Backups: everything that a service keeps in one file, taken while it runs.

The rows are read in one transaction, so they fit together; photos are there before the rows that
point to them. A photo that is missing or damaged is named, and all the rest is saved. Left out are
answers kept for repeated requests and the service's secret: tokens stay valid without them.
"""

import io
import tarfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from sqlalchemy import Connection, MetaData, Table, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from api.ledger.chain import canonical
from api.storage import schema, tables
from api.storage.backup_file import FORMAT, MANIFEST, RECORD, BackupError, Record
from api.storage.database import newest_revision, revision_of
from api.storage.disk import create, sync, sync_directory
from api.storage.photos import PhotoDamagedError, PhotoMissingError
from api.storage.soundness import problems
from api.storage.store import PHOTOS, TRAYS, Store

_LEFT_OUT = (schema.answers.name, schema.identity.name)
_TRIES = 3
_SPOOLED = 16_000_000


@dataclass(frozen=True)
class Saved:
    """What a backup holds, and what could not be saved as it was kept."""

    tables: int
    photos: int
    lost: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether all was saved, and all of it was sound."""
        return not self.lost and not self.broken


class _PhotoGone(Exception):
    """A table was deleted while its photos were copied."""


def take_backup(directory: Path, database_url: str | None, target: Path) -> Saved:
    """What was put into the new file ``target``; the service may go on meanwhile."""
    store = Store(directory, database_url)
    if not store.database.is_there():
        raise BackupError("nothing_there", f"Nothing is kept in {directory}.")
    try:
        store.refuse()
        for _ in range(_TRIES):
            with suppress(_PhotoGone):
                return write_backup(store, target)
    finally:
        store.database.close()
    raise BackupError("busy", "Tables are being deleted: try again.")


def write_backup(store: Store, target: Path, photos: bool = True) -> Saved:
    """What was put into the new file ``target``; without ``photos`` only rows and trays are."""
    draft = target.with_name(f".{target.name}.part")
    try:
        draft.unlink(missing_ok=True)
        with create(draft) as file:
            saved = _write(store, file, photos)
            sync(file)
        draft.replace(target)
        sync_directory(target.parent)
    except OSError as error:
        raise BackupError("bad_file", f"{target} cannot be written: {error.strerror}.") from error
    except (SQLAlchemyError, TypeError, ValueError) as error:
        text = f"The database cannot be read: {error} Look closer: trayscore check."
        raise BackupError("bad_database", text) from error
    finally:
        draft.unlink(missing_ok=True)
    return saved


@dataclass
class _Archive:
    """The archive being written, and what its record will tell."""

    tar: tarfile.TarFile
    members: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, name: str, content: IO[bytes]) -> None:
        """Add a file; its time and owner are nobody's business."""
        content.seek(0)
        digest = sha256()
        while piece := content.read(1 << 20):
            digest.update(piece)
        info = tarfile.TarInfo(name)
        info.size, info.mode = content.tell(), 0o600
        content.seek(0)
        self.tar.addfile(info, content)
        self.members[name] = info.size, digest.hexdigest()


def _write(store: Store, file: IO[bytes], photos: bool) -> Saved:
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        archive = _Archive(tar)
        with store.database.reading() as connection:
            counts = _write_rows(archive, connection)
            newest = revision_of(connection) == newest_revision()
            broken = tuple(problems(connection)) if newest else ()
            wanted = _photos(connection)
        lost = {_name(*photo): "left out" for photo in wanted}
        if photos:
            lost = _write_photos(archive, store, wanted)
        for tray in sorted((store.directory / TRAYS).glob("*.json")):
            with tray.open("rb") as content:
                archive.add(f"{TRAYS}/{tray.name}", content)
        record = Record(dict(archive.members), counts, lost, broken)
        archive.add(RECORD, io.BytesIO(record.to_bytes()))
    told = tuple(f"{name} is {why}." for name, why in lost.items())
    return Saved(counts[schema.tables.name], len(wanted) - len(lost), told, broken)


def _write_rows(archive: _Archive, connection: Connection) -> dict[str, int]:
    """How many rows of each kind were written."""
    revision = revision_of(connection)
    if revision is None:
        raise BackupError("nothing_there", "The database is empty.")
    manifest = canonical({"format": FORMAT, "revision": revision})
    archive.add(MANIFEST, io.BytesIO(manifest.encode()))
    counts = {}
    for table in kept_tables(connection):
        order = list(table.primary_key.columns)
        with SpooledTemporaryFile(_SPOOLED) as lines:
            count = 0
            for row in connection.execute(select(table).order_by(*order)).mappings():
                lines.write(canonical({str(name): row[name] for name in row}).encode() + b"\n")
                count += 1
            archive.add(f"rows/{table.name}.jsonl", cast(IO[bytes], lines))
        counts[table.name] = count
    return counts


def _photos(connection: Connection) -> list[tuple[str, str]]:
    """Hash and suffix of every photo that a table has."""
    columns = (schema.files.c.sha256, schema.files.c.suffix)
    found = connection.execute(select(*columns).distinct().order_by(*columns))
    return [(digest, suffix) for digest, suffix in found]


def _write_photos(
    archive: _Archive, store: Store, wanted: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """Why photos are not in the archive, by their names; raises if a table was just deleted."""
    lost = {}
    for digest, suffix in wanted:
        try:
            content = store.files.read(digest, suffix)
        except PhotoDamagedError:
            lost[_name(digest, suffix)] = "damaged"
        except PhotoMissingError:
            with store.database.reading() as connection:
                if not tables.shared(connection, [digest]):
                    raise _PhotoGone from None
            lost[_name(digest, suffix)] = "missing"
        else:
            archive.add(_name(digest, suffix), io.BytesIO(content))
    return lost


def _name(digest: str, suffix: str) -> str:
    return f"{PHOTOS}/{digest[:2]}/{digest}.{suffix}"


def kept_tables(connection: Connection) -> list[Table]:
    """The database's own tables that a backup holds, each after those that it refers to.

    As they are found, so that a database of an older version can be saved too.
    """
    found = MetaData()
    names = [name for name in schema.metadata.tables if name not in _LEFT_OUT]
    found.reflect(connection, only=[n for n in inspect(connection).get_table_names() if n in names])
    return list(found.sorted_tables)
