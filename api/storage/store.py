"""The store: the database and the files of one data directory, opened and closed together.

Opening deletes nothing: a directory and a database that do not belong together are refused, and
files that nobody points to go to the trash.
"""

import logging
import os
import sys
import threading
from pathlib import Path
from secrets import token_bytes
from typing import IO, Literal

from api.storage import tables
from api.storage.database import Database, DatabaseError, size_of_rows
from api.storage.disk import make_directory, tighten
from api.storage.identity import ID, make_pair, refuse_strangers
from api.storage.photos import PhotoFiles
from api.storage.restoring import RESTORING, finish_restoring
from api.storage.trash import Trash

DATABASE = "trayscore.db"
PHOTOS = "photos"
TRAYS = "trays"
TRASH = "trash"
CERTIFICATES = "certificates"
SECRET = "secret"
LOCK = "lock"
_OWN = (
    *(DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", ID, SECRET, LOCK),
    *(PHOTOS, TRAYS, TRASH, CERTIFICATES),
)
"""What is ours in the directory; it may hold other things too."""

Condition = Literal["unchecked", "sound", "damaged"]

log = logging.getLogger("trayscore.storage")


class Store:
    """All that a service keeps. One process at a time has a data directory."""

    def __init__(self, directory: Path, database_url: str | None = None) -> None:
        self.directory = directory
        self.database = Database(database_url or f"sqlite:///{directory / DATABASE}")
        self.trash = Trash(directory / TRASH)
        self.files = PhotoFiles(directory / PHOTOS, self.trash)
        self.secret = b""
        self.condition: Condition = "unchecked"
        """What the last check while it was open found."""
        self._claim: IO[bytes] | None = None
        self._kept: int | None = None
        self._counting = threading.Lock()

    def refuse(self) -> None:
        """Raise ``DatabaseError`` if it could not be opened; nothing is changed."""
        if not (self.directory / RESTORING).exists():
            refuse_strangers(self.directory, self.database, self.files)

    def open(self, adopt: bool = False) -> None:
        """Claim the directory, bring the database up to date, set aside what a crash left behind.

        ``adopt`` makes directory and database a pair, whatever they were before.
        """
        self.claim()
        try:
            finish_restoring(self.directory, self.database, self.trash)
            make_directory(self.directory / PHOTOS)
            if not adopt:
                refuse_strangers(self.directory, self.database, self.files)
            self.database.open()
            make_pair(self.directory, self.database, anew=adopt)
            self.sweep()
        except BaseException:
            self.close()
            raise

    def claim(self) -> None:
        """Have the directory for oneself, and for no other user of the computer."""
        try:
            make_directory(self.directory)
            self._claim = _claim(self.directory / LOCK)
            self.secret = _secret(self.directory / SECRET)
            tighten([self.directory], deep=False)
            tighten(self.directory / name for name in _OWN)
        except OSError as error:
            text = f"The data directory {self.directory} cannot be used: {error.strerror}."
            raise DatabaseError("bad_data_dir", text) from error

    def close(self) -> None:
        """Let go of everything."""
        self.database.close()
        if self._claim is not None:
            self._claim.close()
            self._claim = None

    def takes(self, more: int, limit: int) -> bool:
        """Whether so many bytes more may be kept; they are taken as kept from now on.

        Files and rows are counted only if it could be too much: that takes longer the more there
        are.
        Until then they are known to be at most what was counted and all that came since.
        """
        with self._counting:
            if self._kept is None or self._kept + more > limit:
                with self.database.reading() as connection:
                    self._kept = tables.size_of_files(connection) + size_of_rows(connection)
            room = self._kept + more <= limit
            self._kept += more if room else 0
            return room

    def wanted_files(self) -> set[str]:
        """The hashes of all files that tables point to."""
        with self.database.reading() as connection:
            return tables.all_files(connection)

    def sweep(self) -> None:
        """Set files aside that no table points to; say if some are missing."""
        self.files.sweep(self.wanted_files)
        missing = self.wanted_files() - {path.stem for path in self.files.all()}
        if missing:
            log.error("%d files are missing from %s", len(missing), self.directory / PHOTOS)


def _claim(path: Path) -> IO[bytes]:
    """The lock file, locked until it is closed or the process ends."""
    file = path.open("ab")
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            text = f"Another Trayscore is using {path.parent}: stop it, or use another directory."
            raise DatabaseError("data_dir_in_use", text) from error
    return file


def _secret(path: Path) -> bytes:
    """Thirty-two random bytes that only this service knows, made at its first start."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_bytes()
        if len(secret) == 32:
            return secret
        path.unlink()
        return _secret(path)
    with os.fdopen(handle, "wb") as file:
        secret = token_bytes(32)
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return secret
