"""How much a client may ask: every limit, just within it and just beyond."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from api.http import bodies
from api.http.app import create_app
from api.http.bodies import Announced, Body, announced
from api.http.limits import Limits
from api.limits import buckets
from api.limits.buckets import Pace, TokenBuckets
from api.limits.callers import Caller, client_address
from api.limits.quotas import Quotas
from api.limits.refusals import Refusals
from api.problems import Problem
from api.settings import Settings
from tests.api.conftest import quiet_settings
from tests.api.service.pictures import blank


@contextmanager
def limited(folder: Path, **settings: object) -> Iterator[TestClient]:
    """A service that was not started: it answers whatever needs no worker."""
    app = create_app(quiet_settings(folder, **settings))
    app.state.readers = None
    client = TestClient(app)
    yield client
    client.close()


def refused(answer: Any, status: int, code: str) -> Any:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return answer


def test_a_bucket_gives_its_burst_and_fills_again() -> None:
    now = [0.0]
    buckets = TokenBuckets(per_minute=60, burst=3, now=lambda: now[0])
    assert [buckets.wait("a") for _ in range(4)] == [0, 0, 0, pytest.approx(1)]
    assert buckets.wait("b") == 0  # another's bucket is another's
    now[0] = 0.5
    assert buckets.wait("a") == pytest.approx(0.5)
    now[0] = 1.0
    assert buckets.wait("a") == 0
    now[0] = 1e6
    assert [buckets.wait("a") for _ in range(4)][:3] == [0, 0, 0]


def test_buckets_of_strangers_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "MOST_BUCKETS", 10)
    known = TokenBuckets(60, 1, now=lambda: 0.0)
    for i in range(100):
        known.wait(str(i))
    assert known.wait("99") > 0
    assert known.wait("0") == 0  # long forgotten


def test_bytes_are_taken_at_a_pace_after_the_first_few_seconds() -> None:
    now = [100.0]
    pace = Pace(per_s=10, burst_s=2, now=lambda: now[0])
    assert [pace.delay("a", 10) for _ in range(4)] == pytest.approx([0, 0, 1, 2])
    assert pace.delay("b", 10) == 0
    now[0] = 102.0
    assert pace.delay("a", 5) == pytest.approx(0.5)


def test_requests_of_an_address_are_counted(tmp_path: Path) -> None:
    with limited(tmp_path, rate_per_minute=6) as client:
        assert [client.get("/v1/deck").status_code for _ in range(4)] == [200, 200, 200, 429]
        answer = refused(client.get("/v1/deck"), 429, "too_many_requests")
        assert 1 <= int(answer.headers["retry-after"]) <= 10
        assert "content-security-policy" in answer.headers


def test_each_token_has_its_own_count_but_the_address_has_one_too(tmp_path: Path) -> None:
    with limited(tmp_path, rate_per_minute=4, address_rate_per_minute=12) as client:

        def get(token: str) -> int:
            headers = {"Authorization": f"Bearer {token}"}
            return client.get("/v1/deck", headers=headers).status_code

        assert [get("one") for _ in range(3)] == [200, 200, 429]
        assert [get("two") for _ in range(2)] == [200, 200]
        assert get("three") == 200
        assert get("invented") == 429  # however many tokens somebody makes up


def test_no_header_makes_another_address(tmp_path: Path) -> None:
    with limited(tmp_path, rate_per_minute=2) as client:
        assert client.get("/v1/deck").status_code == 200
        headers = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
        assert client.get("/v1/deck", headers=headers).status_code == 429


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("fe80::1%eth0", "fe80:0000:0000:0000"),
        ("::ffff:192.0.2.7", "192.0.2.7"),  # IPv4 at a socket of both kinds
        ("testclient", "testclient"),
    ],
)
def test_an_address_is_its_network(host: str, key: str) -> None:
    scope = {"type": "http", "headers": [], "client": (host, 1)}
    assert client_address(HTTPConnection(scope)) == key


def test_requests_at_a_time(tmp_path: Path) -> None:
    with limited(tmp_path, requests=1) as client:
        app = client.app

        @app.get("/v1/nested")  # type: ignore[attr-defined,untyped-decorator,unused-ignore]
        def nested() -> int:
            return TestClient(client.app).get("/v1/deck").status_code

        app.router.routes.insert(0, app.router.routes.pop())  # type: ignore[attr-defined]
        assert client.get("/v1/nested").json() == 503
        assert client.get("/v1/deck").status_code == 200


def chunks(count: int, size: int) -> Iterator[bytes]:
    """A body that does not say beforehand how long it is."""
    for _ in range(count):
        yield b" " * size


def test_bodies_are_limited_said_or_not(tmp_path: Path) -> None:
    question = b'{"layout": "OKBGGWB/K.B.O./K", "cards": ["touch:BK"]}'
    with limited(tmp_path, json_kb=10) as client:

        def post(body: Any, path: str = "/v1/scores", kind: str = "application/json") -> Any:
            return client.post(path, content=body, headers={"content-type": kind})

        assert post(question + b" " * 9000).status_code == 200
        refused(post(question + b" " * 10_000), 413, "too_large")
        refused(post(chunks(11, 1000)), 413, "too_large")
        kind = "multipart/form-data; boundary=x"
        refused(post(b" " * 20_000, kind=kind), 413, "too_large")  # not where photos are taken


def test_uploads_and_single_photos_are_limited(tmp_path: Path) -> None:
    photo = blank() + b"\0" * 30_000
    with limited(tmp_path, upload_mb=0.1, photo_mb=0.035) as client:

        def post(*photos: bytes) -> Any:
            return client.post("/v1/readings", files=[("photos", p) for p in photos])

        refused(post(photo + b"\0" * 10_000), 413, "too_large")
        refused(post(*[photo] * 4), 413, "too_large")


def takes_photos(folder: Path) -> list[str]:
    """The paths of all calls that photos are sent to, by the service's own description."""
    with limited(folder) as client:
        paths = client.get("/v1/openapi.json").json()["paths"]
    found = [
        path
        for path, calls in paths.items()
        if "multipart/form-data" in calls.get("post", {}).get("requestBody", {}).get("content", {})
    ]
    assert len(found) >= 7
    return found


def test_photos_are_taken_wherever_they_may_be_sent(tmp_path: Path) -> None:
    """A photo is larger than any JSON may be: wherever a form is taken, it must not be refused."""
    settings = quiet_settings(tmp_path)
    for path in takes_photos(tmp_path):
        scope = {
            "type": "http",
            "path": re.sub(r"\{\w+\}", "1", path),
            "headers": [(b"content-type", b"multipart/form-data; boundary=x")],
        }
        assert announced(HTTPConnection(scope), settings).most == settings.upload_mb * 1e6, path


async def at_leisure(_size: int, _last: bool) -> None:
    """Nothing is done with a piece."""


def body(settings: Settings, receive: Receive, length: int | None = None) -> Body:
    upload = Announced(upload=True, most=10**8, length=length)
    memory = Quotas(settings).memory.claim(Caller("192.0.2.7"), 0)
    return Body(upload, receive, settings, at_leisure, memory)


def dripping(size: int, every_s: float) -> Receive:
    async def receive() -> Message:
        await asyncio.sleep(every_s)
        return {"type": "http.request", "body": b" " * size, "more_body": True}

    return receive


async def taken(body: Body) -> int:
    """The bytes of a body until it is given up, which is said by 408."""
    size = 0
    while True:
        try:
            size += len((await body.receive())["body"])
        except Problem as stopped:
            if (stopped.status, stopped.code) != (408, "too_slow"):
                raise
            return size


@pytest.mark.parametrize(
    ("size", "every_s"),
    [(1, 30.0), (10, 0.01)],  # it stops, or it never ends
)
def test_a_body_without_progress_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, every_s: float
) -> None:
    monkeypatch.setattr(bodies, "GRACE_S", 0.1)
    settings = quiet_settings(tmp_path, body_kb_per_s=10)
    assert asyncio.run(taken(body(settings, dripping(size, every_s)))) <= 150


def test_a_body_with_progress_may_take_longer_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "GRACE_S", 0.1)
    settings = quiet_settings(tmp_path, body_kb_per_s=10, body_s=0.4)
    assert asyncio.run(taken(body(settings, dripping(1000, 0.02)))) >= 5000


async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
    """Begins to answer, and then waits until the client goes, as streams of events do."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"].endswith("/events"):
        while (await receive())["type"] != "http.disconnect":
            """Not yet."""


def test_streams_keep_no_request_of_their_address_waiting(tmp_path: Path) -> None:
    settings = quiet_settings(tmp_path, requests_per_address=2)
    limited = Limits(streaming, settings, Quotas(settings), Refusals())

    async def asking(path: str, answered: asyncio.Event) -> None:
        said = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            return said.pop() if said else await asyncio.sleep(30, {"type": "http.disconnect"})

        async def send(message: Message) -> None:
            answered.set()

        scope = {"type": "http", "method": "GET", "path": path, "headers": []}
        await limited({**scope, "client": ("192.0.2.7", 1)}, receive, send)

    async def evening() -> None:
        streams = [asyncio.Event() for _ in range(20)]
        tasks = [asyncio.create_task(asking("/v1/tables/x/events", one)) for one in streams]
        await asyncio.gather(*(one.wait() for one in streams))
        await asyncio.sleep(0.01)
        await asking("/v1/tables/x", asyncio.Event())
        for task in tasks:
            task.cancel()

    asyncio.run(asyncio.wait_for(evening(), 5))


def test_health_is_answered_whatever_else_is_not(tmp_path: Path) -> None:
    app = create_app(quiet_settings(tmp_path, rate_per_minute=1, requests=1))
    with TestClient(app) as client:
        assert [client.get("/v1/health").status_code for _ in range(5)] == [200] * 5
        told = client.get("/v1/health").json()
        assert (told["status"], told["readers_wanted"], told["waiting"]) == ("ready", 1, 0)
