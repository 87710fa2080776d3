"""The store: the database and the files of one data directory, opened and closed together."""

import logging
import os
import sys
import threading
from pathlib import Path
from secrets import token_bytes
from typing import IO

from api.storage import tables
from api.storage.database import Database, DatabaseError, size_of_rows
from api.storage.photos import PhotoFiles

DATABASE = "trayscore.db"
PHOTOS = "photos"
SECRET = "secret"
LOCK = "lock"

log = logging.getLogger("trayscore.storage")


class Store:
    """All that a service keeps. One process at a time has a data directory."""

    def __init__(self, directory: Path, database_url: str | None = None) -> None:
        self.directory = directory
        self.database = Database(database_url or f"sqlite:///{directory / DATABASE}")
        self.files = PhotoFiles(directory / PHOTOS)
        self.secret = b""
        self._claim: IO[bytes] | None = None
        self._kept: int | None = None
        self._counting = threading.Lock()

    def open(self) -> None:
        """Claim the directory, bring the database up to date, sweep what a crash left behind."""
        try:
            (self.directory / PHOTOS).mkdir(parents=True, exist_ok=True)
            self._claim = _claim(self.directory / LOCK)
            self.secret = _secret(self.directory / SECRET)
        except OSError as error:
            text = f"The data directory {self.directory} cannot be used: {error.strerror}."
            raise DatabaseError("bad_data_dir", text) from error
        self.database.open()
        self.sweep()

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

    def sweep(self) -> None:
        """Delete files that no table points to; say if some are missing."""
        with self.database.reading() as connection:
            wanted = tables.all_files(connection)
        swept = self.files.sweep(lambda: wanted)
        if swept:
            log.info("swept %d files that no table points to", swept)
        missing = wanted - {path.stem for path in self.files.all()}
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
