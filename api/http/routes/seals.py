"""Seals: devices take part in them, and check the chain that they seal."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from api.http.routes.at_table import Asks, TableId, Tables, Token, about, sent
from api.ledger.chain import canonical
from api.models.seals import Chain, CommitmentRequest, NonceRequest, SealState
from api.problems import refusals
from api.tables import sealing_commands

router = APIRouter(
    prefix="/v1/tables/{table}", tags=["evidence"], responses=refusals(400, 401, 403, 404, 500, 503)
)

SealNumber = Annotated[
    int,
    Path(ge=1, le=99, description="of the round; one after the last round is the game's end"),
]
MOST_ENTRIES = 200


@router.post(
    "/seals/{seal}/commitment", response_model=SealState, responses=refusals(409, 412, 413)
)
def commit(
    table: TableId,
    seal: SealNumber,
    asked: CommitmentRequest,
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """A device commits to a random number before the history is sealed."""
    asking = about(asks, request, asked.model_dump())
    return sent(sealing_commands.commit(tables, table, seal, asked, asking))


@router.post("/seals/{seal}/nonce", response_model=SealState, responses=refusals(409, 412, 413))
def tell(
    table: TableId,
    seal: SealNumber,
    asked: NonceRequest,
    request: Request,
    asks: Asks,
    tables: Tables,
) -> Response:
    """A device tells its number, now that the history is sealed."""
    asking = about(asks, request, asked.model_dump())
    return sent(sealing_commands.tell(tables, table, seal, asked, asking))


@router.post("/seals/{seal}/words", response_model=SealState, responses=refusals(409, 412))
def make_words(table: TableId, seal: SealNumber, asks: Asks, tables: Tables) -> Response:
    """The seal; devices that were silent for ten seconds are waited for no longer."""
    return sent(sealing_commands.make_words(tables, table, seal, asks))


@router.get("/chain/{after}")
def chain(
    table: TableId,
    token: Token,
    tables: Tables,
    response: Response,
    after: Annotated[int, Path(ge=0, lt=10**9, description="entries that the device has seen")],
) -> Chain:
    """The history's entries after one, as they are hashed: for devices that check it themselves."""
    seen = tables.look(table, token)
    news = tables.news(table, token, after)[:MOST_ENTRIES]
    response.headers["Cache-Control"] = "no-store"
    return Chain(
        table=table,
        length=seen.record.length,
        head=seen.record.head,
        after=after,
        entries=[
            canonical(entry.hashed()) for entry in news if entry.sequence <= seen.record.length
        ],
    )
