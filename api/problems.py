"""Refusals as clients see them: RFC 9457 problem+json with a stable ``code``.

Code raises them in English; ``api.translation`` knows the German.
"""

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from api.storage.failures import DatabaseError, DiskFull, StorageAway, of_disk
from api.translation import Language, in_german, preferred
from rules.errors import RulesError

MEDIA_TYPE = "application/problem+json"
_OWN_CODES = ("bad_name", "names_alike")
"""Errors of validation that clients tell apart from other bad requests."""

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
        german: str | None = None,
    ) -> None:
        """``german`` is looked up (``api.translation``) unless it is given."""
        super().__init__(status, text, dict(headers or {}))
        self.status = status
        self.code = code
        self.text = text
        self.errors = errors
        self._german = german

    @property
    def german(self) -> str:
        """The text in German; in English where nobody has translated it."""
        return self._german or in_german(self.code, self.text) or self.text

    def to_json(self, language: Language = "en") -> dict[str, Any]:
        """The problem as in RFC 9457; ``code``, ``text`` and ``errors`` are our additions."""
        body = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.german if language == "de" else self.text,
            "text": {"en": self.text, "de": self.german},
        }
        if self.errors is None:
            return body
        return {**body, "errors": [_told(error, language) for error in self.errors]}

    def response(self, language: Language = "en") -> Response:
        """The answer to send."""
        # Texts quote what clients sent, halves of characters too: plain ASCII can always be sent.
        body = json.dumps(self.to_json(language), ensure_ascii=True)
        headers = {
            **(self.headers or {}),
            "Content-Language": language,
            "Vary": "Accept-Language",
        }
        return Response(body, self.status, headers, MEDIA_TYPE)


def language_of(connection: HTTPConnection) -> Language:
    """The language that a request wants to be answered in."""
    return preferred(connection.headers.get("accept-language"))


def _told(error: dict[str, Any], language: Language) -> dict[str, Any]:
    """One of the errors of a problem, its text in this language."""
    told = in_german(None, str(error.get("text"))) if language == "de" else None
    return error if told is None else {**error, "text": told}


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
                "text": {
                    "en": "more:KO is not in the deck.",
                    "de": "more:KO ist nicht im Kartenstapel.",
                },
            }
        }
    )

    type: str
    title: str
    status: int
    code: str = Field(description="stable: programs may rely on it")
    detail: str = Field(
        description="for people: what is wrong and what to do, in the language of Accept-Language"
    )
    text: dict[str, str] = Field(description="the same in every language, by `en` and `de`")
    errors: list[ProblemDetail] | None = Field(
        None, description="everything that is wrong, one by one"
    )


_MEANINGS = {
    400: "not understood",
    401: "a token is missing or unknown",
    403: "the token does not allow this",
    404: "there is no such thing",
    405: "not with this method",
    408: "the request took too long to arrive",
    409: "not in this state",
    410: "it is gone",
    411: "the Content-Length is missing",
    412: "the table has changed in the meantime",
    413: "too large",
    415: "wrong content type",
    414: "the address is too long",
    421: "the service does not answer to this hostname",
    422: "well-formed, but not possible",
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
    async def refused(request: Request, problem: Problem) -> Response:
        return _answer(request, problem)

    @app.exception_handler(RulesError)
    async def against_the_rules(request: Request, error: RulesError) -> Response:
        return _answer(request, of_rules(error))

    @app.exception_handler(DatabaseError)
    async def not_kept(request: Request, error: DatabaseError) -> Response:
        if not isinstance(error, StorageAway):
            raise error  # a mistake of ours
        return _answer(request, of_storage(error))

    @app.exception_handler(OSError)
    async def not_written(request: Request, error: OSError) -> Response:
        away = of_disk(error)
        if away is None:
            raise error
        return _answer(request, of_storage(away))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return _answer(request, of_validation(error))

    @app.exception_handler(HTTPException)
    async def by_the_framework(request: Request, error: HTTPException) -> Response:
        code = HTTPStatus(error.status_code).name.lower()
        problem = Problem(error.status_code, code, str(error.detail), headers=error.headers)
        return _answer(request, problem)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, _: Exception) -> Response:
        text = "Something went wrong here. It is in the log, and nothing was changed."
        return _answer(request, Problem(500, "internal", text))


def _answer(request: Request, problem: Problem) -> Response:
    return problem.response(language_of(request))


def of_rules(error: RulesError) -> Problem:
    """What the rules refuse is 422 with the rules' own code."""
    errors = [problem.to_json() for problem in error.problems]
    return Problem(422, error.code, error.text, errors=errors or None)


def of_storage(error: StorageAway) -> Problem:
    """A full disk is 507, a database that does not answer is 503; both may be over soon."""
    _log.warning(f"refused for now ({error.code}): {error.text}")
    later = {"Retry-After": str(error.retry_s)}
    status = 507 if isinstance(error, DiskFull) else 503
    return Problem(status, error.code, error.text, headers=later)


def of_validation(error: RequestValidationError) -> Problem:
    """A request that does not have the form that OpenAPI describes: everything wrong, at once."""
    if any(wrong["type"] == "json_invalid" for wrong in error.errors()):
        return Problem(400, "bad_json", "The body is not JSON.")
    errors = _each(error)
    for wrong in error.errors():
        if wrong["type"] in _OWN_CODES:
            return Problem(422, wrong["type"], wrong["msg"], errors=errors)
    text = f"The request is not valid: {_listed(errors)}"
    german = f"Die Anfrage ist ungültig: {_listed([_told(one, 'de') for one in errors])}"
    return Problem(422, "bad_request", text, errors=errors, german=german)


def _listed(errors: list[dict[str, Any]]) -> str:
    return "; ".join(f"{one['where']}: {one['text']}" for one in errors[:5])


def _each(error: RequestValidationError) -> list[dict[str, Any]]:
    return [
        {"where": ".".join(map(str, wrong["loc"])), "text": str(wrong["msg"])}
        for wrong in error.errors()
    ]
