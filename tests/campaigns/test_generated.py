"""Generated requests to a running service: whatever is asked, it answers, and never by mistake.

Schemathesis makes requests of the OpenAPI document, half as it describes them and half not. Each is
asked by a stranger and by a table's host, and then again with its bytes damaged in a few ways, for
to make a request takes longer than to answer it. Full size: 100,000.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from api.problems import MEDIA_TYPE
from tests.api.service.test_openapi import DOCUMENT, Home, at_home
from tests.campaigns.serving import Serving, client, open_table
from tests.campaigns.sizes import size

REQUESTS = size(1_000, full=100_000)
EXAMPLES = size(2, full=20)
"""Of a call and a mode at a time; then another call has its turn."""
DAMAGED = size(8, full=20)
"""Damaged ones of each; the figures tell them apart."""
MOST_ROUNDS = 60
ON_PURPOSE = {503, 507}
SCRAPS = (b"", b"\0", b"\xff\xfe", b'"', b"{", b"]", b"-1", b"1e999", b"9" * 400, b"null", b"\r\n")


@dataclass
class Asked:
    """What was answered, and what should not have been."""

    home: Home
    session: requests.Session = field(default_factory=requests.Session)
    random: Random = field(default_factory=lambda: Random(11))
    statuses: Counter[int] = field(default_factory=Counter)
    generated: int = 0
    mistakes: list[str] = field(default_factory=list)

    def ask(self, case: Any) -> None:
        """Ask as a stranger who asks for anything, and as somebody who is at home."""
        self._ask(case, {})
        headers = at_home(case, self.home)
        self._ask(case, headers)
        self.generated += 2
        wanted = self._request(case, headers)
        for _ in range(DAMAGED if wanted.body or "?" in str(wanted.url) else 0):
            self._send(self._damaged(wanted))

    def _ask(self, case: Any, headers: dict[str, str]) -> None:
        self._send(self._request(case, headers))

    def _request(self, case: Any, headers: dict[str, str]) -> requests.PreparedRequest:
        told = case.as_transport_kwargs(base_url=self.home.url, headers=headers)
        return self.session.prepare_request(requests.Request(**told))

    def _damaged(self, wanted: requests.PreparedRequest) -> requests.PreparedRequest:
        """The same request with a part of its body, or of its query, changed."""
        damaged = wanted.copy()
        if isinstance(wanted.body, str | bytes):
            body = wanted.body.encode() if isinstance(wanted.body, str) else wanted.body
            damaged.body = self._scratched(body)
            damaged.headers["Content-Length"] = str(len(damaged.body))
        else:
            place, _, query = str(wanted.url).partition("?")
            scratched = self._scratched(query.encode())
            damaged.url = f"{place}?{quote(scratched, safe='=&%')}"
        return damaged

    def _scratched(self, content: bytes) -> bytes:
        start = self.random.randrange(len(content) + 1)
        end = min(len(content), start + self.random.choice((0, 1, 1, 4, 50)))
        return content[:start] + self.random.choice(SCRAPS) + content[end:]

    def _send(self, request: requests.PreparedRequest) -> None:
        answer = self.session.send(request, timeout=120, stream=True)
        with answer:
            self.statuses[answer.status_code] += 1
            if answer.status_code < 400:
                if not answer.headers["content-type"].startswith("text/event-stream"):
                    _ = answer.content
                return
            kind = answer.headers.get("content-type")
            meant = answer.status_code in ON_PURPOSE and "retry-after" in answer.headers
            _ = answer.content
        if kind != MEDIA_TYPE or (answer.status_code >= 500 and not meant):
            self.mistakes.append(f"{request.method} {request.path_url}: {answer.status_code}")


def generate(asked: Asked, operation: Any, mode: GenerationMode) -> None:
    """Ask one call in one mode, a few times."""

    @settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        asked.ask(case)

    try:
        ask()
    except (Unsatisfiable, pytest.skip.Exception):
        """There is nothing about this call that could be wrong."""


@pytest.mark.slow
def test_no_generated_request_meets_a_mistake(tmp_path: Path, tell: Callable[[str], None]) -> None:
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    operations = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    with Serving(tmp_path / "data") as serving:
        with client(serving.url) as asking:
            table = open_table(asking, ("Ada", "Ben"))
            state = asking.get(f"/v1/tables/{table.id}", headers=table.headers).json()
        asked = Asked(Home(serving.url, table.id, state["code"], table.token))
        for _ in range(MOST_ROUNDS):
            for operation in operations:
                for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                    if asked.statuses.total() < REQUESTS:
                        generate(asked, operation, mode)
        serving.stop()
    log = (tmp_path / "data.log").read_text()
    tell(
        f"{asked.statuses.total()} requests, {asked.generated} as generated and the others "
        f"damaged: {dict(sorted(asked.statuses.items()))}."
    )
    assert asked.statuses.total() >= REQUESTS
    assert not asked.mistakes, Counter(asked.mistakes).most_common(10)
    assert '"level": "error"' not in log
