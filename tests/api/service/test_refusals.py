"""The log stays short, whoever wants to fill it."""

import json
import logging
from typing import Any

import pytest

from api.http.logs import JsonLines, Sparing
from api.limits.refusals import MOST_ADDRESSES, PATIENCE, PAUSE_S, Refusals


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [json.loads(JsonLines().format(record)) for record in caplog.records]


def test_an_address_is_told_at_once_and_then_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [0.0]
    refusals = Refusals(lambda: now[0])
    for second in range(120):
        now[0] = second
        refusals.add("192.0.2.7", "too_many_requests")
        refusals.add("192.0.2.7", "busy")
    told = lines(caplog)
    assert len(told) == 3
    assert (told[0]["address"], told[0]["code"]) == ("192.0.2.7", "too_many_requests")
    assert told[1]["codes"] == {"too_many_requests": 60, "busy": 60}


def test_a_thousand_addresses_are_told_together(caplog: pytest.LogCaptureFixture) -> None:
    refusals = Refusals(lambda: 0.0)
    for number in range(5000):
        refusals.add(f"192.0.{number // 256}.{number % 256}", "busy")
    assert len(caplog.records) == MOST_ADDRESSES + 1
    assert lines(caplog)[-1]["address"] == "others"


def test_who_goes_on_asking_is_told_slowly() -> None:
    refusals = Refusals(lambda: 0.0)
    for _ in range(PATIENCE):
        refusals.add("192.0.2.7", "busy")
    assert refusals.pause("192.0.2.7") == 0
    refusals.add("192.0.2.7", "busy")
    assert refusals.pause("192.0.2.7") == PAUSE_S
    assert refusals.pause("192.0.2.8") == 0


def test_the_same_warning_over_and_over_is_left_out_and_counted() -> None:
    now = [0.0]
    sparing = Sparing(most=3, now=lambda: now[0])

    def passes(text: str, level: int = logging.WARNING, line: int = 1) -> logging.LogRecord | None:
        record = logging.LogRecord("uvicorn.error", level, __file__, line, text, (), None)
        return record if sparing.filter(record) else None

    assert [passes("Invalid HTTP request received.") is not None for _ in range(10)] == (
        [True] * 3 + [False] * 7
    )
    assert not passes("Invalid, at index 5")  # other words, but from the same line of the program
    assert passes("something else", line=2)
    assert all(passes("request", logging.INFO) for _ in range(10))
    now[0] = 61.0
    again = passes("Invalid HTTP request received.")
    assert again is not None
    assert json.loads(JsonLines().format(again))["left_out"] == 8
