"""The check that a running service makes of itself: slowly, so that nobody has to wait for it.

Once a day it looks at every history and every photo, a few megabytes a second. Where it was is kept
in the data directory, so a restart goes on from there. What it finds is told in the log.
"""

import json
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from api.storage import tables
from api.storage.check import SETTLED_S, all_photos, database_problems
from api.storage.database import UNREADABLE
from api.storage.disk import write_whole
from api.storage.soundness import row_problems, table_ids, table_problems
from api.storage.store import Store

PROGRESS = "check.json"
FIRST_S, REST_S = 60.0, 24 * 3600.0
"""After the start, and between two checks."""
BYTES_PER_S = 4_000_000
_TABLES_PER_S = 20
_NOTED_EVERY_S = 30.0

log = logging.getLogger("trayscore.storage")


class _Stopped(Exception):
    """The service stops."""


@dataclass(frozen=True)
class Progress:
    """How far a check has come, and when the last whole one ended."""

    after: str = ""
    """The last photo that was looked at."""
    wrong: int = 0
    """Photos so far; in the end, everything."""
    ended_at: float = 0.0


class Watch:
    """A thread that checks a store now and then, until it is stopped."""

    def __init__(
        self, store: Store, first_s: float = FIRST_S, bytes_per_s: float = BYTES_PER_S
    ) -> None:
        self._store = store
        self._first_s = first_s
        self._bytes_per_s = bytes_per_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="check", daemon=True)
        self._noted_at = 0.0

    def start(self) -> None:
        """Begin; the first check comes a little later."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait until it has."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        _be_modest()
        wait = self._first_s
        with suppress(_Stopped):
            while not self._stop.wait(wait):
                wait = REST_S
                try:
                    self.check()
                except (OSError, *UNREADABLE) as error:
                    log.error("the check was interrupted: %s", type(error).__name__)
                    wait = SETTLED_S

    def check(self) -> None:
        """Look at everything once, from where the last check was interrupted."""
        begun = _progress(self._store.directory / PROGRESS)
        if time.time() - begun.ended_at < REST_S - SETTLED_S and not begun.after:
            self._store.condition = "damaged" if begun.wrong else "sound"
            return
        wrong = self._check_database()
        wrong += self._check_photos(begun if begun.after else replace(begun, wrong=0)).wrong
        self._store.files.sweep(self._store.wanted_files, SETTLED_S)
        self._store.trash.purge()
        self._note(Progress("", wrong, time.time()))
        self._store.condition = "damaged" if wrong else "sound"
        if wrong:
            log.error("the check found %d things wrong: see trayscore check", wrong)
        else:
            log.info("the check found all tables and photos sound")

    def _check_database(self) -> int:
        """How many things are wrong in the database; each is told."""
        with self._store.database.reading() as connection:
            found = list(database_problems(connection, self._store.database))
            found += [] if found else row_problems(connection)
            ids = table_ids(connection)
        for table in ids:
            with self._store.database.reading() as connection:
                found += table_problems(connection, table)
            self._rest(1 / _TABLES_PER_S)
        for text in found:
            log.error("check: %s", text)
        return len(found)

    def _check_photos(self, progress: Progress) -> Progress:
        with self._store.database.reading() as connection:
            photos = [photo for photo in all_photos(connection) if photo[0] > progress.after]
        for digest, suffix in photos:
            state = self._store.files.state(digest, suffix, self._paced)
            wrong = progress.wrong
            if state != "sound" and self._is_wanted(digest):
                log.error("check: the photo %s.%s is %s", digest, suffix, state)
                wrong += 1
            progress = Progress(digest, wrong, progress.ended_at)
            if time.monotonic() - self._noted_at > _NOTED_EVERY_S:
                self._note(progress)
        return progress

    def _is_wanted(self, digest: str) -> bool:
        with self._store.database.reading() as connection:
            return bool(tables.shared(connection, [digest]))

    def _paced(self, size: int) -> None:
        self._rest(size / self._bytes_per_s)

    def _rest(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise _Stopped

    def _note(self, progress: Progress) -> None:
        self._noted_at = time.monotonic()
        content = json.dumps(vars(progress)).encode()
        write_whole(self._store.directory / PROGRESS, content)


def _progress(path: Path) -> Progress:
    try:
        told = json.loads(path.read_bytes())
        return Progress(str(told["after"]), int(told["wrong"]), float(told["ended_at"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Progress()


def _be_modest() -> None:
    """Let everybody else go first: on Linux a thread has a priority of its own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
