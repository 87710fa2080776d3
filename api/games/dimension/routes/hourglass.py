"""The hourglass of a round."""

from fastapi import APIRouter, Request, Response

from api.games.dimension import hourglass
from api.games.dimension.models.tables import HourglassRequest, RoundState
from api.http.routes.at_table import Asks, RoundNumber, TableId, Tables, about, sent
from api.problems import refusals

router = APIRouter(
    prefix="/v1/tables/{table}/rounds",
    tags=["rounds"],
    responses=refusals(400, 401, 403, 404, 409, 412, 413, 500, 503),
)


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
    return sent(hourglass.command(tables, table, number, asked.action == "start", asking))
