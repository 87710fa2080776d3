"""Forwarded addresses: whom a proxy asks for, believed only if the proxy is a named one."""

import re
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from api.limits.callers import plain
from api.settings import Settings

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_MOST_HOPS = 16
_FOR = re.compile(r'(?:\A|;)\s*for\s*=\s*("[^"]*"|[^\s;,"]*)\s*(?=;|\Z)', re.IGNORECASE)


class Proxies:
    """ASGI middleware: where a named proxy asks for somebody, that somebody is the client."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._proxies = settings.proxies
        self._header = settings.proxy_header

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with the address of who really asks."""
        if self._proxies and scope["type"] in ("http", "websocket") and scope.get("client"):
            peer = scope["client"][0]
            client = self.client(peer, HTTPConnection(scope).headers.getlist(self._header))
            if client != peer:
                scope = {**scope, "client": (client, 0)}
        await self._app(scope, receive, send)

    def client(self, peer: str, said: Sequence[str]) -> str:
        """Who asks, if ``peer`` is connected and the header says this.

        Each proxy adds at the end where its request came from. So the chain is followed from its
        end, as long as those who speak are named proxies: what stands before may be invented.
        """
        at = parsed(peer)
        if at is None or not is_named(at, self._proxies):
            return peer
        hops = by_forwarded(said) if self._header == "Forwarded" else by_list(said)
        for _, hop in zip(range(_MOST_HOPS), hops, strict=False):
            before = parsed(hop)
            if before is None:  # nonsense, or hidden: who spoke last is all we know
                break
            at = before
            if not is_named(at, self._proxies):
                break
        return str(at)


def is_named(address: Address, networks: Sequence[Network]) -> bool:
    """Whether an address is in one of these networks."""
    return any(address in network for network in networks)


def by_list(said: Sequence[str]) -> Iterator[str]:
    """The hops of ``X-Forwarded-For``, the last one first."""
    return reversed(",".join(said).split(","))


def by_forwarded(said: Sequence[str]) -> Iterator[str]:
    """The hops of ``Forwarded`` (RFC 7239), the last one first; empty where one says nothing."""
    for hop in reversed(",".join(said).split(",")):
        found = _FOR.findall(hop.strip())
        yield found[0].strip('"') if len(found) == 1 else ""


def parsed(hop: str) -> Address | None:
    """The address in a hop, with or without a port; None if there is none."""
    text = hop.strip()
    if text.startswith("["):
        text, closed, port = text[1:].partition("]")
        if not closed or not re.fullmatch(r"(:\d{1,5})?", port, re.ASCII):
            return None
    elif text.count(":") == 1:
        text, _, port = text.partition(":")
        if not re.fullmatch(r"\d{1,5}", port, re.ASCII):
            return None
    try:
        return plain(ip_address(text.partition("%")[0]))
    except ValueError:
        return None
