"""News of a table, as server-sent events, and its live cameras.

Each event says that something happened and what kind of thing. Who asks with ``state=true`` is sent
the table as it is then, too, as ``event: table``: at first, and after each change, so that nobody
has to fetch it. The id is the ledger's sequence number: a client that comes back sends it as
``Last-Event-ID`` and is told all that it missed.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, WebSocket
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from api.http.dependencies import CurrentQuotas, CurrentSettings, KnownTrays, LiveCameras
from api.http.routes.at_table import TableId, Tables, Token
from api.http.routes.live import Frames, follow, greet, named_profile, refuse
from api.ledger.chain import Entry
from api.limits.callers import Caller, client_address, digest
from api.models.tables import TableEvent
from api.problems import Problem, language_of, refusals
from api.profiles import Trays
from api.storage.failures import StorageAway
from api.tables.photographed import chosen_profile
from api.tables.play import known_player
from api.tables.service import Sight, TableService
from api.tables.whole_table import show
from api.translation import Language
from calibration.profile_files import Profile

router = APIRouter(tags=["tables"])

HEARTBEAT_S = 10.0
"""Seconds without news after which a comment shows that the line is alive. Changes by another
process are noticed then, too."""

UNSEEN = frozenset({"share_committed"})
"""Entries that change nothing of what a table shows."""


@router.get(
    "/v1/tables/{table}/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "a stream of `TableEvent`s; `deleted` is the last of a deleted table",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **refusals(401, 403, 404, 500, 503),
    },
)
async def events(
    table: TableId,
    token: Token,
    tables: Tables,
    request: Request,
    state: Annotated[
        bool, Query(description="send the table's state, too: at first, and after each change")
    ] = False,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """What happens at the table, as it happens. The token comes in the header, as everywhere."""
    seen = await run_in_threadpool(tables.look, table, token)
    number = last_event_id if last_event_id is not None and last_event_id.isdecimal() else ""
    start = int(number[:9]) if number.isascii() and number else seen.record.length
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(
        stream(tables, table, token, start, language_of(request), state=state),
        media_type="text/event-stream",
        headers=headers,
    )


async def stream(
    tables: TableService,
    table: str,
    token: str | None,
    last: int,
    language: Language = "en",
    *,
    state: bool = False,
) -> AsyncIterator[str]:
    """The pieces of the stream: all entries after the last one known, now and as they come.

    With ``state`` the table follows them, and comes first.
    """
    waiter, heard, first = tables.feed.subscribe(table), list[Entry](), True
    try:
        yield f"retry: 1000\nid: {last}\n\n"
        while not tables.feed.closed:
            try:
                # By asyncio's own threads: those of the routes may all be waiting to write.
                news = following(heard, last) or await asyncio.to_thread(
                    tables.news, table, token, last
                )
                shown = ""
                if state and (first or any(entry.kind not in UNSEEN for entry in news)):
                    shown = await asyncio.to_thread(_table, tables, table, token)
            except Problem as problem:
                kind = "deleted" if problem.status == 404 else "refused"
                yield f"event: {kind}\ndata: {json.dumps(problem.to_json(language))}\n\n"
                return
            except StorageAway:
                return  # the device comes back, and is told then
            for entry in news:
                last = entry.sequence
                yield _event(entry)
            if shown:
                yield shown
            first = False
            heard = await waiter.wait(HEARTBEAT_S)
            if not heard:
                yield ": still here\n\n"
    finally:
        tables.feed.unsubscribe(table, waiter)


def following(heard: list[Entry], last: int) -> list[Entry]:
    """What was heard after the last entry known; nothing if that is not all there is to know.

    That is so if an entry between was missed, or if this device's token may be void now.
    """
    news = sorted((entry for entry in heard if entry.sequence > last), key=lambda one: one.sequence)
    whole = [entry.sequence for entry in news] == list(range(last + 1, last + 1 + len(news)))
    return news if whole and all(entry.kind != "token_reissued" for entry in news) else []


def _event(entry: Entry) -> str:
    told = {name: entry.body.get(name) for name in ("round", "player", "dispute")}
    event = TableEvent(
        sequence=entry.sequence, at=entry.at, kind=entry.kind, actor=entry.actor, **told
    )
    return f"id: {entry.sequence}\nevent: {entry.kind}\ndata: {event.model_dump_json()}\n\n"


def _table(tables: TableService, table: str, token: str | None) -> str:
    """The table as it is now; no id: it is no entry of the ledger."""
    shown, _ = show(tables, table, token)
    return f"event: table\ndata: {shown.model_dump_json()}\n\n"


@router.websocket("/v1/tables/{table}/live")
async def table_camera(
    socket: WebSocket,
    table: str,
    tables: Tables,
    cameras: LiveCameras,
    trays: KnownTrays,
    settings: CurrentSettings,
    quotas: CurrentQuotas,
) -> None:
    """A camera at a table; the first message holds a token, and whose tray it looks at."""
    await socket.accept()
    with suppress(WebSocketDisconnect):
        try:
            greeting = await greet(socket)
            token = str(greeting.get("token") or "")
            seen = await run_in_threadpool(tables.look, table, token)
            profile = await run_in_threadpool(_profile, seen, greeting, trays)
            with quotas.cameras.claim(Caller(client_address(socket), digest(token))):
                game = seen.record.game.id
                await follow(socket, profile, cameras, Frames.of(settings), game)
        except Problem as problem:
            await refuse(socket, problem)


def _profile(seen: Sight, greeting: dict[str, object], trays: Trays) -> Profile | None:
    """The profile of the tray that the camera looks at: of the player named, or the token's own."""
    if greeting.get("tray"):
        return named_profile(greeting, trays)
    player = greeting.get("player")
    if player is None:
        return chosen_profile(seen.record, seen.actor.player, trays)
    known_player(seen.record, str(player))
    return chosen_profile(seen.record, str(player), trays)
