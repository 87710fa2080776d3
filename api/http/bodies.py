"""Request bodies as they arrive, within limits of size, time and memory."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic

from starlette.requests import HTTPConnection
from starlette.types import Message, Receive

from api.limits.quotas import Claim
from api.problems import Problem
from api.settings import Settings

GRACE_S = 20.0
"""Seconds that a body may be late on top of the slowest pace allowed."""

_UPLOADS = re.compile(
    r"/v1/(readings|overlays|trays|profiles|tables/.+/((trays|entries)/[^/]+|tray|photos))/?\Z"
)


@dataclass(frozen=True)
class Announced:
    """What the headers of a request say about its body."""

    upload: bool
    """Whether photos may be in it."""
    most: int
    """The most bytes it may have."""
    length: int | None
    """Its size in bytes; None if the headers do not say."""

    @property
    def empty(self) -> bool:
        """Whether there is no body at all."""
        return self.length == 0


def announced(connection: HTTPConnection, settings: Settings) -> Announced:
    """What the headers say; raises ``Problem`` if the length is too large or not a number."""
    headers = connection.headers
    kind = headers.get("content-type", "")
    upload = kind.startswith("multipart/form-data") and _UPLOADS.match(connection.scope["path"])
    most = int(settings.upload_mb * 1e6 if upload else settings.json_kb * 1e3)
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit() or int(length[:20]) > most:
        raise too_large(most)
    chunked = "transfer-encoding" in headers
    return Announced(upload is not None and bool(upload), most, None if chunked else int(length))


def too_large(most: int) -> Problem:
    """The refusal of a larger body."""
    size = f"{most / 1e6:g} MB" if most >= 1e6 else f"{most / 1e3:g} kB"
    return Problem(413, "too_large", f"This is too large. The limit is {size}.")


class Body:
    """A request body while it arrives."""

    def __init__(
        self,
        announced: Announced,
        receive: Receive,
        settings: Settings,
        taken: Callable[[int, bool], Awaitable[None]],
        memory: Claim,
    ) -> None:
        """``taken`` is called after each piece, with its size and whether it was the last."""
        self._announced = announced
        self._receive = receive
        self._settings = settings
        self._taken = taken
        self._memory = memory
        self._size, self._waited_s, self._whole = 0, 0.0, False

    async def receive(self) -> Message:
        """The next piece; raises ``Problem`` if the body is too large or too slow."""
        if self._whole:  # only the news that the client left can follow
            return await self._receive()
        begun = monotonic()
        try:
            async with asyncio.timeout(self._time_left()):
                message = await self._receive()
        except TimeoutError:
            raise Problem(408, "too_slow", "The upload stalled. Please try again.") from None
        self._waited_s += monotonic() - begun
        piece = len(message.get("body", b""))
        self._size += piece
        self._whole = not message.get("more_body", False)
        if self._size > self._announced.most:
            raise too_large(self._announced.most)
        if self._announced.upload:
            self._memory.grow_to(self._size)
        await self._taken(piece, self._whole)
        return message

    def _time_left(self) -> float:
        """Seconds left for the next piece. Only time spent waiting for the client counts."""
        slowest = GRACE_S + self._size / (self._settings.body_kb_per_s * 1e3)
        return max(0.0, min(slowest, self._settings.body_s) - self._waited_s)
