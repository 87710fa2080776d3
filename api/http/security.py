"""Which hosts and origins are accepted, and the security headers of every answer."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.limits import AddressRates
from api.limits.refusals import Refusals
from api.problems import Problem
from api.settings import Settings

CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}

LONGEST_HOST = 255 + len(":65535")
LONGEST_TARGET = 8_000
MOST_HEADERS, LONGEST_HEADERS = 100, 16_000

_LOCAL_NAME = re.compile(r"[a-z0-9-]+(\.(local|lan|home|internal|home\.arpa))?", re.IGNORECASE)


class Security:
    """ASGI middleware: refuses foreign pages and hosts, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, settings: Settings, refusals: Refusals) -> None:
        self._app = app
        self._refusals = refusals
        self._rates = AddressRates(settings)
        self._origins = frozenset(settings.origins)
        self._hosts = frozenset(urlsplit(origin).hostname for origin in settings.origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse with a problem."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        send = _with_headers(send)
        connection = HTTPConnection(scope)
        try:
            self._rates.check(connection)
            check_head(connection)
            self._check_origin(connection)
        except Problem as problem:
            return await self._refusals.refuse(problem, scope, receive, send)
        return await self._app(scope, receive, send)

    def _check_origin(self, connection: HTTPConnection) -> None:
        host = _host_name(connection.headers.get("host", ""))
        if host not in self._hosts and not is_local(host):
            text = "This service does not answer to this hostname. List it in TRAYSCORE_ORIGINS."
            raise Problem(421, "unknown_host", text)
        origin = connection.headers.get("origin")
        if origin is None or origin in self._origins:
            return
        own = connection.headers.get("host", "").lower()
        if urlsplit_or_none(origin) != own:
            text = "Pages from this origin may not call the service."
            raise Problem(403, "foreign_origin", text)


def check_head(connection: HTTPConnection) -> None:
    """Raise ``Problem`` if a request's headers or address are longer than sensible ones."""
    raw = connection.scope["headers"]
    hosts = [value for name, value in raw if name == b"host"]
    if len(hosts) > 1 or any(len(host) > LONGEST_HOST for host in hosts):
        raise Problem(400, "bad_host", "The Host header is not a hostname.")
    path = connection.scope.get("raw_path") or b""
    if len(path) + len(connection.scope["query_string"]) > LONGEST_TARGET:
        raise Problem(414, "too_long", "This address is too long.")
    if len(raw) > MOST_HEADERS or sum(len(n) + len(v) for n, v in raw) > LONGEST_HEADERS:
        raise Problem(431, "headers_too_large", "The headers of this request are too large.")


def is_local(host: str) -> bool:
    """Whether a name is an address or a name of the local network.

    A page on the internet can have its own name resolve to an address of the local network and
    then pass for ours; it cannot do so with these.
    """
    try:
        ip_address(host)
    except ValueError:
        return _LOCAL_NAME.fullmatch(host) is not None
    return True


def urlsplit_or_none(origin: str) -> str | None:
    """Host and port of an origin, None if it has none (``null``) or is nonsense."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() or None if parts.scheme in ("http", "https") else None


def _host_name(host: str) -> str:
    """A host header without its port."""
    name = urlsplit_or_none(f"http://{host}") or ""
    return re.sub(r":\d*\Z", "", name).strip("[]")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def allow_origins(app: FastAPI, settings: Settings) -> None:
    """Let pages of the configured origins call, and read the answers."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=settings.origins,
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=[
            *("Authorization", "Content-Type"),
            *("Idempotency-Key", "If-Match", "Last-Event-ID"),
        ],
        expose_headers=["ETag", "Retry-After"],
        max_age=600,
    )
