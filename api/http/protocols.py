"""uvicorn's protocols with time limits, so that no connection is held for nothing.

uvicorn waits for the head of a request, for the rest of a body that nobody wants, and for somebody
to fetch an answer, each for as long as the other side likes.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from api.limits.callers import network_of
from api.limits.refusals import Refusals
from api.problems import MEDIA_TYPE, Problem

LONGEST_HEAD = 16_384
"""Bytes after which the head of a request is given up if it has not come to its end."""
_MOST_UNWANTED = 131_072
"""Bytes that are still taken after the answer: a client that sends on may not see it otherwise."""
_LINGER_S = 1.0
"""How long an answer to what was no HTTP has to arrive."""
_AT_ONCE = 65_536
"""Bytes that are taken from a connection at a time: what is made of them keeps others waiting."""


@dataclass(frozen=True)
class Times:
    """How long a connection waits: for the head of a request, for its answer to be fetched."""

    head_s: float
    stalled_s: float


class Timer:
    """Calls something after a while, unless it is stopped."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then
        self._handle: asyncio.TimerHandle | None = None

    def runs(self) -> bool:
        """Whether it was started and neither stopped nor rang."""
        return self._handle is not None

    def start(self, seconds: float) -> None:
        """Start it, if it does not run."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(seconds, self._ring)

    def stop(self) -> None:
        """Stop it."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _ring(self) -> None:
        self._handle = None
        self._then()


class _Guest:
    """A connection that the door has let in, and that tells the door when it goes."""

    when_gone: Callable[[], None] | None = None

    def gone(self) -> None:
        """Tell the door, once."""
        tell, self.when_gone = self.when_gone, None
        if tell is not None:
            tell()


class GuardedHttp(_Guest, H11Protocol):
    """HTTP/1.1 with time limits."""

    def __init__(
        self,
        times: Times,
        refusals: Refusals,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._times = times
        self._refusals = refusals
        self._head = Timer(self._too_slow)
        self._stalled = Timer(self._abandon)
        self._unwanted = 0
        self._begun = False
        self._goodbye = Timer(self._abandon)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there; the head of a request has to come soon."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):  # of asyncio's own transports
            transport.max_size = _AT_ONCE
        self._head.start(self._times.head_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        for timer in (self._head, self._stalled, self._goodbye):
            timer.stop()
        super().connection_lost(exc)
        self.gone()

    def data_received(self, data: bytes) -> None:
        """Take what came, unless nobody wants it."""
        self._begun = True
        refused = self._goodbye.runs()
        if refused or (self._answered and self.conn.their_state is h11.SEND_BODY):
            self._unwanted += len(data)
            if self._unwanted > _MOST_UNWANTED:
                self.transport.pause_reading()  # until the time for it is over
            if refused or self._unwanted > _MOST_UNWANTED:
                return
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it is a WebSocket now
            return
        if self._answered or self._request is None:
            self._head.start(self._times.head_s)
        else:
            self._head.stop()
            self._unwanted = 0

    @property
    def _request(self) -> RequestResponseCycle | None:
        """The last request; None before the first, though uvicorn's types know nothing of it."""
        return self.cycle

    @property
    def _answered(self) -> bool:
        return self._request is not None and self._request.response_complete

    def on_response_complete(self) -> None:
        """An answer is out. Until the next request begins, uvicorn's own time limit holds."""
        self._begun = False
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over, and who is to be told when it goes."""
        self._head.stop()
        super().handle_websocket_upgrade(event)
        heir = self.transport.get_protocol()
        if isinstance(heir, GuardedWebSocket):
            heir.inherit(self._times, self.when_gone)
            self.when_gone = None

    def pause_writing(self) -> None:
        """Nobody fetches the answer as fast as it is made."""
        super().pause_writing()
        self._stalled.start(self._times.stalled_s)

    def resume_writing(self) -> None:
        """They do again."""
        super().resume_writing()
        self._stalled.stop()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, with a problem as all that is refused."""
        self._refused("no_http")
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # an answer is on its way
            self.transport.abort()
            return
        if self._request is not None:
            self._request.disconnected = True  # whoever answers need not go on
        status = getattr(sys.exc_info()[1], "error_status_hint", 400)
        problem = (
            Problem(431, "headers_too_large", "The headers of this request are too large.")
            if status == 431
            else Problem(400, "no_http", msg)
        )
        body = json.dumps(problem.to_json()).encode()  # no header was understood: in English
        headers = {
            "Content-Type": MEDIA_TYPE,
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        start = h11.Response(status_code=problem.status, headers=list(headers.items()))
        for part in (start, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(part) or b"")
        # To close at once, with bytes unread, would have the system throw the answer away.
        self._goodbye.start(_LINGER_S)

    def _too_slow(self) -> None:
        if self._begun:
            self._refused("slow_head")
        self._abandon()

    def _abandon(self) -> None:
        self.transport.abort()

    def _refused(self, code: str) -> None:
        self._refusals.add(network_of(self.client[0] if self.client else ""), code)


class GuardedWebSocket(_Guest, WebSocketsSansIOProtocol):
    """A WebSocket whose messages have to be fetched."""

    _times = Times(head_s=10.0, stalled_s=30.0)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection is a WebSocket from now on."""
        super().connection_made(transport)
        self._stalled = Timer(self.transport.abort)

    def inherit(self, times: Times, when_gone: Callable[[], None] | None) -> None:
        """Take over what was known of the connection before."""
        self._times = times
        self.when_gone = when_gone

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        self._stalled.stop()
        super().connection_lost(exc)
        self.gone()

    def pause_writing(self) -> None:
        """Nobody fetches the messages."""
        super().pause_writing()
        self._stalled.start(self._times.stalled_s)

    def resume_writing(self) -> None:
        """They do again."""
        super().resume_writing()
        self._stalled.stop()
