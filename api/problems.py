"""What goes wrong, as clients see it: RFC 9457 problem+json with a stable ``code``."""

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from api.storage.failures import DatabaseError, DiskFull, StorageAway, of_disk
from rules.errors import RulesError

MEDIA_TYPE = "application/problem+json"
_OWN_CODES = ("bad_name", "names_alike")
"""What is wrong in a request and has a code of its own, for pages to say in their language."""

_log = logging.getLogger("trayscore.storage")


class Problem(HTTPException):
    """A request that is refused: HTTP status, a stable code for programs, a text for people."""

    def __init__(
        self,
        status: int,
        code: str,
        text: str,
        *,
        headers: Mapping[str, str] | None = None,
        errors: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(status, text, dict(headers or {}))
        self.status = status
        self.code = code
        self.text = text
        self.errors = errors

    def to_json(self) -> dict[str, Any]:
        """The problem as in RFC 9457; ``code`` and ``errors`` are our additions."""
        body = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.text,
        }
        return body if self.errors is None else {**body, "errors": self.errors}

    def response(self) -> Response:
        """The answer to send."""
        # Texts quote what clients sent, halves of characters too: plain ASCII can always be sent.
        body = json.dumps(self.to_json(), ensure_ascii=True)
        return Response(body, self.status, dict(self.headers or {}), MEDIA_TYPE)


class ProblemDetail(BaseModel):
    """One thing that is wrong: where in the request, and a sentence for people."""

    model_config = ConfigDict(extra="allow")

    where: str | None = None
    text: str


class ProblemBody(BaseModel):
    """A refusal (RFC 9457)."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "Unprocessable Entity",
                "status": 422,
                "code": "not_in_deck",
                "detail": "more:KO is not in the deck.",
            }
        }
    )

    type: str
    title: str
    status: int
    code: str = Field(description="stable: programs may rely on it")
    detail: str = Field(description="for people: what is wrong and what to do about it")
    errors: list[ProblemDetail] | None = Field(None, description="all that is wrong, one by one")


_MEANINGS = {
    400: "not understood",
    401: "a token is missing or unknown",
    403: "the token does not allow this",
    404: "there is no such thing",
    405: "not with this method",
    408: "the request did not come to its end",
    409: "not in this state",
    410: "it is gone",
    411: "the length of the body is missing",
    412: "the table has changed meanwhile",
    413: "too large",
    415: "not the right kind of content",
    414: "the address is too long",
    421: "the service is not known by this name",
    422: "well-formed, but it cannot be",
    429: "too many requests; Retry-After says when to try again",
    431: "the headers are too large",
    500: "our mistake",
    503: "busy, or the database is away; Retry-After says when to try again",
    507: "the disk is full; Retry-After says when to try again",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that may refuse with these statuses, for OpenAPI."""
    schema = {"$ref": "#/components/schemas/ProblemBody"}
    return {
        status: {
            "description": _MEANINGS[status],
            "model": ProblemBody,
            "content": {MEDIA_TYPE: {"schema": schema}},
        }
        for status in statuses
    }


def add_problem_handlers(app: FastAPI) -> None:
    """Have every refusal of the app answered as a problem."""

    @app.exception_handler(Problem)
    async def refused(_: Request, problem: Problem) -> Response:
        return problem.response()

    @app.exception_handler(RulesError)
    async def against_the_rules(_: Request, error: RulesError) -> Response:
        return of_rules(error).response()

    @app.exception_handler(DatabaseError)
    async def not_kept(_: Request, error: DatabaseError) -> Response:
        if not isinstance(error, StorageAway):
            raise error  # a mistake of ours
        return of_storage(error).response()

    @app.exception_handler(OSError)
    async def not_written(_: Request, error: OSError) -> Response:
        away = of_disk(error)
        if away is None:
            raise error
        return of_storage(away).response()

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Response:
        return of_validation(error).response()

    @app.exception_handler(HTTPException)
    async def by_the_framework(_: Request, error: HTTPException) -> Response:
        code = HTTPStatus(error.status_code).name.lower()
        return Problem(error.status_code, code, str(error.detail), headers=error.headers).response()

    @app.exception_handler(Exception)
    async def unforeseen(_: Request, __: Exception) -> Response:
        text = "Something went wrong here; it is in the log. Nothing was changed."
        return Problem(500, "internal", text).response()


def of_rules(error: RulesError) -> Problem:
    """What the rules refuse is 422 with the rules' own code."""
    errors = [problem.to_json() for problem in error.problems]
    return Problem(422, error.code, error.text, errors=errors or None)


def of_storage(error: StorageAway) -> Problem:
    """A full disk is 507, a database that does not answer 503; both may be over soon."""
    _log.warning(f"refused for now ({error.code}): {error.text}")
    later = {"Retry-After": str(error.retry_s)}
    status = 507 if isinstance(error, DiskFull) else 503
    return Problem(status, error.code, error.text, headers=later)


def of_validation(error: RequestValidationError) -> Problem:
    """A request that is not of the form OpenAPI describes: everything that is wrong, at once."""
    if any(wrong["type"] == "json_invalid" for wrong in error.errors()):
        return Problem(400, "bad_json", "The body is not JSON.")
    errors = _each(error)
    for wrong in error.errors():
        if wrong["type"] in _OWN_CODES:
            return Problem(422, wrong["type"], wrong["msg"], errors=errors)
    text = "; ".join(f"{one['where']}: {one['text']}" for one in errors[:5])
    return Problem(422, "bad_request", f"The request is not as it should be: {text}", errors=errors)


def _each(error: RequestValidationError) -> list[dict[str, Any]]:
    return [
        {"where": ".".join(map(str, wrong["loc"])), "text": str(wrong["msg"])}
        for wrong in error.errors()
    ]
