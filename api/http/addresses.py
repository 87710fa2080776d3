"""Where the service can be reached: this computer's names and addresses in its network."""

import socket
from contextlib import suppress
from ipaddress import ip_address

_ANYWHERE = ("192.0.2.1", 9)
"""An address for documentation: asking for the way there sends nothing."""


def lan_addresses() -> list[str]:
    """This computer's IPv4 addresses in its networks, the one of the default route first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(_ANYWHERE)
        found.append(str(way.getsockname()[0]))
    with suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(entry[4][0]) for entry in named]
    return [address for address in dict.fromkeys(found) if not ip_address(address).is_loopback]


def host_names() -> list[str]:
    """The names by which this computer is called in its network."""
    name = socket.gethostname().partition(".")[0].lower()
    return ["localhost", name, f"{name}.local"] if name != "localhost" else ["localhost"]


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises ``OSError`` if it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By its full name: asyncio answers without delay (TCP_NODELAY) only where it sees the protocol.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener
