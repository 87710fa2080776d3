"""Rounds: cards, hourglass, trays by photo or by hand, corrections, and the lock."""

from fastapi import APIRouter, Request, Response
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
from api.models.tables import (
    Correction,
    HourglassRequest,
    Locked,
    RoundRequest,
    RoundState,
    TrayByHand,
)
from api.models.trays import Corrected, Submission
from api.problems import refusals
from api.tables import commands

router = APIRouter(
    prefix="/v1/tables/{table}/rounds",
    tags=["rounds"],
    responses=refusals(400, 401, 403, 404, 409, 412, 413, 500, 503),
)


@router.post("", status_code=201, response_model=RoundState)
def reveal_cards(
    table: TableId, asked: RoundRequest, request: Request, asks: Asks, tables: Tables
) -> Response:
    """The next round: these cards, or the next of the stack. For the host."""
    return sent(commands.reveal(tables, table, asked, about(asks, request, asked.model_dump())))


@router.post("/{number}/hourglass", response_model=RoundState)
def turn_hourglass(
    table: TableId,
    number: RoundNumber,
    asked: HourglassRequest,
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """The hourglass starts now, by the service's clock, or is stopped early. For the host."""
    asking = about(asks, request, asked.model_dump())
    return sent(commands.turn_hourglass(tables, table, number, asked.action == "start", asking))


@router.post(
    "/{number}/trays/{player}",
    status_code=201,
    response_model=Submission,
    responses={
        200: {
            "description": "no tray was found in the photo: nothing recorded",
            "model": Submission,
        },
        **refusals(415, 507),
    },
    openapi_extra=photos_or(TrayByHand, "of this one tray: JPEG, PNG, WebP or HEIC"),
)
async def submit_tray(
    place: Place,
    request: Request,
    asks: Asks,
    tables: Tables,
    camera: TableCamera,
    settings: CurrentSettings,
) -> Response:
    """A player's tray, by photos of it or by hand; sent again, it replaces the one before."""
    asked = await photos_or_json(request, TrayByHand, settings)
    if isinstance(asked, list):
        return sent(await camera.submit(place, asked, asks))
    asking = about(asks, request, asked.model_dump())
    return sent(await run_in_threadpool(commands.submit_by_hand, tables, place, asked, asking))


@router.patch("/{number}/trays/{player}", response_model=Corrected)
def correct_tray(
    place: Place,
    asked: Correction,
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """Seats of a tray put right, until the round is locked. For its player and the host."""
    asking = about(asks, request, asked.model_dump())
    return sent(commands.correct(tables, place, asked, asking))


@router.get("/{number}/trays/{player}/overlay.webp", response_class=Response, responses=PICTURE)
async def tray_overlay(
    place: Place,
    token: Token,
    drawings: TableDrawings,
) -> Response:
    """The tray's photo with its reading drawn on it."""
    return picture(await drawings.of_tray(place, token))


@router.post("/{number}/lock", response_model=Locked)
async def lock_round(
    table: TableId, number: RoundNumber, asks: Asks, drawings: TableDrawings
) -> Response:
    """The round is closed and sealed: from now on only a dispute changes it. For the host."""
    return sent(await drawings.lock(table, number, asks))
