"""Invitations: the way to a table, for the cameras of the players' phones."""

from ipaddress import ip_address
from typing import Annotated

import segno
from fastapi import APIRouter, Path, Request

from api.http.addresses import lan_addresses
from api.models.invitations import Invitation

router = APIRouter(tags=["tables"])

Code = Annotated[str, Path(pattern="^[A-Za-z]{6}$", examples=["KWHRBT"])]


@router.get("/v1/tables/{code}/invitation")
def invitation(code: Code, request: Request) -> Invitation:
    """Where to join a table, as an address and as a QR code."""
    host, reachable = _host(request)
    url = f"{request.url.scheme}://{host}/#/join/{code.upper()}"
    svg = segno.make(url, error="m").svg_inline(border=4, omitsize=True, light="#fff", dark="#000")
    return Invitation(url=url, svg=svg, reachable=reachable)


def _host(request: Request) -> tuple[str, bool]:
    """The host that phones can reach: the one asked for, unless that means each device itself."""
    name = request.url.hostname or "localhost"
    if not _is_own(name):
        return request.url.netloc, True
    addresses = lan_addresses()
    if not addresses:
        return request.url.netloc, False
    port = f":{request.url.port}" if request.url.port else ""
    return f"{addresses[0]}{port}", True


def _is_own(name: str) -> bool:
    """Whether a host's name leads every device to itself."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
