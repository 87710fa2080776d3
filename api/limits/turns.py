"""Turns: of many requests that come at once, each goes a step only, and then others may."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from api.limits.fairness import NOBODY, Lines


class Turns:
    """Lets callers on by turns of their addresses, one in each round of the event loop.

    A loop does in one round all that is ready. Where that is eighty photos, whoever asks only for
    the time waits for all of them; with turns for one.
    """

    def __init__(self) -> None:
        self._waiting: Lines[asyncio.Future[None]] = Lines()

    async def take(self, address: str = NOBODY) -> None:
        """Returns when it is the caller's turn, which lasts until it waits for something else."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._waiting.append(address, turn)
        if len(self._waiting) == 1:
            loop.call_soon(self._next, loop)
        await turn

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        turn = self._waiting.popleft()
        while turn.done() and self._waiting:  # whoever it was has gone
            turn = self._waiting.popleft()
        if not turn.done():
            turn.set_result(None)
        if self._waiting:
            loop.call_soon(self._next, loop)


@dataclass
class _Desk:
    busy: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class Desks:
    """Lets only so many requests of one address be worked on at a time; its others wait in line.

    Requests share a few threads. An address that could have them all would keep everybody else
    waiting for as long as it likes.
    """

    def __init__(self, at_a_time: int) -> None:
        self._most = at_a_time
        self._desks: dict[str, _Desk] = {}

    async def take(self, address: str) -> None:
        """Returns when there is a place, which is then taken."""
        desk = self._desks.setdefault(address, _Desk())
        if desk.busy < self._most:
            desk.busy += 1
            return
        place = asyncio.get_running_loop().create_future()
        desk.waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # given, but nobody is there to use it
                self.leave(address)
            raise

    def leave(self, address: str) -> None:
        """Give the place to the next in line."""
        desk = self._desks[address]
        while desk.waiting:
            place = desk.waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        desk.busy -= 1
        if not desk.busy:
            del self._desks[address]


class Place:
    """A request's place at its address's desk: taken once at most, and never after it was left."""

    def __init__(self, desks: Desks, address: str) -> None:
        self._desks = desks
        self._address = address
        self._taken = self._left = False

    async def take(self) -> None:
        """Returns when there is a place, or when none is needed any more."""
        if not (self._taken or self._left):
            await self._desks.take(self._address)
            self._taken = True

    def leave(self) -> None:
        """Leave it to others, if it was taken."""
        if self._taken and not self._left:
            self._desks.leave(self._address)
        self._left = True
