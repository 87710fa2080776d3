"""Examples of questions and answers, by the names of their schemas, for the OpenAPI document."""

from collections.abc import Callable
from typing import Any, cast

from api.games.registry import games_with, part

Json = dict[str, Any]

_TABLE, _TOKEN = "akadnf66gbhyqkegc5xk", "Zk3vT0b1hYw5mJ8sQe2xUA"

_SERVICE: dict[str, list[Json]] = {
    "Health": [{"status": "ready", "readers": 2, "readers_wanted": 2, "waiting": 0, "cameras": 0}],
}

_TABLES: dict[str, list[Json]] = {
    "Opened": [{"id": _TABLE, "code": "KWHRBT", "host_token": _TOKEN}],
    "Lobby": [
        {
            "table": _TABLE,
            "players": [{"name": "Ada", "joined": True}, {"name": "Ben", "joined": False}],
        }
    ],
    "JoinRequest": [{"player": "Ben"}],
    "Joined": [{"table": _TABLE, "player": "Ben", "player_token": _TOKEN}],
    "Reissued": [{"player": "Ben", "player_token": _TOKEN}],
    "PinRequest": [{"pin": "2718"}, {"pin": "3141", "old_pin": "2718"}],
    "ResolutionRequest": [
        {"outcome": "corrected"},
        {"outcome": "upheld", "player": "Ben", "pin": "2718"},
    ],
}


def examples() -> dict[str, list[Json]]:
    """All examples, those of every game among them."""
    found = {**_SERVICE, **_TABLES}
    for game in games_with("examples"):
        found |= cast(Callable[[], dict[str, list[Json]]], part(game, "examples"))()
    return found
