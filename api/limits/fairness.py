"""Fairness between addresses: each has a line of its own, and the lines take turns."""

import asyncio
from collections import OrderedDict, deque
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")

NOBODY = ""
"""Where no address asks: the service itself."""

asking_address: ContextVar[str] = ContextVar("asking_address", default=NOBODY)
"""The address whose request is being answered."""


class Lines(Generic[T]):
    """What waits, a line per address; of the lines, one after the other is served."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def length_of(self, address: str) -> int:
        """How much waits of one address."""
        return len(self._lines.get(address, ()))

    def append(self, address: str, item: T) -> None:
        """Put something at the end of its address's line."""
        self._lines.setdefault(address, deque()).append(item)
        self._length += 1

    def popleft(self) -> T:
        """The first of the line whose turn it is; that line is then the last to be served."""
        address, line = self._lines.popitem(last=False)
        item = line.popleft()
        if line:
            self._lines[address] = line
        self._length -= 1
        return item


class FairQueue(asyncio.Queue[T]):
    """``asyncio.Queue`` whose items are served by turns of the addresses that put them in."""

    def length_of(self, address: str) -> int:
        """How much waits of one address."""
        return self._queue.length_of(address)

    # What asyncio lets a queue say for itself, as its own ``PriorityQueue`` does.

    def _init(self, maxsize: int) -> None:  # noqa: ARG002 - as asyncio calls it
        self._queue: Lines[T] = Lines()

    def _put(self, item: T) -> None:
        self._queue.append(asking_address.get(), item)

    def _get(self) -> T:
        return self._queue.popleft()
