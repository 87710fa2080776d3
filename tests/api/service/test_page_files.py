"""The page's files: small on the way, fetched again only when they changed, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.websockets import WebSocketDisconnect

from api.http.app import create_app
from api.http.page_files import PageFiles
from api.http.routes.pages import PAGE
from tests.api.conftest import quiet_settings

SCRIPT = "export const seats = 14; // " + "fourteen " * 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<!doctype html><title>Trayscore</title>")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "board.js").write_text(SCRIPT)
    (tmp_path / "secret.py").write_text("nobody's")
    return tmp_path


@pytest.fixture
def browser(folder: Path) -> Iterator[TestClient]:
    app = Starlette()
    app.mount("/", PageFiles(folder, []))
    with TestClient(app) as client:
        yield client


def test_files_are_packed_for_those_who_unpack(browser: TestClient) -> None:
    packed = browser.get("/parts/board.js", headers={"Accept-Encoding": "gzip"})
    plain = browser.get("/parts/board.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert (
        int(packed.headers["content-length"]) < int(plain.headers["content-length"]) == len(SCRIPT)
    )
    assert packed.text == plain.text == SCRIPT
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == "Accept-Encoding"
    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"


def test_what_a_browser_has_is_not_sent_again(browser: TestClient, folder: Path) -> None:
    tag = browser.get("/parts/board.js").headers["etag"]
    again = browser.get("/parts/board.js", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    (folder / "parts" / "board.js").write_text("export const seats = 15;")
    changed = browser.get("/parts/board.js", headers={"If-None-Match": tag})
    assert (changed.status_code, changed.text) == (200, "export const seats = 15;")


def test_the_folder_itself_is_its_first_page(browser: TestClient) -> None:
    assert browser.get("/").text == browser.get("/index.html").text
    assert browser.head("/").headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("path", ["/parts", "/secret.py", "/parts/../secret.py", "/none.js"])
def test_nothing_else_is_there(browser: TestClient, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_files_are_only_read(browser: TestClient) -> None:
    answer = browser.post("/parts/board.js")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_there_is_no_socket_among_files(browser: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/parts/board.js"):
        pass


def test_every_file_of_the_page_is_served(tmp_path: Path) -> None:
    names = [path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_file()]
    client = TestClient(create_app(quiet_settings(tmp_path)))
    assert len(names) > 100
    assert [name for name in names if client.get(f"/{name}").status_code != 200] == []
