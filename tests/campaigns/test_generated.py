"""Generated requests to a running service: whatever is asked, it answers, and never by mistake.

Schemathesis makes requests of the OpenAPI document, half as it describes them and half not. Each is
asked by a stranger and by a table's host. Full size (100,000) with ``TRAYSCORE_CAMPAIGN=full``.
"""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode

from api.problems import MEDIA_TYPE
from tests.api.service.test_openapi import DOCUMENT, Home, at_home
from tests.campaigns.serving import Serving, client, open_table

FULL = os.environ.get("TRAYSCORE_CAMPAIGN") == "full"
REQUESTS = 100_000 if FULL else 300
EXAMPLES = 100 if FULL else 15
"""Of a call and a mode at a time; then another call has its turn."""
MOST_ROUNDS = 60
ON_PURPOSE = {503, 507}
HEALTH = list(HealthCheck)


@dataclass
class Asked:
    """What was answered, and what should not have been."""

    home: Home
    session: requests.Session = field(default_factory=requests.Session)
    statuses: Counter[int] = field(default_factory=Counter)
    mistakes: list[str] = field(default_factory=list)

    def ask(self, case: Any) -> None:
        """Ask twice: as a stranger who asks for anything, and as somebody who is at home."""
        self._ask(case, None)
        self._ask(case, at_home(case, self.home))

    def _ask(self, case: Any, headers: dict[str, str] | None) -> None:
        answer = case.call(
            base_url=self.home.url, session=self.session, headers=headers, timeout=120
        )
        self.statuses[answer.status_code] += 1
        if answer.status_code < 400:
            return
        kind = answer.headers.get("content-type", [""])[0]
        if kind != MEDIA_TYPE or (answer.status_code >= 500 and not self._meant(answer)):
            self.mistakes.append(f"{case.method} {case.path}: {answer.status_code} {kind}")

    def _meant(self, answer: Any) -> bool:
        return answer.status_code in ON_PURPOSE and "retry-after" in answer.headers


def generate(asked: Asked, operation: Any, mode: GenerationMode) -> None:
    """Ask one call in one mode, a few times."""

    @settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=HEALTH,
        print_blob=False,
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
    operations = [result.ok() for result in schema.get_all_operations()]
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
    tell(f"{asked.statuses.total()} generated requests: {dict(sorted(asked.statuses.items()))}.")
    assert asked.statuses.total() >= REQUESTS
    assert not asked.mistakes, Counter(asked.mistakes).most_common(10)
    assert '"level": "error"' not in log
