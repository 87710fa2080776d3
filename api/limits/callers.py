"""Who calls: the address a request comes from, and the token it carries."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import HTTPConnection

MOST_TOKENS = 20_000


@dataclass(frozen=True)
class Caller:
    """An address, and the digest of a token that a table has accepted before, if any."""

    address: str
    token: str | None = None


def bearer(connection: HTTPConnection) -> str | None:
    """The token in ``Authorization: Bearer``, known or not."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def client_address(connection: HTTPConnection) -> str:
    """Where a request comes from, as limits count it (see ``network_of``)."""
    return network_of(connection.client.host if connection.client else "")


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """An address as limits count it; IPv6 by network (/64), because clients choose the rest."""
    try:
        address = plain(ip_address(host.partition("%")[0]))
    except ValueError:
        return host
    return address.exploded[:19] if isinstance(address, IPv6Address) else str(address)


def plain(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The address, as IPv4 if it is one written as IPv6."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def digest(token: str) -> str:
    """A token's digest: tokens themselves are never stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class KnownTokens:
    """Tokens that a table has accepted. Others may be invented, by the thousand."""

    def __init__(self, most: int = MOST_TOKENS) -> None:
        self._most = most
        self._known: OrderedDict[str, None] = OrderedDict()

    def add(self, token: str) -> None:
        """Note that a table has accepted the token of this digest."""
        self._known[token] = None
        self._known.move_to_end(token)
        if len(self._known) > self._most:
            self._known.popitem(last=False)

    def known(self, token: str | None) -> str | None:
        """The same digest if it is known; None otherwise."""
        return token if token in self._known else None
