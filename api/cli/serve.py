"""``trayscore serve``: the service, on this computer and in its network."""

import argparse
import asyncio
import signal
import socket
import sys
from ipaddress import ip_address
from pathlib import Path

import segno
import uvicorn
from pydantic import ValidationError

from api.cli.commands import Action
from api.http.addresses import host_names, lan_addresses, listen
from api.http.app import create_app
from api.http.certificates import LocalCertificate, authority_file, fingerprint, local_certificate
from api.http.door import Door, Room, open_files
from api.http.logs import log_config
from api.http.protocols import LONGEST_HEAD, GuardedHttp, GuardedWebSocket, Times
from api.limits.refusals import Refusals
from api.settings import Settings
from api.storage.database import DatabaseError
from api.storage.store import Store

GRACE_S = 8
"""How long running answers may still take once the service is told to stop."""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to listen on (default 0.0.0.0: the whole network)")
    parser.add_argument("--port", type=int, help="port to listen on (default 8000)")
    parser.add_argument(
        "--https",
        action="store_true",
        default=None,
        help="serve over HTTPS with a certificate made here: browsers want it for the live camera",
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", dest="data_dir", help="where everything is kept"
    )


def _serve(args: argparse.Namespace) -> int:
    """Run the service until it is told to stop; 1, with the reason, if it cannot run."""
    names = ("host", "port", "https", "data_dir")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    try:
        settings = Settings(**given)
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except ValidationError as error:
        return _refuse("; ".join(f"{e['loc'][0]}: {e['msg']}" for e in error.errors()))
    except OSError as error:
        return _refuse(f"{error.filename} cannot be used for data: {error.strerror}")
    try:
        store = Store(settings.data_dir, settings.database_url)
        store.refuse()
        store.close()
    except DatabaseError as error:
        return _refuse(error.text)
    try:
        listener = listen(settings.host, settings.port)
    except OSError as error:
        return _refuse(f"cannot serve at {settings.host}:{settings.port}: {error.strerror}")
    server = _Server(settings, listener)
    for wish in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wish, lambda *_: None)  # uvicorn ends gracefully, then repeats the signal
    asyncio.run(server.serve([]))  # uvicorn listens nowhere itself: see ``api.http.door``
    return 0 if server.started else 1


class _Server(uvicorn.Server):
    """uvicorn, which says where to find it once it is there."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        self._settings = settings
        self._listener = listener
        self._port = int(listener.getsockname()[1])
        secure = _certificate(settings) if settings.https else None
        self._app = create_app(settings)
        super().__init__(
            uvicorn.Config(
                self._app,
                log_config=log_config(settings.log_level),
                access_log=False,  # requests are logged by their routes, see api.http.logs
                proxy_headers=False,  # see ``api.http.proxies``
                server_header=False,
                http="h11",
                ws=GuardedWebSocket,
                ws_per_message_deflate=False,  # pictures are as small as they get
                h11_max_incomplete_event_size=LONGEST_HEAD,
                ws_max_size=int(settings.frame_kb * 1e3) + 1000,
                timeout_graceful_shutdown=GRACE_S,
                ssl_certfile=secure.certificate if secure else None,
                ssl_keyfile=secure.key if secure else None,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams of events first: they would never end by themselves."""
        self._door.close()
        self._app.state.tables.feed.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell people so."""
        await super().startup(sockets)
        if self.started:
            self._door = self._build_door()
            self._door.open()
            print(announcement(self._settings, self._port), flush=True)

    def _build_door(self) -> Door:
        refusals: Refusals = self._app.state.refusals
        times = Times(self._settings.head_s, self._settings.stalled_s)
        secure = None if self.config.ssl is None else (self.config.ssl, times.head_s)
        room = Room.of(self._settings, open_files())

        def protocol() -> GuardedHttp:
            state = self.lifespan.state
            return GuardedHttp(times, refusals, self.config, self.server_state, state)

        return Door(self._listener, room, protocol, refusals, secure)


def announcement(settings: Settings, port: int) -> str:
    """Where the service is: addresses for people, and a code for the cameras of phones."""
    scheme = "https" if settings.https else "http"
    here = f"{scheme}://localhost:{port}/"
    lines = ["", "Trayscore is ready.", "", f"  On this computer       {here}"]
    lan = [f"{scheme}://{address}:{port}/" for address in _reachable(settings.host)]
    lines += [f"  On phones and tablets  {address}" for address in lan]
    if lan:
        lines += ["", _code(lan[0])]
    if settings.https:
        lines += [
            f"  The first time, each device has to trust it: open {(lan or [here])[0]}trust",
            "  Its certificate's fingerprint, to be compared there:",
            f"  {fingerprint(authority_file(settings.certificates))}",
        ]
    elif lan:
        lines += ["  For the live camera on phones and tablets: trayscore serve --https"]
    lines += [
        f"  Try it at once: open {here} and choose a sample photo.",
        f"  Tables and photos are kept in {settings.data_dir}. Ctrl-C stops.",
        "",
    ]
    return "\n".join(lines)


def _reachable(host: str) -> list[str]:
    """The addresses in the network under which a service that listens there is reached."""
    try:
        listening = ip_address(host)
    except ValueError:
        return []
    if listening.is_unspecified:
        return lan_addresses()
    return [] if listening.is_loopback else [host]


def _code(address: str) -> str:
    """A QR code drawn with half blocks, dark on light whatever the terminal's colours."""
    rows = [list(row) for row in segno.make(address, error="l").matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] if len(rows) % 2 else []
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    lines = ["".join(blocks[cells] for cells in zip(*pair, strict=True)) for pair in pairs]
    return "\n".join(f"  \x1b[97;40m{line}\x1b[0m" for line in lines)


def _certificate(settings: Settings) -> LocalCertificate:
    return local_certificate(settings.certificates, _reachable(settings.host), host_names())


def _refuse(text: str) -> int:
    print(f"trayscore: {text}", file=sys.stderr)
    return 1


SERVE = Action(
    _add_options,
    _serve,
    "Run the service and its page. Everything else is set by environment variables, TRAYSCORE_PORT "
    "and so on: see docs/operating.md.",
)
