"""Logs as JSON, a line an event. No token, no name and no code of a table is ever written."""

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic, perf_counter
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.limits.callers import client_address
from api.limits.refusals import MINUTE_S, REFUSALS, REFUSED, Refusals

TOO_MUCH = frozenset({408, 429, 503})
"""Statuses of refusals that come by the thousand if somebody wants it so."""

_MOST_KINDS = 1000
_log = logging.getLogger("trayscore.requests")


class JsonLines(logging.Formatter):
    """A record as one JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "text": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


class Sparing(logging.Filter):
    """Lets only so many lines of a kind through a minute, and says how many it left out.

    Whoever can make one warning appear can make a million.
    """

    def __init__(self, most: int = 20, now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._most = most
        self._now = now
        self._kinds: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        if record.levelno < logging.WARNING or record.name == REFUSALS:  # these are few already
            return True
        kind = record.pathname, record.lineno  # by the text, bad input could make ever new ones
        if kind not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            self._kinds.clear()
        since, count = self._kinds.get(kind, (self._now(), 0))
        if self._now() - since >= MINUTE_S:
            if count > self._most:
                left_out = {"left_out": count - self._most}
                record.__dict__["facts"] = {**record.__dict__.get("facts", {}), **left_out}
            since, count = self._now(), 0
        self._kinds[kind] = since, count + 1
        return count < self._most


class RequestLog:
    """ASGI middleware that logs each request by its route, status and time.

    Of the address only the route's pattern is logged: what stands in it may be a table's code.
    What was refused as too much is only counted (``api.limits.refusals``).
    """

    def __init__(self, app: ASGIApp, refusals: Refusals) -> None:
        self._app = app
        self._refusals = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, then log."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        begun, status = perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            code = scope.get(REFUSED) or (str(status) if status in TOO_MUCH else None)
            if code is not None:
                self._refusals.add(client_address(HTTPConnection(scope)), code)
            else:
                facts = {
                    "method": scope["method"],
                    "route": getattr(scope.get("route"), "path", "-"),
                    "status": status,
                    "ms": round((perf_counter() - begun) * 1000, 1),
                }
                _log.info("request", extra={"facts": facts})
        return None


def log_config(level: str) -> dict[str, Any]:
    """The configuration of ``logging``: JSON lines to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "filters": {"sparing": {"()": Sparing}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "filters": ["sparing"],
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "trayscore": {"level": level.upper()},
            "uvicorn.error": {"level": "WARNING"},
        },
    }
