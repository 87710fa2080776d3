"""Scores as CSV: what a spreadsheet opens is what was played, and nothing else runs."""

import csv
from io import StringIO
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.page.visit import Visit

pytestmark = pytest.mark.slow

SIGNS = ["=", "+", "-", "@", "\u2212", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe66"]
FORMULAS = [
    *(f"{sign}1+1" for sign in SIGNS),
    *(f"{blank}=1+1" for blank in (" ", "\u00a0", "\u3000", "\t", "\r", "\n", "\ufeff", "\u200b")),
    *("\tx", "\rx", "-5", "+5", "=", "-"),
    *("Ada;=1+1", "Ada\t=1+1", "Ada,@x", 'a";=1+1'),
]
NAMES = ["Ada", "Ada Lovelace", "Anna-Lena", "a=b", "O'Neill", 'say "Ada"', "Ben, the other"]


def table(players: list[str]) -> dict[str, Any]:
    """A table's state with so many trays, and points below nothing."""
    score = {"spheres": 11, "failed": 3, "penalty": 6, "points": -5, "bonus": 0}
    trays = [
        {"player": name, "layout": "GWWGBBO/O.K.K./W", "score": score, "late": False}
        for name in players
    ]
    return {
        "rounds": [
            {
                "number": 1,
                "trays": {str(i): {**tray, "corrections": []} for i, tray in enumerate(trays)},
                "cards": ["touch:OB", "exactly:2O"],
                "seal": None,
            }
        ]
    }


def test_no_cell_is_a_formula_and_numbers_are_numbers(service: str, browser: Browser) -> None:
    code = """async (now) => {
      const { csvOf } = await import("/table/saving.js");
      return csvOf(await import("/games/dimension/game.js"), now);
    }"""
    with Visit(browser, service) as visit:
        text = visit.open().evaluate(code, table([*FORMULAS, *NAMES]))
    rows = list(csv.DictReader(StringIO(text, newline="")))
    told = [row["player"] for row in rows]
    for typed, cell in zip(FORMULAS, told, strict=False):
        assert cell.replace("'", "") == typed.replace("'", "")
        for part in cell.replace(",", ";").replace("\t", ";").split(";"):
            assert not part.strip(" \u00a0\u3000\ufeff\u200b\r\n").startswith(tuple(SIGNS)), typed
        assert not cell.startswith(("\t", "\r", "\n"))
    assert told[len(FORMULAS) :] == NAMES
    assert {row["points"] for row in rows} == {"-5"}
