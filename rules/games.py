"""The games that there are, each loaded when it is first asked for."""

from collections.abc import Callable
from typing import Any

from rules.errors import RulesError
from rules.game import GameRules

DEFAULT = "dimension"
"""The game of a question or a ledger that names none."""


def _dimension() -> GameRules[Any, Any]:
    from rules.dimension.entry import Dimension  # noqa: PLC0415

    return Dimension()


def _high_score() -> GameRules[Any, Any]:
    from rules.high_score.entry import HighScore  # noqa: PLC0415

    return HighScore()


def _cube() -> GameRules[Any, Any]:
    from rules.cube.entry import CubeRules  # noqa: PLC0415

    return CubeRules()


_GAMES: dict[str, Callable[[], GameRules[Any, Any]]] = {
    "dimension": _dimension,
    "high_score": _high_score,
    "cube": _cube,
}

GAMES: tuple[str, ...] = tuple(_GAMES)
"""The names of all games, as in JSON."""


def game(name: str = DEFAULT) -> GameRules[Any, Any]:
    """The game of this name, as JSON (``high_score``) or the shell (``high-score``) spells it."""
    chosen = _GAMES.get(name.replace("-", "_"))
    if chosen is None:
        raise RulesError("bad_game", f"There is no game {name!r}. Games: {', '.join(GAMES)}.")
    return chosen()
