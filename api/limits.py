"""How much a client may ask: requests a minute, requests at a time, and the size of bodies."""

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Problem
from api.settings import Settings
from api.turns import Turns

BURST_S = 30.0
"""Requests of so many seconds may come at once."""
MOST_BUCKETS = 20_000
BODY_S = 60.0
"""A body that stops coming for so long is given up."""

_UPLOADS = re.compile(r"/v1/(readings|overlays|trays|tables/.+/(trays/[^/]+|tray|photos))/?\Z")
_FREE = {"/v1/health"}


class TokenBuckets:
    """Who has asked how much lately: a bucket a key, filled at a steady rate."""

    def __init__(
        self, per_minute: float, burst: float, now: Callable[[], float] = monotonic
    ) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, burst)
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """0 if a request may be answered, which is then counted; else the seconds until one may."""
        now = self._now()
        left, since = self._buckets.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate


class Limits:
    """ASGI middleware that refuses what is too much."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._callers = _buckets(settings.rate_per_minute)
        self._addresses = _buckets(settings.address_rate_per_minute)
        self._busy = 0
        self._turns = Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse with a problem."""
        if scope["type"] not in ("http", "websocket") or scope["path"] in _FREE:
            return await self._app(scope, receive, send)
        try:
            self._check(scope)
        except Problem as problem:
            return await problem.response()(scope, receive, send)
        if scope["type"] == "websocket":  # live cameras are counted where they are served
            return await self._app(scope, receive, send)
        self._busy += 1
        try:
            await self._turns.take()
            await self._app(scope, _limited(scope, receive, self._settings, self._turns), send)
        finally:
            self._busy -= 1
        return None

    def _check(self, scope: Scope) -> None:
        connection = HTTPConnection(scope)
        token = bearer(connection)
        address = client_address(connection)
        wait = self._addresses.wait(address)
        wait = wait or self._callers.wait(address if token is None else _digest(token))
        if wait:
            later = str(ceil(wait))
            text = f"Too many requests: please try again in {later} s."
            raise Problem(429, "too_many_requests", text, headers={"Retry-After": later})
        if self._busy >= self._settings.requests:
            text = "Too many requests at a time: please try again in a moment."
            raise Problem(503, "busy", text, headers={"Retry-After": "1"})
        length = connection.headers.get("content-length", "0")
        most = _most(scope, self._settings)
        if not length.isascii() or not length.isdigit() or int(length[:20]) > most:
            raise _too_large(most)


def bearer(connection: HTTPConnection) -> str | None:
    """The token in ``Authorization: Bearer``, known or not."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def client_address(connection: HTTPConnection) -> str:
    """Where a request comes from; of IPv6 only the network, as clients choose the rest."""
    host = connection.client.host if connection.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(address) if not isinstance(address, IPv6Address) else address.exploded[:19]


def _buckets(per_minute: float) -> TokenBuckets:
    return TokenBuckets(per_minute, per_minute * BURST_S / 60)


def _digest(token: str) -> str:
    """A token's stand-in: tokens themselves are kept nowhere."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _most(scope: Scope, settings: Settings) -> int:
    """The most bytes that a request's body may have."""
    kind = HTTPConnection(scope).headers.get("content-type", "")
    upload = kind.startswith("multipart/form-data") and _UPLOADS.match(scope["path"])
    return int(settings.upload_mb * 1e6 if upload else settings.json_kb * 1e3)


def _too_large(most: int) -> Problem:
    size = f"{most / 1e6:g} MB" if most >= 1e6 else f"{most / 1e3:g} kB"
    return Problem(413, "too_large", f"This is too large: up to {size} are taken.")


def _limited(scope: Scope, receive: Receive, settings: Settings, turns: Turns) -> Receive:
    """``receive`` that raises ``Problem`` when a body grows too large or stops coming.

    Each piece of a body is handed on in its turn, for what is then done with it takes time.
    """
    most, taken, whole = _most(scope, settings), 0, False

    async def limited() -> Message:
        nonlocal taken, whole
        if whole:  # what comes now is only that the client has gone
            return await receive()
        try:
            async with asyncio.timeout(BODY_S):
                message = await receive()
        except TimeoutError:
            raise Problem(408, "too_slow", "The request did not come to its end.") from None
        taken += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if taken > most:
            raise _too_large(most)
        await turns.take()
        return message

    return limited
