"""Disputes: opened, looked into, agreed upon, resolved."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response

from api.http.dependencies import CurrentSettings
from api.http.routes.at_table import (
    PICTURE,
    Asks,
    DisputeNumber,
    TableCamera,
    TableDrawings,
    TableId,
    Tables,
    Token,
    about,
    picture,
    sent,
)
from api.http.routes.game_bodies import GameBody, answer, checked
from api.http.uploads import Photos, take_photos
from api.models.disputes import ResolutionRequest
from api.problems import refusals
from api.tables import disputing
from api.tables.dispute_view import dispute_state
from api.tables.disputes import known_dispute

router = APIRouter(
    prefix="/v1/tables/{table}/disputes",
    tags=["disputes"],
    responses=refusals(400, 401, 403, 404, 409, 412, 413, 500, 503),
)


@router.post("", status_code=201, response_model=answer("dispute"))
def open_dispute(
    table: TableId,
    came: Annotated[Any, GameBody("dispute_request"), Body()],
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """A card's verdict or a seat of a player's tray is disputed; its round is frozen."""
    asked = checked(tables.game(table).models.dispute_request, came)
    asking = about(asks, request, asked.model_dump())
    return sent(disputing.open_dispute(tables, table, asked, asking))


@router.get("/{number}", response_model=answer("dispute"))
def fetch_dispute(table: TableId, number: DisputeNumber, token: Token, tables: Tables) -> Response:
    """A dispute with its evidence."""
    record = tables.look(table, token).record
    shown = dispute_state(record, known_dispute(record, number), tables.files(table))
    return Response(shown.model_dump_json(), media_type="application/json")


@router.post("/{number}/photos", response_model=answer("dispute"), responses=refusals(415, 507))
async def add_photos(
    table: TableId,
    number: DisputeNumber,
    photos: Photos,
    asks: Asks,
    camera: TableCamera,
    settings: CurrentSettings,
) -> Response:
    """Further photos of the untouched tray, read together with those before."""
    contents = [photo.content for photo in await take_photos(photos, settings)]
    return sent(await camera.add_to_dispute(table, number, contents, asks))


@router.post("/{number}/consent", response_model=answer("dispute"))
def consent(
    table: TableId,
    number: DisputeNumber,
    came: Annotated[Any, GameBody("consent"), Body()],
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """A player says what lies on the tray, by the own token or the own PIN."""
    asked = checked(tables.game(table).models.consent, came)
    asking = about(asks, request, asked.model_dump())
    return sent(disputing.consent(tables, table, number, asked, asking))


@router.post("/{number}/resolve", response_model=answer("dispute"))
def resolve(
    table: TableId,
    number: DisputeNumber,
    asked: ResolutionRequest,
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """A dispute ends: corrected, upheld or unresolved; scores follow, both versions are kept."""
    asking = about(asks, request, asked.model_dump())
    return sent(disputing.resolve(tables, table, number, asked, asking))


@router.get("/{number}/overlay.webp", response_class=Response, responses=PICTURE)
async def dispute_overlay(
    table: TableId, number: DisputeNumber, token: Token, drawings: TableDrawings
) -> Response:
    """The disputed tray's photo, with what the verdict points at."""
    return picture(await drawings.of_dispute(table, number, token))


@router.get("/{number}/crop.webp", response_class=Response, responses=PICTURE)
async def dispute_crop(
    table: TableId, number: DisputeNumber, token: Token, drawings: TableDrawings
) -> Response:
    """What is disputed, enlarged."""
    return picture(await drawings.crop(table, number, token))
