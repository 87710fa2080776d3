"""One address asks for as much as it can; another is answered as if nothing were the matter.

Usual and attacked answers are taken by turns in the same run, so that whatever else the machine
does falls on both.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.campaigns.attacking import Attack, Attacker
from tests.campaigns.neighbour import Answers, Ask, ask_for_a_while
from tests.campaigns.serving import CARDS, SAMPLES, Serving, Table, client, open_table
from tests.campaigns.sizes import size
from tests.campaigns.test_load import peak_mb

ROUNDS, SECONDS = size(3, full=6), size(3, full=10)
REAL = {"RATE_PER_MINUTE": "1800", "ADDRESS_RATE_PER_MINUTE": "9000"}
"""The limits as players have them."""
MEDIAN_TIMES, LATE_TIMES = 2.0, 4.0
MOST_LINES = 60
"""In the log, besides those of the neighbour's requests and of requests that were answered."""
SERVICE_MB = 600


@dataclass(frozen=True)
class Case:
    """An attack, and how many files the service may open."""

    kind: str
    count: int
    files: int | None = None


CASES = [
    Case("slow bodies", 520),
    Case("slow heads", 520),
    Case("event streams", 520),
    Case("idle connections", 1100, files=1024),
    Case("idle cameras", 16),
    Case("large uploads", 12),
    Case("solver calls", 24),
    Case("flood", 64),
]


def asks(table: Table) -> list[Ask]:
    """What a device asks in the course of a game."""
    question = json.dumps({"layout": "OKBGGWB/K.B.O./K", "cards": CARDS}).encode()
    return [
        Ask("GET", "/v1/health"),
        Ask("GET", f"/v1/tables/{table.id}", table.token),
        Ask("POST", "/v1/scores", "", question),
        Ask("GET", "/v1/deck"),
        Ask("POST", "/v1/solutions", "", json.dumps({"cards": CARDS}).encode()),
    ]


def a_camera_is_followed(url: str) -> bool:
    """Whether a live camera of the neighbour gets an answer."""
    with connect(url.replace("http", "ws") + "/v1/live", open_timeout=30) as socket:
        socket.send("{}")
        socket.send((SAMPLES / "01006.jpg").read_bytes())
        return "frame" in json.loads(socket.recv(timeout=60))


def lines_beside_requests(log: Path) -> list[str]:
    return [line for line in log.read_text().splitlines() if '"text": "request"' not in line]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case.kind for case in CASES])
def test_others_are_answered_as_usual(
    case: Case, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    usual, attacked = Answers(), Answers()
    with Serving(tmp_path / "data", dict(REAL), files=case.files) as serving:
        with client(serving.url) as asking:
            table, theirs = (open_table(asking, ("Ada", "Ben")) for _ in range(2))
        path = f"/v1/tables/{theirs.id}" + ("/events" if case.kind == "event streams" else "")
        token = theirs.token if case.kind in ("event streams", "flood") else ""
        attack = Attack(case.kind, case.count, path, token)
        ask_for_a_while(serving.url, asks(table), 1.0, Answers())  # all is warm
        assert a_camera_is_followed(serving.url)
        with Attacker(serving.url, attack, tmp_path / "plan.json") as attacker:
            for _ in range(ROUNDS):
                ask_for_a_while(serving.url, asks(table), SECONDS, usual)
                attacker.attack()
                ask_for_a_while(serving.url, asks(table), SECONDS, attacked)
                followed = a_camera_is_followed(serving.url)
                answered = attacker.rest()
            ask_for_a_while(serving.url, asks(table), SECONDS, usual)
        memory = peak_mb(serving.pid)
        serving.stop()
    lines = lines_beside_requests(tmp_path / "data.log")
    tell(
        f"{case.count} {case.kind} from one address: others usually wait {usual}; "
        f"meanwhile {attacked} (times {attacked.median_ms / usual.median_ms:.2f} and "
        f"{attacked.late_ms / usual.late_ms:.2f}); {len(attacked.seconds)} asked, "
        f"{len(attacked.failures)} failed. The attacker saw {answered}; "
        f"{len(lines)} lines in the log, {memory:.0f} MB at most."
    )
    assert not usual.failures
    assert not attacked.failures
    assert followed
    assert attacked.median_ms <= MEDIAN_TIMES * usual.median_ms
    assert attacked.late_ms <= LATE_TIMES * usual.late_ms
    assert len(lines) <= MOST_LINES
    assert not any("Traceback" in line for line in lines)
    assert memory <= SERVICE_MB
