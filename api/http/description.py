"""What the service says of itself: its OpenAPI document, and that document as a plain page."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import FastAPI
from starlette.types import Lifespan

from api.http.examples import examples
from api.problems import MEDIA_TYPE, refusals
from api.versions import program_version

Json = dict[str, Any]

ABOUT = """
Errors are problem+json (RFC 9457) with a stable `code`. Tokens go in `Authorization: Bearer`.

**Live cameras** speak over WebSockets, which OpenAPI does not describe: `/v1/live`, and
`/v1/tables/{id}/live` at a table. The first message is JSON, `{"token": …, "tray": …, "player": …}`
(each may be left out where it is not needed; `player` says whose tray the camera looks at, so that
it is read by that player's profile); then each binary message is a frame (JPEG or WebP, up to the
size that is set). Each answer is JSON: the light reading of a frame, with `frame`, its number from
1. While one frame is read, the others are skipped except the newest. A refusal is
`{"problem": {…}}`, and the connection is closed.
"""


class DescribedApi(FastAPI):
    """FastAPI whose OpenAPI document says that errors are problems, and nothing else."""

    def __init__(self, lifespan: Lifespan["DescribedApi"]) -> None:
        super().__init__(
            title="Trayscore",
            summary="Photograph a tray; get its layout, verdicts and score.",
            description=ABOUT,
            version=program_version(),
            openapi_url="/v1/openapi.json",
            docs_url=None,  # FastAPI's would load scripts from the internet: see ``as_page``
            redoc_url=None,
            lifespan=lifespan,
            responses=refusals(422, 429),
            generate_unique_id_function=lambda route: route.name,
        )

    def openapi(self) -> Json:
        """The document."""
        if self.openapi_schema is None:
            document = super().openapi()
            schemes = document["components"].setdefault("securitySchemes", {})
            schemes["token"] = {"type": "http", "scheme": "bearer"}
            for name, given in examples().items():
                document["components"]["schemas"][name]["examples"] = given
            for path, operation in _operations(document):
                if "/{table}" in path:  # what is known by a code only is open to who has the code
                    operation["security"] = [{"token": []}]
                for answer in operation["responses"].values():
                    if MEDIA_TYPE in answer.get("content", {}):
                        answer["content"].pop("application/json", None)
            self.openapi_schema = document
        return self.openapi_schema


def as_page(document: Json) -> str:
    """The document for people: one plain page without a script."""
    about = document["info"]
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width, initial-scale=1'>",
        f"<title>{escape(about['title'])}: the API</title>",
        "<link rel=stylesheet href='/plain.css'></head><body>",
        f"<h1>{escape(about['title'])}: the API</h1><p>{escape(about.get('summary', ''))}</p>",
        f"<pre>{escape(about.get('description', '').strip())}</pre>",
        "<p>For programs: <a href='/v1/openapi.json'>OpenAPI</a></p>",
        *(
            _operation(path, method, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        ),
        "<h2>What is sent and answered</h2>",
        *map(_schema, sorted(document["components"]["schemas"].items())),
        "</body></html>",
    ]
    return "\n".join(parts)


def _operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in document["paths"].items():
        yield from ((path, operation) for operation in methods.values())


def _operation(path: str, method: str, operation: Json) -> str:
    rows = [
        f"<tr><td><code>{escape(parameter['name'])}</code></td>"
        f"<td>{escape(parameter['in'])}</td>"
        f"<td>{escape(parameter.get('description', ''))}</td></tr>"
        for parameter in operation.get("parameters", [])
    ]
    bodies = operation.get("requestBody", {}).get("content", {})
    rows += [
        f"<tr><td>body</td><td>{escape(kind)}</td><td>{_name(body.get('schema', {}))}</td></tr>"
        for kind, body in bodies.items()
    ]
    rows += [
        f"<tr><td>{escape(status)}</td><td>{escape(answer.get('description', ''))}</td><td>"
        + ", ".join(_name(content.get("schema", {})) for content in _contents(answer))
        + "</td></tr>"
        for status, answer in operation["responses"].items()
    ]
    return (
        f"<h3><span class=method>{method.upper()}</span> <code>{escape(path)}</code></h3>"
        f"<p>{escape(operation.get('description', ''))}</p><table>{''.join(rows)}</table>"
    )


def _contents(answer: Json) -> list[Json]:
    return list(answer.get("content", {}).values())


def _name(schema: Json) -> str:
    """A schema's name, as a link to it; nothing for one without a name."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return f"<a href='#{escape(name)}'>{escape(name)}</a>" if name else ""


def _schema(entry: tuple[str, Json]) -> str:
    name, schema = entry
    text = escape(json.dumps(schema, indent=1, ensure_ascii=False))
    return (
        f"<details id='{escape(name)}'><summary><code>{escape(name)}</code></summary>"
        f"<pre>{text}</pre></details>"
    )
