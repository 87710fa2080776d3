"""Limits per client: requests per minute, requests at once, and the size of bodies."""

import asyncio
import re
from dataclasses import dataclass
from math import ceil

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.bodies import Body, announced
from api.limits.buckets import Pace, TokenBuckets
from api.limits.callers import Caller, KnownTokens, bearer, client_address, digest
from api.limits.fairness import asking_address
from api.limits.quotas import Quotas
from api.limits.refusals import Refusals
from api.limits.turns import Desks, Place, Turns
from api.problems import Problem
from api.settings import Settings

AT_WORK = 2
"""Requests per address that are worked on at once: half of the threads (``api.http.app``)."""
_BURST_S = 2.0
"""Seconds' worth of an upload that are taken as fast as they arrive."""

HEALTH = "/v1/health"
_STREAM = re.compile(r"/v1/tables/[^/]+/events/?\Z")
_WAITING = re.compile(r"/v1/solutions/?\Z")
"""Calls that mostly wait for a worker, so they occupy no thread."""


class Limits:
    """ASGI middleware that refuses what is too much."""

    def __init__(
        self, app: ASGIApp, settings: Settings, quotas: Quotas, refusals: Refusals
    ) -> None:
        self._app = app
        self._settings = settings
        self._quotas = quotas
        self._refusals = refusals
        self._tokens = KnownTokens()
        self._rate = TokenBuckets(settings.rate_per_minute)
        self._turns = Turns()
        self._desks = Desks(AT_WORK)
        self._pace = Pace(settings.upload_mb_per_s * 1e6, _BURST_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse with a problem."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        connection = HTTPConnection(scope)
        address, token = client_address(connection), bearer(connection)
        asked = _Asked(address, None if token is None else digest(token))
        asking_address.set(address)
        if scope["path"] == HEALTH:
            return await self._app(scope, receive, send)
        try:
            check_rate(self._rate, asked.token or address)
            if scope["type"] == "websocket":  # live cameras are counted where they are served
                return await self._app(scope, receive, send)
            return await self._answer(scope, receive, send, asked)
        except Problem as problem:
            return await self._refusals.refuse(problem, scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, asked: "_Asked") -> None:
        """Answer within the caller's share of requests, memory, turns and threads."""
        body = announced(HTTPConnection(scope), self._settings)
        caller = Caller(asked.address, self._tokens.known(asked.token))
        stream = scope["method"] == "GET" and _STREAM.match(scope["path"]) is not None
        quota = self._quotas.streams if stream else self._quotas.requests
        works = not (body.upload or _WAITING.match(scope["path"]))
        place = Place(self._desks, asked.address)

        async def came(size: int, last: bool) -> None:
            if body.upload:
                await asyncio.sleep(self._pace.delay(asked.address, size))
            await self._turns.take(asked.address)
            if last and works:
                await place.take()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                place.leave()  # the work is done; a slow download holds no thread
                self._learn(scope["path"], asked.token, message["status"])
            await send(message)

        claimed = (body.length or 0) if body.upload else 0
        with quota.claim(caller), self._quotas.memory.claim(caller, claimed) as memory:
            try:
                await self._turns.take(asked.address)
                if body.empty and works:
                    await place.take()
                coming = Body(body, receive, self._settings, came, memory)
                await self._app(scope, coming.receive, sending)
            finally:
                place.leave()

    def _learn(self, path: str, token: str | None, status: int) -> None:
        if token is not None and status < 400 and path.startswith("/v1/tables/"):
            self._tokens.add(token)


class AddressRates:
    """Request rate per address, for all calls together; health checks are counted apart."""

    def __init__(self, settings: Settings) -> None:
        self._all = TokenBuckets(settings.address_rate_per_minute)
        self._health = TokenBuckets(settings.address_rate_per_minute)

    def check(self, connection: HTTPConnection) -> None:
        """Count a request; raises ``Problem`` if it is one too many."""
        rate = self._health if connection.scope["path"] == HEALTH else self._all
        check_rate(rate, client_address(connection))


def check_rate(rate: TokenBuckets, key: str) -> None:
    """Count a request; raises ``Problem`` if it is one too many."""
    if wait := rate.wait(key):
        later = str(ceil(wait))
        text = f"Too many requests. Please try again in {later} s."
        raise Problem(429, "too_many_requests", text, headers={"Retry-After": later})


@dataclass(frozen=True)
class _Asked:
    """Who asks: an address, and the digest of a token that nobody has checked yet."""

    address: str
    token: str | None
