"""The web page's files, and the pages that go with them."""

from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

router = APIRouter(include_in_schema=False)

PAGE = Path(str(files("api") / "page"))


class PageFiles(StaticFiles):
    """The page's files; browsers ask each time whether they are still the newest."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or 304 if the browser has it already."""
        response = await super().get_response(path, scope)
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


def add_page(app: FastAPI) -> None:
    """Serve the page at ``/``. Last of all: it answers whatever no route does."""
    app.mount("/", PageFiles(directory=PAGE, html=True), name="page")
