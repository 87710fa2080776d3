"""Logs as JSON, a line an event. No token, no name and no code of a table is ever written."""

import json
import logging
from datetime import UTC, datetime
from time import monotonic, perf_counter
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Seldom:
    """A log that says the same thing once in a while, however often it happens."""

    def __init__(self, log: logging.Logger, every_s: float = 30.0) -> None:
        self._log = log
        self._every_s = every_s
        self._said: dict[str, float] = {}

    def warning(self, text: str) -> None:
        """Log the text, unless it was logged a moment ago. There must be few different ones."""
        now = monotonic()
        if now - self._said.get(text, -self._every_s) >= self._every_s:
            self._said[text] = now
            self._log.warning("%s", text)


class RequestLog:
    """ASGI middleware that logs each request by its route, status and time.

    Of the address only the route's pattern is logged: what stands in it may be a table's code.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

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
