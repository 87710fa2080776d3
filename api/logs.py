"""Logs as JSON, a line an event. No token, no name and no code of a table is ever written."""

import json
import logging
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.callers import client_address
from api.refusals import REFUSED, Refusals

TOO_MUCH = frozenset({408, 429, 503})
"""Statuses of refusals that come by the thousand if somebody wants it so."""

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


class RequestLog:
    """ASGI middleware that logs each request by its route, status and time.

    Of the address only the route's pattern is logged: what stands in it may be a table's code.
    What was refused as too much is only counted (``api.refusals``).
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
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "trayscore": {"level": level.upper()},
            "uvicorn.error": {"level": "WARNING"},
        },
    }
