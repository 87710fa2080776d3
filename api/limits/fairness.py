"""Fairness between addresses: each has its own queue, and the queues take turns."""

import asyncio
from collections import OrderedDict, deque
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")

NOBODY = ""
"""The address of the service's own work."""

asking_address: ContextVar[str] = ContextVar("asking_address", default=NOBODY)
"""The address whose request is being answered."""


class Lines(Generic[T]):
    """Waiting items in one line per address; the lines are served in turn."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def length_of(self, address: str) -> int:
        """How many items of one address wait."""
        return len(self._lines.get(address, ()))

    def append(self, address: str, item: T) -> None:
        """Add an item to its address's line."""
        self._lines.setdefault(address, deque()).append(item)
        self._length += 1

    def popleft(self) -> T:
        """The first item of the next line, which then goes to the back."""
        address, line = self._lines.popitem(last=False)
        item = line.popleft()
        if line:
            self._lines[address] = line
        self._length -= 1
        return item


class FairQueue(asyncio.Queue[T]):
    """``asyncio.Queue`` that serves addresses in turn."""

    def length_of(self, address: str) -> int:
        """How many items of one address wait."""
        return self._queue.length_of(address)

    # The hooks that asyncio leaves to subclasses, as its own ``PriorityQueue`` uses them.

    def _init(self, maxsize: int) -> None:  # noqa: ARG002 - as asyncio calls it
        self._queue: Lines[T] = Lines()

    def _put(self, item: T) -> None:
        self._queue.append(asking_address.get(), item)

    def _get(self) -> T:
        return self._queue.popleft()
