"""The door: connections are accepted here, no more than there is room for.

asyncio's own server accepts whatever comes until the process has no file left to open, and then
fills the log. Here an address has its share of the connections, and all of them together stay below
the limit of open files, so that the database, the photos and the workers keep theirs. A TLS
handshake that has not ended counts like any other connection.
"""

import asyncio
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from api.http.protocols import GuardedHttp
from api.http.proxies import Network, is_named
from api.limits.buckets import TokenBuckets
from api.limits.callers import network_of, plain
from api.limits.refusals import Refusals
from api.settings import Settings

RESERVED_FILES = 200
"""Files that are kept for everything else: database, photos, workers."""
MOST_FILES = 65_536
"""More is never asked for."""
_NEW_PER_MINUTE = 6_000.0
"""Connections a minute of one address, which may all come at once."""
_REST_S = 1.0
"""After an error, the door stays closed for so long."""
_BACKLOG = 512
_SILENT_MS = 60_000
"""What was sent and not taken for so long ends a connection."""

_log = logging.getLogger("trayscore.door")


def open_files() -> int:
    """How many files this process may have open, after asking for as many as it can get."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = MOST_FILES
    wanted = max(soft, min(hard, MOST_FILES))
    if wanted > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return soft
    return wanted


@dataclass(frozen=True)
class Room:
    """How many connections there may be at a time."""

    in_all: int
    per_address: int
    proxies: Sequence[Network] = ()
    """Who may have them all."""

    @classmethod
    def of(cls, settings: Settings, files: int) -> "Room":
        """As it is set, but fewer if fewer files may be open."""
        in_all = min(settings.connections, max(files - RESERVED_FILES, files // 2))
        return cls(in_all, min(settings.connections_per_address, in_all), settings.proxies)


class Door:
    """Accepts connections at a socket that listens."""

    def __init__(
        self,
        listener: socket.socket,
        room: Room,
        protocol: Callable[[], GuardedHttp],
        refusals: Refusals,
        secure: tuple[ssl.SSLContext, float] | None = None,
    ) -> None:
        """``secure``: the context of TLS, and the seconds that a handshake may take."""
        self._listener = listener
        self._room = room
        self._protocol = protocol
        self._refusals = refusals
        self._secure = secure
        self._inside: Counter[str] = Counter()
        self._new = TokenBuckets(_NEW_PER_MINUTE, burst=_NEW_PER_MINUTE)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def inside(self) -> int:
        """How many connections there are."""
        return self._inside.total()

    def open(self) -> None:
        """Let people in from now on."""
        self._listener.setblocking(False)
        self._listener.listen(_BACKLOG)
        self._keep(self._accept())

    def close(self) -> None:
        """Let nobody in any more; who is inside may stay."""
        for task in self._tasks:
            task.cancel()
        self._listener.close()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(self._listener)
            except OSError as error:  # no file left, or somebody who has gone already
                _log.warning("cannot accept a connection: %s", error.strerror)
                await asyncio.sleep(_REST_S)
                continue
            address = network_of(str(peer[0]))
            reason = self._reason_against(address, str(peer[0]))
            if reason is None:
                self._inside[address] += 1
                self._keep(self._let_in(connection, address))
            else:
                self._refusals.add(address, reason)
                connection.close()
            await asyncio.sleep(0)  # whoever is inside comes before the next one

    def _reason_against(self, address: str, peer: str) -> str | None:
        """Why somebody is not let in; None if they are."""
        if self.inside >= self._room.in_all:
            return "no_connection_left"
        if self._room.proxies and is_named(plain(ip_address(peer)), self._room.proxies):
            return None
        if self._inside[address] >= self._room.per_address:
            return "too_many_connections"
        return "too_many_new_connections" if self._new.wait(address) else None

    async def _let_in(self, connection: socket.socket, address: str) -> None:
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that left the network says no goodbye
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENT_MS)
        guest = self._protocol()
        guest.when_gone = lambda: self._gone(address)
        context, handshake_s = self._secure or (None, None)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: guest, connection, ssl=context, ssl_handshake_timeout=handshake_s
            )
        except (OSError, asyncio.CancelledError):  # no handshake: it was never there
            guest.gone()
            connection.close()

    def _gone(self, address: str) -> None:
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]

    def _keep(self, doing: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
