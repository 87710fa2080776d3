"""Tray profiles at a table: measured from one start photo a tray, or set by name."""

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from api.http.dependencies import CurrentSettings
from api.http.routes.at_table import (
    Asks,
    PlayerPath,
    TableCamera,
    TableId,
    about,
    sent,
)
from api.http.routes.either_body import photos_or, photos_or_json
from api.http.routes.game_bodies import answer
from api.models.submissions import TrayChoiceRequest
from api.problems import refusals
from api.settings import Settings
from api.tables import calibrating
from api.tables.calibrating import TrayOwner
from api.tables.photographed import Camera
from api.tables.service import Asking

router = APIRouter(
    prefix="/v1/tables/{table}",
    tags=["tables"],
    responses=refusals(400, 401, 403, 404, 409, 412, 413, 415, 500, 503, 507),
)

_BODY = photos_or(
    [TrayChoiceRequest],
    "taken before the game: all fifteen spheres in storage, the seven holes empty",
)


@router.post("/players/{player}/tray", response_model=answer("profile_set"), openapi_extra=_BODY)
async def set_player_tray(
    table: TableId,
    player: PlayerPath,
    request: Request,
    asks: Asks,
    camera: TableCamera,
    settings: CurrentSettings,
) -> Response:
    """How photos of a player's tray are read from now on: by what its start photo shows.

    Or by a profile's name; null: by the table's again. For the player and the host.
    """
    return await _set(TrayOwner(table, player), request, asks, camera, settings)


@router.post("/tray", response_model=answer("profile_set"), openapi_extra=_BODY)
async def set_table_tray(
    table: TableId, request: Request, asks: Asks, camera: TableCamera, settings: CurrentSettings
) -> Response:
    """How photos of all trays are read from now on, for they are alike: one start photo for all.

    Or a profile's name; null: the built-in ones are tried. What was set for a player no longer
    holds. For the host.
    """
    return await _set(TrayOwner(table), request, asks, camera, settings)


async def _set(
    owner: TrayOwner, request: Request, asks: Asking, camera: Camera, settings: Settings
) -> Response:
    asked = await photos_or_json(request, TrayChoiceRequest, settings)
    if isinstance(asked, list):
        return sent(await calibrating.measure(camera, owner, asked, asks))
    asking = about(asks, request, asked.model_dump())
    return sent(await run_in_threadpool(calibrating.choose, camera, owner, asked.tray, asking))
