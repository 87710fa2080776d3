"""News of a table: told at once, told again to who missed it, ended with the table."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.http.routes import events
from api.http.routes.events import stream
from api.tables.service import TableService
from tests.api.tables.house import A, At, House, refused


def service(at: House) -> TableService:
    app: Any = at.client.app
    tables: TableService = app.state.tables
    return tables


async def told(pieces: AsyncIterator[str], count: int) -> list[dict[str, Any]]:
    """The next events, less comments and greetings."""
    found: list[dict[str, Any]] = []
    while len(found) < count:
        piece = await asyncio.wait_for(anext(pieces), 20)
        fields = dict(line.split(": ", 1) for line in piece.strip().splitlines() if line[0] != ":")
        if "event" in fields:
            found.append({**fields, "data": json.loads(fields["data"])})
    return found


def test_everybody_is_told_at_once(at: House) -> None:
    host = at.open("Ada", "Ben")
    start = host.state()["version"]

    async def listen() -> list[dict[str, Any]]:
        pieces = stream(service(at), host.id, host.token, start)
        await anext(pieces)
        waiting = asyncio.create_task(told(pieces, 2))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(host.reveal)
        await asyncio.to_thread(host.submit, 1, "Ada", A)
        loop = asyncio.get_running_loop()
        done = loop.time()
        found = await waiting
        assert loop.time() - done < 1.0
        await pieces.aclose()  # type: ignore[attr-defined]
        return found

    first, second = asyncio.run(listen())
    assert (first["event"], first["data"]["round"]) == ("cards_revealed", 1)
    assert (second["event"], second["data"]["player"]) == ("tray_submitted", "Ada")
    assert int(second["id"]) == second["data"]["sequence"] == host.state()["version"]
    assert not service(at).feed.waiting(host.id)


def test_who_comes_back_is_told_what_was_missed(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    host.submit(1, "Ada", A)

    async def listen() -> list[dict[str, Any]]:
        return await told(stream(service(at), host.id, host.token, 1), 2)

    assert [event["id"] for event in asyncio.run(listen())] == ["2", "3"]


def test_who_wants_it_is_sent_the_table_and_need_not_fetch_it(at: House) -> None:
    host = at.open("Ada", "Ben")
    start = host.state()["version"]

    async def listen() -> list[dict[str, Any]]:
        pieces = stream(service(at), host.id, host.token, start, state=True)
        first = await told(pieces, 1)
        await asyncio.to_thread(host.reveal)
        found = [*first, *await told(pieces, 2)]
        await pieces.aclose()  # type: ignore[attr-defined]
        return found

    first, entry, then = asyncio.run(listen())
    assert [first["event"], entry["event"], then["event"]] == ["table", "cards_revealed", "table"]
    assert (first["data"]["version"], first["data"]["rounds"]) == (start, [])
    assert "id" not in then
    now = host.state()
    assert {**then["data"], "server_now": 0} == {**now, "server_now": 0} | {
        "rounds": [
            {
                **there,
                "hourglass": {**there["hourglass"], "server_now": was["hourglass"]["server_now"]},
            }
            for there, was in zip(now["rounds"], then["data"]["rounds"], strict=True)
        ]
    }


def test_silence_has_a_heartbeat(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.05)
    host = at.open("Ada")

    async def listen() -> str:
        pieces = stream(service(at), host.id, host.token, 1)
        await anext(pieces)
        return await anext(pieces)

    assert asyncio.run(listen()).startswith(":")


@pytest.mark.parametrize(("why", "kind"), [("deleted", "deleted"), ("reissued", "refused")])
def test_it_ends_with_the_table_or_the_token(at: House, why: str, kind: str) -> None:
    host = at.open("Ada")
    ada = host.joined("Ada")

    async def listen() -> list[dict[str, Any]]:
        pieces = stream(service(at), ada.id, ada.token, 2)
        await anext(pieces)
        if why == "deleted":
            await asyncio.to_thread(host.ask, "DELETE")
        else:
            await asyncio.to_thread(host.do, "/players/Ada/token")
        (last,) = await told(pieces, 1)
        with pytest.raises(StopAsyncIteration):
            await anext(pieces)
        return [last]

    assert asyncio.run(listen())[0]["event"] == kind


def test_news_are_for_the_table_only(at: House) -> None:
    host = at.open("Ada")
    stranger = At(at, host.id, host.code, at.open("Ada").token)
    refused(stranger.ask("GET", "/events"), 403, "wrong_token")
    stranger.token = ""
    refused(stranger.ask("GET", "/events"), 401, "no_token")


@pytest.mark.parametrize(
    ("known", "code"), [(True, "busy"), (False, "wrong_token"), (None, "no_token")]
)
def test_a_camera_at_a_table_shows_its_token(at: House, known: bool | None, code: str) -> None:
    host = at.open("Ada")
    greeting = {} if known is None else {"token": host.token if known else "another"}
    with at.client.websocket_connect(f"/v1/tables/{host.id}/live") as socket:
        socket.send_json(greeting)
        assert socket.receive_json()["problem"]["code"] == code
