"""Turns: of many requests that come at once, each goes a step only, and then others may."""

import asyncio
from collections import deque


class Turns:
    """Lets callers on in the order in which they came, one in each round of the event loop.

    A loop does in one round all that is ready. Where that is eighty photos, whoever asks only for
    the time waits for all of them; with turns for one.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Returns when it is the caller's turn, which lasts until it waits for something else."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._waiting.append(turn)
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
