"""The web page's files, and the plain pages beside it: the API's, and how to trust the service."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from ssl import PEM_cert_to_DER_cert
from string import Template

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from starlette.routing import BaseRoute

from api.http.certificates import authority_file, fingerprint
from api.http.dependencies import CurrentSettings
from api.http.description import as_page
from api.http.page_files import PageFiles
from api.problems import Problem
from api.settings import Settings

router = APIRouter(include_in_schema=False)

PAGE = Path(str(files("api") / "page"))
_PLAIN = files("api") / "data" / "pages"


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
