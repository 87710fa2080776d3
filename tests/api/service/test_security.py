"""Who may call from where, and what browsers are told not to do."""

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from api.http.app import create_app
from api.http.logs import JsonLines
from api.http.routes.pages import PAGE
from api.http.security import is_local
from api.limits import refusals
from tests.api.conftest import quiet_settings

OURS = "https://tray.example"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("security")
    return TestClient(create_app(quiet_settings(folder, origins=[OURS])))


@pytest.mark.parametrize(
    "path", ["/", "/v1/deck", "/v1/nowhere", "/v1/openapi.json", "/docs", "/nowhere", "/plain.css"]
)
def test_every_answer_tells_browsers_what_not_to_do(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_pages_load_nothing_from_elsewhere_and_run_no_inline_script(
    client: TestClient, path: str
) -> None:
    page = client.get(path).text
    assert "<!doctype html>" in page
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", page)
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"\son\w+\s*=|<style", page)


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("192.168.1.5:8000", None, 200),
        ("192.168.1.5:8000", "http://192.168.1.5:8000", 200),
        ("[fe80::1]:8000", "http://[fe80::1]:8000", 200),
        ("localhost:8000", "http://localhost:8000", 200),
        ("tray.example", OURS, 200),
        ("192.168.1.5:8000", OURS, 200),
        ("192.168.1.5:8000", "http://192.168.1.5:9000", 403),
        ("192.168.1.5:8000", "https://evil.example", 403),
        ("192.168.1.5:8000", "https://tray.example.evil.example", 403),
        ("192.168.1.5:8000", "null", 403),
        ("192.168.1.5:8000", "nonsense", 403),
        ("192.168.1.5:8000", "http://[", 403),
        ("evil.example", None, 421),
        ("evil.example", "http://evil.example", 421),
        ("", None, 421),
    ],
)
def test_origins_and_hosts(client: TestClient, host: str, origin: str | None, status: int) -> None:
    headers = {"host": host} if origin is None else {"host": host, "origin": origin}
    answer = client.get("/v1/deck", headers=headers)
    assert answer.status_code == status
    if status != 200:
        code = {403: "foreign_origin", 421: "unknown_host"}[status]
        assert answer.json()["code"] == code
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        ("/v1/deck", [("host", "a" * 300)], 400, "bad_host"),
        ("/v1/deck", [("host", "localhost:" + "1" * 60_000)], 400, "bad_host"),
        ("/v1/deck", [("host", "localhost"), ("host", "evil.example")], 400, "bad_host"),
        ("/v1/deck?" + "x" * 9_000, [], 414, "too_long"),
        ("/v1/" + "x" * 9_000, [], 414, "too_long"),
        ("/v1/deck", [(f"x-{number}", "y") for number in range(200)], 431, "headers_too_large"),
        ("/v1/deck", [("x", "y" * 20_000)], 431, "headers_too_large"),
        ("/v1/deck", [("cookie", "y" * 8_000)], 200, None),
    ],
    ids=["host", "port", "hosts", "query", "path", "many", "long", "cookie"],
)
def test_heads_that_no_browser_sends(
    client: TestClient, path: str, headers: list[tuple[str, str]], status: int, code: str | None
) -> None:
    answer = client.get(path, headers=headers)
    assert (answer.status_code, answer.json().get("code")) == (status, code)
    assert "content-security-policy" in answer.headers


def test_foreign_pages_and_preflights_are_counted_too(tmp_path: Path) -> None:
    app = create_app(quiet_settings(tmp_path, address_rate_per_minute=4))
    client = TestClient(app)
    foreign = {"origin": "https://evil.example", "access-control-request-method": "GET"}
    assert client.get("/v1/deck", headers=foreign).status_code == 403
    assert client.options("/v1/deck", headers=foreign).status_code == 403
    assert client.get("/v1/deck", headers=foreign).status_code == 429


def test_what_is_refused_over_and_over_fills_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "PAUSE_S", 0.0)
    client = TestClient(create_app(quiet_settings(tmp_path, rate_per_minute=2)))
    with caplog.at_level(logging.INFO, "trayscore"):
        statuses = [client.get("/v1/deck").status_code for _ in range(50)]
        client.get("/v1/deck", headers={"host": "evil.example"})
    assert statuses.count(429) == 49
    lines = [JsonLines().format(record) for record in caplog.records]
    assert len(lines) == 2  # one was answered, and somebody is refused
    assert json.loads(lines[1])["code"] == "too_many_requests"
    assert json.loads(lines[1])["address"] == "testclient"


def test_configured_origins_may_read_the_answers(client: TestClient) -> None:
    answer = client.get("/v1/deck", headers={"origin": OURS})
    assert answer.headers["access-control-allow-origin"] == OURS
    asked = {
        "origin": OURS,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,idempotency-key",
    }
    allowed = client.options("/v1/scores", headers=asked)
    assert allowed.status_code == 200
    assert "POST" in allowed.headers["access-control-allow-methods"]


def test_foreign_pages_open_no_camera(client: TestClient) -> None:
    headers = {"origin": "https://evil.example"}
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/v1/live", headers=headers):
        pytest.fail("it was accepted")


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("fe80::1", True),
        ("raspberrypi", True),
        ("raspberrypi.local", True),
        ("fritz.home.arpa", True),
        ("evil.example", False),
        ("evil.example.local.evil.example", False),
        ("", False),
    ],
)
def test_local_names(host: str, local: bool) -> None:
    assert is_local(host) is local


def test_requests_are_logged_without_tokens_codes_or_queries(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "s3cr3t-t0k3n"
    with caplog.at_level(logging.INFO, "trayscore"):
        headers = {"Authorization": f"Bearer {secret}"}
        client.get(f"/v1/deck?token={secret}", headers=headers)
        client.get(f"/v1/samples/{secret}")
        client.get(f"/v1/{secret}")
    lines = [JsonLines().format(record) for record in caplog.records]
    assert secret not in "\n".join(lines)
    told: list[dict[str, Any]] = [json.loads(line) for line in lines if "request" in line]
    assert [(line["route"], line["status"]) for line in told] == [
        ("/v1/deck", 200),
        ("/v1/samples/{name}", 404),
        ("-", 404),
    ]
    assert all(line["ms"] >= 0 for line in told)


def test_a_mistake_is_logged_with_its_trace_on_one_line() -> None:
    try:
        raise ZeroDivisionError("x")
    except ZeroDivisionError as error:
        trace = (type(error), error, error.__traceback__)
    record = logging.LogRecord("trayscore", logging.ERROR, __file__, 1, "oh", (), trace)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert "ZeroDivisionError" in json.loads(line)["trace"]


def test_the_page_is_served_and_nothing_beside_it(client: TestClient) -> None:
    assert client.get("/").headers["content-type"].startswith("text/html")
    assert client.get("/main.js").headers["cache-control"] == "no-cache"
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/page", "/v1/", "/v1/x"):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert answer.headers["content-type"] == "application/problem+json"
    assert client.post("/v1/nowhere").status_code == 404


def test_without_https_there_is_nothing_to_trust(client: TestClient) -> None:
    assert client.get("/trust").json()["code"] == "no_certificate"
    assert client.get("/trust/trayscore.crt").status_code == 404


def test_page_files_come_with_the_package() -> None:
    assert (PAGE / "index.html").is_file()


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/deck", "GET"),
        ("GET", "/v1/scores", "POST"),
        ("PUT", "/v1/tables/x", "DELETE, GET"),
    ],
)
def test_a_wrong_method_is_told_the_right_one(
    client: TestClient, method: str, path: str, allowed: str
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)
    assert answer.json()["code"] == "method_not_allowed"


def test_a_path_that_is_no_call_is_not_found(client: TestClient) -> None:
    answer = client.get("/v1/nowhere")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
