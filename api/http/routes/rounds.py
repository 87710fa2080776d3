"""Rounds: their terms, what players send in by photo or by hand, corrections, and the lock."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response
from starlette.concurrency import run_in_threadpool

from api.http.dependencies import CurrentSettings
from api.http.routes.at_table import (
    PICTURE,
    Asks,
    Place,
    RoundNumber,
    TableCamera,
    TableDrawings,
    TableId,
    Tables,
    Token,
    about,
    picture,
    sent,
)
from api.http.routes.either_body import photos_or, photos_or_json
from api.http.routes.game_bodies import GameBody, answer, checked, models
from api.problems import refusals
from api.tables import commands

router = APIRouter(
    prefix="/v1/tables/{table}/rounds",
    tags=["rounds"],
    responses=refusals(400, 401, 403, 404, 409, 412, 413, 500, 503),
)


@router.post("", status_code=201, response_model=answer("round"))
def reveal_cards(
    table: TableId,
    came: Annotated[Any, GameBody("terms"), Body()],
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """The next round: these cards, or the next of the stack. For the host."""
    asked = checked(tables.game(table).models.terms, came)
    return sent(commands.reveal(tables, table, asked, about(asks, request, asked.model_dump())))


_SENT_IN: dict[str, Any] = {
    "status_code": 201,
    "response_model": answer("submission"),
    "responses": {
        200: {
            "description": "no tray was found in the photo: nothing recorded",
            "model": answer("submission"),
        },
        **refusals(415, 507),
    },
    "openapi_extra": photos_or(models("by_hand"), "of this one tray: JPEG, PNG, WebP or HEIC"),
}


@router.post("/{number}/trays/{player}", **_SENT_IN)
@router.post("/{number}/entries/{player}", name="submit_entry", **_SENT_IN)
async def submit_tray(
    place: Place,
    request: Request,
    asks: Asks,
    tables: Tables,
    camera: TableCamera,
    settings: CurrentSettings,
) -> Response:
    """What a player sends in, by photos or by hand; sent again, it replaces the one before.

    ``trays`` is the older name of ``entries``.
    """
    game = await run_in_threadpool(tables.game, place.table)
    asked = await photos_or_json(request, game.models.by_hand, settings)
    if isinstance(asked, list):
        return sent(await camera.submit(place, asked, asks))
    asking = about(asks, request, asked.model_dump())
    return sent(await run_in_threadpool(commands.submit_by_hand, tables, place, asked, asking))


@router.patch("/{number}/trays/{player}", response_model=answer("corrected"))
@router.patch(
    "/{number}/entries/{player}", name="correct_entry", response_model=answer("corrected")
)
def correct_tray(
    place: Place,
    came: Annotated[Any, GameBody("correction"), Body()],
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """What was sent in put right, until the round is locked. For its player and the host."""
    asked = checked(tables.game(place.table).models.correction, came)
    asking = about(asks, request, asked.model_dump())
    return sent(commands.correct(tables, place, asked, asking))


@router.get("/{number}/trays/{player}/overlay.webp", response_class=Response, responses=PICTURE)
@router.get(
    "/{number}/entries/{player}/overlay.webp",
    name="entry_overlay",
    response_class=Response,
    responses=PICTURE,
)
async def tray_overlay(
    place: Place,
    token: Token,
    drawings: TableDrawings,
) -> Response:
    """The photo that was sent in, with its reading drawn on it."""
    return picture(await drawings.of_tray(place, token))


@router.post("/{number}/lock", response_model=answer("locked"))
async def lock_round(
    table: TableId, number: RoundNumber, asks: Asks, drawings: TableDrawings
) -> Response:
    """The round is closed and sealed: from now on only a dispute changes it. For the host."""
    return sent(await drawings.lock(table, number, asks))
