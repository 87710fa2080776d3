"""The page asks the service only for what it has, and knows the game as the rules do."""

import re

from fastapi.routing import APIWebSocketRoute

from api.http.app import create_app
from api.http.routes.every import ROUTES
from rules.dimension.rulings import ruling_choices
from tests.page.source import entries, modules, text_of


def test_every_call_is_in_the_openapi_document() -> None:
    described = {
        f"{method.upper()} {path}"
        for path, methods in create_app().openapi()["paths"].items()
        for method in methods
    }
    calls = {value for value in entries("service/endpoints.js").values() if " " in value}
    assert len(calls) >= 7
    assert calls <= described


def test_every_socket_is_a_route() -> None:
    routes = {
        route.path
        for part in ROUTES
        for route in part.router.routes
        if isinstance(route, APIWebSocketRoute)
    }
    sockets = {value for value in entries("service/endpoints.js").values() if " " not in value}
    assert sockets
    assert sockets <= routes


def test_every_call_that_is_named_is_made() -> None:
    code = "\n".join(text for path, text in modules().items() if path != "service/endpoints.js")
    known = set(entries("service/endpoints.js"))
    called = set(re.findall(r'\b(?:call|socket|endpointAddress)\(\s*"(\w+)"', code))
    assert called <= known
    unused = {name for name in known if not re.search(rf'"{name}"|ENDPOINTS\.{name}\b', code)}
    assert unused == set()


def test_rulings_are_those_of_the_rules() -> None:
    text = text_of("games/dimension/rulings.js")
    listed = dict(re.findall(r"^  (\w+): \[(.*)\],$", text, re.MULTILINE))
    choices = {name: tuple(re.findall(r'"(\w+)"', values)) for name, values in listed.items()}
    assert choices == ruling_choices()
