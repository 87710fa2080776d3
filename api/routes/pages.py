"""The web page's files, and the plain pages beside it: the API's, and how to trust the service."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from ssl import PEM_cert_to_DER_cert
from string import Template

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from starlette.routing import BaseRoute, Match, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from api.certificates import authority_file, fingerprint
from api.dependencies import CurrentSettings
from api.description import as_page
from api.problems import Problem
from api.settings import Settings

router = APIRouter(include_in_schema=False)

PAGE = Path(str(files("api") / "page"))
_PLAIN = files("api") / "data" / "pages"


class PageFiles(StaticFiles):
    """The page's files; browsers ask each time whether they are still the newest.

    ``calls`` are the service's: one with a wrong method comes here, as no route answers it.
    """

    def __init__(self, directory: Path, calls: Sequence[BaseRoute]) -> None:
        super().__init__(directory=directory, html=True)
        self._calls = [call for call in calls if isinstance(call, Route)]

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or 304 if the browser has it already."""
        if path == "v1" or path.startswith("v1/"):
            raise self._no_such_call(scope)
        response = await super().get_response(path, scope)
        response.headers.setdefault("Cache-Control", "no-cache")
        return response

    def _no_such_call(self, scope: Scope) -> Problem:
        """What is wrong with a call that no route answers: its method, or all of it."""
        near = [call for call in self._calls if call.matches(scope)[0] is Match.PARTIAL]
        if not near:
            return Problem(404, "not_found", "There is no such call; see /docs.")
        allowed = ", ".join(sorted({method for call in near for method in call.methods or ()}))
        text = f"This call takes {allowed}, not {scope['method']}."
        return Problem(405, "method_not_allowed", text, headers={"Allow": allowed})


def add_page(app: FastAPI, calls: Sequence[BaseRoute]) -> None:
    """Serve the page at ``/``. Last of all: it answers whatever no route does."""
    app.mount("/", PageFiles(PAGE, calls), name="page")


@router.get("/docs")
def docs(request: Request) -> HTMLResponse:
    """The API for people."""
    return HTMLResponse(as_page(request.app.openapi()))


@router.get("/plain.css")
def style() -> Response:
    """How the plain pages look."""
    return Response((_PLAIN / "plain.css").read_bytes(), media_type="text/css")


@router.get("/trust")
def trust(settings: CurrentSettings) -> HTMLResponse:
    """How to trust the service's certificate, device by device."""
    page = Template((_PLAIN / "trust.html").read_text("utf-8"))
    return HTMLResponse(page.substitute(fingerprint=fingerprint(_authority(settings))))


@router.get("/trust/trayscore.crt")
def certificate(settings: CurrentSettings) -> Response:
    """The certificate of the authority that devices are asked to trust."""
    content = PEM_cert_to_DER_cert(_authority(settings).read_text("ascii"))
    return Response(content, media_type="application/x-x509-ca-cert")


def _authority(settings: Settings) -> Path:
    file = authority_file(settings.certificates)
    if not settings.https or not file.is_file():
        text = "There is no certificate to trust: the service was started without --https."
        raise Problem(404, "no_certificate", text)
    return file
