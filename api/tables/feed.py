"""Tells those who wait that something happened at a table.

It only wakes them: what happened, they read from the database. So nothing is lost however slow a
device is. It reaches the devices of this process; one process serves a data directory.
"""

import asyncio
from contextlib import suppress
from threading import Lock


class Waiter:
    """Somebody who waits for news of a table, in an event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Wake whoever waits; from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._news.set)

    async def wait(self, seconds: float) -> bool:
        """Whether there were news within so many seconds."""
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        self._news.clear()
        return True


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

    def announce(self, table: str) -> None:
        """Wake all who wait for this table."""
        with self._lock:
            waiters = list(self._waiters.get(table, ()))
        for waiter in waiters:
            waiter.wake()

    def close(self) -> None:
        """Wake everybody: the service stops."""
        with self._lock:
            self._closed = True
            waiters = [waiter for group in self._waiters.values() for waiter in group]
        for waiter in waiters:
            waiter.wake()
