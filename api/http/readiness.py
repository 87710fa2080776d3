"""Whether disk and database work, tested now and then."""

import asyncio
import logging
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from sqlalchemy import text

from api.storage.failures import DatabaseError, DiskFull, StorageAway, of_disk
from api.storage.store import Store

FRESH_S = 1.0
"""Seconds for which a result is reused."""
PATIENCE_S = 3.0
_PROBE = ".probe"

_log = logging.getLogger("trayscore.storage")


class Readiness:
    """Knows what keeps the service from working, if anything does."""

    def __init__(self, probe: Callable[[], StorageAway | None]) -> None:
        self._probe = probe
        self._found: StorageAway | None = None
        self._until = 0.0
        self._trying: asyncio.Future[StorageAway | None] | None = None
        # Its own thread: all others may be waiting for the very database it tests.
        self._thread = ThreadPoolExecutor(1, "readiness")

    async def trouble(self) -> StorageAway | None:
        """Why the service is not ready; None if it is."""
        if monotonic() < self._until:
            return self._found
        if self._trying is None or self._trying.done():
            loop = asyncio.get_running_loop()
            self._trying = loop.run_in_executor(self._thread, self._probe)
        try:
            found = await asyncio.wait_for(asyncio.shield(self._trying), PATIENCE_S)
        except TimeoutError:
            found = StorageAway("database_away", "The disk or the database is not responding.")
        self._note(found)
        return found

    def _note(self, found: StorageAway | None) -> None:
        before, self._found = self._found, found
        self._until = monotonic() + FRESH_S
        if found is not None and (before is None or before.code != found.code):
            _log.error("not ready: %s", found.text)
        if found is None and before is not None:
            _log.warning("ready again")

    def close(self) -> None:
        """Stop testing."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def storage_trouble(store: Store, reserve: int) -> StorageAway | None:
    """What is wrong with disk or database, found by using both; ``reserve`` bytes must be free."""
    try:
        with store.database.reading() as connection:
            connection.execute(text("SELECT 1 FROM tables LIMIT 1")).first()
        with store.database.writing() as connection:  # refuses what can only be read
            connection.execute(text("UPDATE tables SET length = length WHERE 1 = 0"))
        _write_something(store)
        if shutil.disk_usage(store.directory).free < reserve:
            return DiskFull()
    except StorageAway as away:
        return away
    except DatabaseError as error:
        return StorageAway(error.code, error.text)
    except OSError as error:
        named = of_disk(error)
        unusable = f"The data directory cannot be used: {error.strerror}."
        return named or StorageAway("storage_away", unusable)
    return None


def _write_something(store: Store) -> None:
    probe = store.directory / _PROBE
    try:
        handle = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, bytes(4096))
        finally:
            os.close(handle)
    finally:
        probe.unlink(missing_ok=True)
