"""How often anything may be done at a table, so that no token fills the disk.

Each number is many times what a game takes. A ledger that holds more, from before there were
bounds, stays as it is: it only takes no more of the kind.
"""

from collections.abc import Mapping
from typing import Any

from api.problems import Problem
from api.tables.record import Record, tallied

MOST = {"dispute_opened": 20, "dispute_photos": 20, "tray_set": 50, "pin_set": 50}
"""By kind of entry, where it is not the number below. Photos, profiles and readings are long."""
MOST_ALIKE = 100
"""Of all other kinds, for one player in one round."""
MOST_UNUSED = 200
"""Answers kept for requests that changed nothing, beyond one for each entry."""

_WORDS = {
    "tray_submitted": "sent in",
    "tray_corrected": "corrected",
    "tray_set": "measured or set",
    "dispute_opened": "disputed",
    "dispute_consent": "said to hold something",
}


def refuse_endless(record: Record, kind: str, body: Mapping[str, Any], actor: str) -> None:
    """Raise ``Problem`` if this was done as often as it may be."""
    most = MOST.get(kind, MOST_ALIKE)
    if record.tally.get(tallied(kind, body, actor), 0) < most:
        return
    player, number = body.get("player"), body.get("round")
    whose = f"the tray of {player}" if kind in _WORDS and player else "this"
    when = "" if number is None else f" in round {number}"
    done = _WORDS.get(kind, "done")
    text = f"It was {most} times that {whose} was {done}{when}; no more are taken."
    raise Problem(409, "too_many", text)


def refuse_idle(kept: int, length: int) -> None:
    """Raise ``Problem`` if very many requests with keys of their own have changed nothing."""
    if kept > length + MOST_UNUSED:
        text = "Very many requests with a key have changed nothing here: send them without one."
        raise Problem(409, "too_many", text)
