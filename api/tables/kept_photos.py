"""Photos on their way into the history: cleaned, hashed, written, and only then pointed to."""

import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

from api.photos.cleaning import cleaned
from api.photos.uncleanable import UncleanableError
from api.problems import Problem
from api.storage import tables
from api.storage.failures import DatabaseError, DiskFull, of_disk
from api.storage.store import Store
from api.storage.tables import FileRow

RESERVE = 50_000_000
"""Bytes that are left free on the disk, so that the database can go on."""

_log = logging.getLogger("trayscore.storage")


@dataclass(frozen=True)
class Kept:
    """A file to be kept."""

    content: bytes
    suffix: str
    sha256: str

    @classmethod
    def of(cls, content: bytes, suffix: str) -> "Kept":
        """The file with its hash."""
        return cls(content, suffix, sha256(content).hexdigest())

    @property
    def row(self) -> FileRow:
        """What the database notes of it."""
        return FileRow(self.sha256, self.suffix, len(self.content))


def cleaned_photos(photos: Sequence[bytes]) -> list[Kept]:
    """The photos without location data; raises ``Problem`` for one that cannot be cleaned.

    One that is there twice is kept once: it would pass for two witnesses.
    """
    try:
        clean = [cleaned(photo) for photo in photos]
    except UncleanableError as error:
        raise Problem(422, "bad_image", error.text) from error
    kept = [Kept.of(photo.content, photo.suffix) for photo in clean]
    return list({one.sha256: one for one in kept}.values())


@contextmanager
def keeping(store: Store, kept: Sequence[Kept], limit: int) -> Iterator[None]:
    """Files are on disk, and stay there while the history comes to point to them.

    Raises ``Problem`` with the code ``disk_full`` if there is no room for them.
    """
    digests = [one.sha256 for one in kept]
    with store.files.holding(digests):
        _refuse_when_full(store, kept, limit)
        try:
            _write(store, kept)
            yield
        except Problem:  # after any other error nobody knows whether the history points to them
            _drop(store, digests)
            raise


def _write(store: Store, kept: Sequence[Kept]) -> None:
    try:
        for one in kept:
            store.files.write(one.content, one.suffix)
    except OSError as error:
        if isinstance(of_disk(error), DiskFull):
            raise _full() from error
        raise


def heal(store: Store, table: str, kept: Sequence[Kept]) -> None:
    """Put back photos that the table has already, where they are missing or damaged."""
    with store.database.reading() as connection:
        own = tables.files(connection, table)
    for one in kept:
        if one.sha256 in own:
            store.files.write(one.content, own[one.sha256].suffix)


def _drop(store: Store, digests: Sequence[str]) -> None:
    """Let go of files that came to nothing, unless others have them.

    Where the database cannot say so they stay: it may have kept what it did not answer.
    """

    def wanted() -> set[str]:
        with store.database.reading() as connection:
            return tables.shared(connection, digests)

    try:
        store.files.release(digests, wanted)
    except (DatabaseError, OSError) as error:
        _log.warning("files that may be wanted stay on disk: %s", type(error).__name__)


def _refuse_when_full(store: Store, kept: Sequence[Kept], limit: int) -> None:
    if not kept:
        return
    more = sum(len(one.content) for one in kept)
    if shutil.disk_usage(store.directory).free < more + RESERVE or not store.takes(more, limit):
        raise _full()


def _full() -> Problem:
    text = "There is no room for more photos: delete old tables, or enter the tray by hand."
    return Problem(507, "disk_full", text, headers={"Retry-After": str(DiskFull.retry_s)})
