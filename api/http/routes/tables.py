"""Tables: opened, joined, looked at, finished, deleted."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response

from api.http.dependencies import KnownTrays
from api.http.routes.at_table import (
    Address,
    Asks,
    PlayerPath,
    TableCode,
    TableId,
    Tables,
    Token,
    about,
    sent,
)
from api.http.routes.game_bodies import GameBody, answer, checked, game_asked_for
from api.models.tables import (
    Joined,
    JoinRequest,
    Lobby,
    Opened,
    PinRequest,
    PlayerState,
    Reissued,
    SoloHistory,
)
from api.problems import refusals
from api.tables import commands, joining, solo
from api.tables.whole_table import show

router = APIRouter(tags=["tables"], responses=refusals(400, 401, 403, 404, 409, 413, 500, 503))


@router.post("/v1/tables", status_code=201, response_model=Opened, responses=refusals(507))
def open_table(
    came: Annotated[Any, GameBody("opening"), Body()],
    request: Request,
    asks: Asks,
    tables: Tables,
    trays: KnownTrays,
) -> Response:
    """A new table: a code to join it, and the host's token, which is shown this once."""
    game, spelled = game_asked_for(came)
    asked = checked(game.models.opening, spelled)
    if asked.tray is not None:
        trays.get(asked.tray)  # refuses a tray that nobody knows
    return sent(joining.open_new(tables, asked, about(asks, request, asked.model_dump())))


@router.get("/v1/tables/{code}/lobby")
def lobby(code: TableCode, address: Address, tables: Tables) -> Lobby:
    """Who plays at the table with this code, for those who want to join."""
    return joining.lobby(tables, code, address)


@router.post("/v1/tables/{code}/join", response_model=Joined)
def join(
    code: TableCode, asked: JoinRequest, request: Request, asks: Asks, tables: Tables
) -> Response:
    """A player joins by the code and gets a token of their own, which is shown this once."""
    asking = about(asks, request, asked.model_dump())
    return sent(joining.join(tables, code, asked.player, asking))


@router.get("/v1/tables/{table}", response_model=answer("table"))
def table_state(table: TableId, token: Token, tables: Tables) -> Response:
    """All there is to show of a table."""
    state, version = show(tables, table, token)
    headers = {"ETag": f'"{version}"', "Cache-Control": "no-store"}
    return Response(state.model_dump_json(), 200, headers, "application/json")


@router.delete("/v1/tables/{table}", status_code=204)
def delete_table(table: TableId, asks: Asks, tables: Tables) -> None:
    """The table and all its photos are gone for good. For the host."""
    joining.delete(tables, table, asks)


@router.post(
    "/v1/tables/{table}/players/{player}/token", response_model=Reissued, responses=refusals(412)
)
def reissue_token(table: TableId, player: PlayerPath, asks: Asks, tables: Tables) -> Response:
    """A new token for a player whose device was lost; the old one is void. For the host."""
    return sent(joining.reissue(tables, table, player, asks))


@router.post(
    "/v1/tables/{table}/players/{player}/pin",
    response_model=PlayerState,
    responses=refusals(412),
)
def set_pin(
    table: TableId,
    player: PlayerPath,
    asked: PinRequest,
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """A PIN with which a player consents on a tablet that several share."""
    asking = about(asks, request, asked.model_dump())
    return sent(joining.set_pin(tables, table, player, asked, asking))


@router.post("/v1/tables/{table}/finish", response_model=answer("over"), responses=refusals(412))
def finish(table: TableId, asks: Asks, tables: Tables) -> Response:
    """After the last round: bonus tokens become points. For the host."""
    return sent(commands.finish(tables, table, asks))


@router.get("/v1/tables/{table}/solo")
def solo_history(table: TableId, token: Token, tables: Tables) -> SoloHistory:
    """All finished solo games of this table's player, newest first."""
    return solo.solo_history(tables, table, token)
