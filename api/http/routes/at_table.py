"""What the routes of tables ask for, as typed dependencies, and how they answer.

The dependencies are asynchronous though they wait for nothing: others would be called in a thread
each.
"""

import re
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request, Response
from starlette.requests import HTTPConnection

from api.limits.callers import bearer, client_address
from api.problems import Problem
from api.tables.drawings import Drawings
from api.tables.photographed import Camera
from api.tables.play import TrayPlace
from api.tables.service import Answered, Asking, TableService

_KEY = re.compile(r"[\x21-\x7e][\x20-\x7e]{0,199}\Z")
_VERSION = re.compile(r'(?:W/)?"([0-9]{1,9})"\Z')

TableId = Annotated[str, Path(max_length=64, description="the table's id")]
TableCode = Annotated[str, Path(max_length=64, description="the table's code", examples=["KWHRBT"])]
RoundNumber = Annotated[int, Path(ge=1, le=99, description="counts from 1")]
PlayerPath = Annotated[str, Path(max_length=80, description="the player's name")]
DisputeNumber = Annotated[int, Path(ge=1, le=9999, description="counts from 1")]

Digest = Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="SHA-256 of the photo")]


async def _place(table: TableId, number: RoundNumber, player: PlayerPath) -> TrayPlace:
    return TrayPlace(table, number, player)


Place = Annotated[TrayPlace, Depends(_place)]


async def _tables(connection: HTTPConnection) -> TableService:
    tables: TableService = connection.app.state.tables
    return tables


Tables = Annotated[TableService, Depends(_tables)]


async def _token(connection: HTTPConnection) -> str | None:
    return bearer(connection)


Token = Annotated[str | None, Depends(_token)]
"""The caller's token; whether it is of this table is found out there."""


async def _address(connection: HTTPConnection) -> str:
    return client_address(connection)


Address = Annotated[str, Depends(_address)]
"""Where the caller is."""


async def _asking(
    request: Request,
    idempotency_key: Annotated[
        str | None,
        Header(description="the same key and request: the same answer again, done once"),
    ] = None,
    if_match: Annotated[
        str | None,
        Header(description="the table's version (ETag) that this is meant for; else 412"),
    ] = None,
) -> Asking:
    if idempotency_key is not None and _KEY.match(idempotency_key) is None:
        text = "An Idempotency-Key is 1 to 200 visible characters."
        raise Problem(422, "bad_idempotency_key", text)
    version = None
    if if_match is not None and if_match.strip() != "*":
        match = _VERSION.match(if_match.strip())
        if match is None:
            raise Problem(422, "bad_version", 'If-Match is a version in quotes, like "12".')
        version = int(match[1])
    asking = Asking(bearer(request), idempotency_key, "", version, client_address(request))
    return asking.about(request.method, request.url.path)


Asks = Annotated[Asking, Depends(_asking)]


async def _camera(connection: HTTPConnection) -> Camera:
    now = connection.app.state
    return Camera(now.tables, now.readers, now.trays, now.settings.disk_limit_mb * 1_000_000)


TableCamera = Annotated[Camera, Depends(_camera)]


async def _drawings(connection: HTTPConnection) -> Drawings:
    drawings: Drawings = connection.app.state.drawings
    return drawings


TableDrawings = Annotated[Drawings, Depends(_drawings)]


def about(asking: Asking, request: Request, body: object) -> Asking:
    """The asking with the digest of all that is asked."""
    return asking.about(request.method, request.url.path, body)


def sent(answered: Answered) -> Response:
    """The answer as it goes out, the same each time."""
    headers = {} if answered.version is None else {"ETag": f'"{answered.version}"'}
    return Response(answered.body, answered.status, headers, "application/json")


def picture(content: bytes, media_type: str = "image/webp") -> Response:
    """A picture, for this token's eyes only."""
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(content, 200, headers, media_type)


PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the picture",
        "content": {"image/webp": {"schema": {"type": "string", "format": "binary"}}},
    }
}
