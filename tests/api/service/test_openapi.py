"""The OpenAPI document: complete, with examples that hold, and kept to by every answer.

Schemathesis makes requests of it: such as it describes and such as it does not, to a service that
runs as it does for players. Nothing may be answered that the document does not promise, and
nothing by 500.
"""

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
import uvicorn
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    missing_required_header,
    negative_data_rejection,
    positive_data_acceptance,
)

from api.http.addresses import listen
from api.http.app import create_app
from api.problems import MEDIA_TYPE
from tests.api.conftest import quiet_settings
from tests.campaigns.sizes import size

DOCUMENT = create_app(quiet_settings(Path("nowhere"))).openapi()
OPERATIONS = [
    pytest.param(path, method, id=f"{method.upper()} {path}")
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
]
brief, long = (schemathesis.openapi.from_dict(DOCUMENT) for _ in range(2))
brief.config.phases.coverage.enabled = False

WITHOUT = [
    # What the rules refuse no schema can tell: cards in the deck, layouts that stand.
    positive_data_acceptance,
    # A form's field is a text, whatever it should be; an unknown one is nobody's business.
    negative_data_rejection,
    # They take every refusal that comes before the question for a token for leave to enter.
    ignored_auth,
    missing_required_header,
]


@dataclass
class Home:
    """A running service with one table in it."""

    url: str
    table: str
    code: str
    token: str


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    listener = listen("127.0.0.1", 0)
    app = create_app(quiet_settings(tmp_path_factory.mktemp("home")))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    opened = requests.post(f"{url}/v1/tables", json={"players": ["Ada", "Ben"]}, timeout=60).json()
    home = Home(url, opened["id"], opened["code"], opened["host_token"])
    headers = {"Authorization": f"Bearer {home.token}"}
    requests.post(f"{url}/v1/tables/{home.table}/rounds", json={}, headers=headers, timeout=60)
    yield home
    server.should_exit = True
    thread.join(30)
    listener.close()


def at_home(case: Any, home: Home) -> dict[str, str]:
    """The case made one about the table that is there, by its host, who may do everything."""
    known = {"table": home.table, "code": home.code, "player": "Ada", "number": 1}
    for name in case.path_parameters or {}:
        if name in known and case.method != "DELETE" and not case.path.endswith("/events"):
            case.path_parameters[name] = known[name]
    return {"Authorization": f"Bearer {home.token}"}


def keeps_to_the_document(case: Any, home: Home) -> None:
    """Ask twice: as a stranger who asks for anything, and as somebody who is at home."""
    _ask(case, home, None)
    _ask(case, home, at_home(case, home))


def _ask(case: Any, home: Home, headers: dict[str, str] | None) -> None:
    answer = case.call(base_url=home.url, headers=headers, timeout=120)
    if answer.content == b"Invalid HTTP request received.":
        return  # headers that are no HTTP: the server's parser says so, no call was made
    case.validate_response(answer, excluded_checks=WITHOUT, headers=headers)


RELAXED = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@brief.parametrize()
@settings(max_examples=3, derandomize=True, suppress_health_check=RELAXED, database=None)
def test_every_answer_is_as_described(case: Any, home: Home) -> None:
    keeps_to_the_document(case, home)


@pytest.mark.slow
@pytest.mark.campaign
@long.parametrize()
@settings(max_examples=size(small=25, full=100), suppress_health_check=RELAXED, database=None)
def test_every_answer_is_as_described_at_length(case: Any, home: Home) -> None:
    keeps_to_the_document(case, home)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_call_is_described(path: str, method: str) -> None:
    operation = DOCUMENT["paths"][path][method]
    assert operation["description"]
    for status, answer in operation["responses"].items():
        if int(status) >= 400:
            assert list(answer["content"]) == [MEDIA_TYPE], status
    named = set(re.findall(r"{(\w+)}", path))
    assert named == {entry["name"] for entry in _parameters(operation) if entry["in"] == "path"}


def _parameters(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return list(operation.get("parameters", []))


def test_operations_have_names_of_their_own() -> None:
    names = [o["operationId"] for m in DOCUMENT["paths"].values() for o in m.values()]
    assert len(set(names)) == len(names)


def test_examples_are_as_described() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    seen = 0
    for name, described in schemas.items():
        examples = [described["example"]] if "example" in described else []
        examples += described.get("examples", [])
        whole = {"components": DOCUMENT["components"], "$ref": f"#/components/schemas/{name}"}
        for example in examples:
            Draft202012Validator(whole).validate(example)
            seen += 1
    assert seen >= 5


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_question_has_an_example(path: str, method: str) -> None:
    asked = DOCUMENT["paths"][path][method].get("requestBody", {"content": {}})["content"]
    if "application/json" not in asked:
        return
    schema = asked["application/json"]["schema"]
    if "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    assert "example" in schema or schema.get("examples")


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_answer_has_an_example(path: str, method: str) -> None:
    """Recorded ones that are out of date: run ``python -m lab.dimension.record_examples``."""
    for status, answer in DOCUMENT["paths"][path][method]["responses"].items():
        told = answer.get("content", {}).get("application/json")
        if status.startswith("2") and told:
            schema = DOCUMENT["components"]["schemas"][told["schema"]["$ref"].rpartition("/")[2]]
            assert "example" in schema or schema.get("examples")


def test_examples_of_answers_are_what_is_answered(service: TestClient) -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for path, question, answer in (
        ("/v1/scores", "ScoreQuestion", "ScoreAnswer"),
        ("/v1/solutions", "SolutionQuestion", "SolutionAnswer"),
    ):
        told = service.post(path, json=schemas[question]["examples"][0]).json()
        assert told == schemas[answer]["examples"][0]


def test_examples_of_questions_are_answered(service: TestClient) -> None:
    for path, name in (("/v1/scores", "ScoreQuestion"), ("/v1/solutions", "SolutionQuestion")):
        for example in DOCUMENT["components"]["schemas"][name]["examples"]:
            answer = service.post(path, json=example)
            assert answer.status_code == 200, answer.text


def test_the_document_is_served_and_so_is_its_page(service: TestClient) -> None:
    assert service.get("/v1/openapi.json").json() == DOCUMENT
    page = service.get("/docs").text
    for path in DOCUMENT["paths"]:
        assert f"<code>{path}</code>" in page


def test_live_cameras_are_described() -> None:
    assert "/v1/live" in DOCUMENT["info"]["description"]
