"""Tells those who wait what happened at a table, as soon as it did.

Nothing is lost however slow a device is, or however far behind: what does not follow upon the last
that it knows, it reads from the database. The feed reaches the devices of this process; one process
serves a data directory.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock

from api.ledger.chain import Entry

_MOST_PENDING = 64
"""Entries that are kept for a device; one that is further behind reads the others itself."""


class Waiter:
    """Somebody who waits for news of a table, in an event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._news: deque[Entry] = deque(maxlen=_MOST_PENDING)

    def tell(self, news: Sequence[Entry]) -> None:
        """Wake whoever waits, and tell them; from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._hear, news)

    def _hear(self, news: Sequence[Entry]) -> None:
        self._news.extend(news)
        self._woken.set()

    async def wait(self, seconds: float) -> list[Entry]:
        """What was told; nothing if that is only to look oneself, or if it was silent so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), seconds)
        self._woken.clear()
        news = list(self._news)
        self._news.clear()
        return news


class Feed:
    """Who waits for news of which table."""

    def __init__(self) -> None:
        self._waiters: dict[str, set[Waiter]] = {}
        self._lock = Lock()
        self._closed = False

    def subscribe(self, table: str) -> Waiter:
        """A waiter for a table's news."""
        waiter = Waiter()
        with self._lock:
            self._waiters.setdefault(table, set()).add(waiter)
        return waiter

    def unsubscribe(self, table: str, waiter: Waiter) -> None:
        """The waiter has gone."""
        with self._lock:
            waiters = self._waiters.get(table, set())
            waiters.discard(waiter)
            if not waiters:
                self._waiters.pop(table, None)

    def waiting(self, table: str) -> int:
        """How many wait for news of a table."""
        with self._lock:
            return len(self._waiters.get(table, ()))

    @property
    def closed(self) -> bool:
        """Whether the service is stopping."""
        return self._closed

    def announce(self, table: str, news: Sequence[Entry] = ()) -> None:
        """Tell all who wait for this table; without news, that they should look themselves."""
        with self._lock:
            waiters = list(self._waiters.get(table, ()))
        for waiter in waiters:
            waiter.tell(news)

    def close(self) -> None:
        """Wake everybody: the service stops."""
        with self._lock:
            self._closed = True
            waiters = [waiter for group in self._waiters.values() for waiter in group]
        for waiter in waiters:
            waiter.tell(())
