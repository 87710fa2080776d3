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
TRIES = 2
"""A run that something else on the machine disturbed is taken once more."""
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


@dataclass(frozen=True)
class Outcome:
    """What others met before and during an attack."""

    usual: Answers
    attacked: Answers
    followed: bool
    lines: list[str]
    memory: float

    @property
    def times(self) -> tuple[float, float]:
        """How many times the usual median and 95 % answers took."""
        return (
            self.attacked.median_ms / self.usual.median_ms,
            self.attacked.late_ms / self.usual.late_ms,
        )

    @property
    def as_usual(self) -> bool:
        """Whether others waited little longer than usual."""
        return self.times[0] <= MEDIAN_TIMES and self.times[1] <= LATE_TIMES


def attacked_service(case: Case, tmp_path: Path, tell: Callable[[str], None]) -> Outcome:
    """One run: as usual and under attack by turns, against a service of its own."""
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
    outcome = Outcome(usual, attacked, followed, lines, memory)
    median, late = outcome.times
    tell(
        f"{case.count} {case.kind} from one address: others usually wait {usual}; "
        f"meanwhile {attacked} (times {median:.2f} and {late:.2f}); "
        f"{len(attacked.seconds)} asked, {len(attacked.failures)} failed. "
        f"The attacker saw {answered}; {len(lines)} lines in the log, {memory:.0f} MB at most."
    )
    return outcome


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize("case", CASES, ids=[case.kind for case in CASES])
def test_others_are_answered_as_usual(
    case: Case, tmp_path_factory: pytest.TempPathFactory, tell: Callable[[str], None]
) -> None:
    runs: list[Outcome] = []
    while len(runs) < TRIES and not any(run.as_usual for run in runs):  # machines are noisy
        runs.append(attacked_service(case, tmp_path_factory.mktemp("run"), tell))
    assert any(run.as_usual for run in runs)
    for run in runs:
        assert not run.usual.failures
        assert not run.attacked.failures
        assert run.followed
        assert len(run.lines) <= MOST_LINES
        assert not any("Traceback" in line for line in run.lines)
        assert run.memory <= SERVICE_MB
