"""Registry of what each game adds to ``api/``. A part is imported when it is first asked for.

The registry holds names only, so that it needs no room of ``api/`` and any room may ask it. Each
kind of part has a type in the room that asks for it: ``commands`` are an
``api.cli.game_commands.GameCommands``.
"""

from importlib import import_module

_PARTS: dict[str, dict[str, str]] = {
    "dimension": {
        "commands": "api.games.dimension.command_line:COMMANDS",
        "table": "api.games.dimension.table:TABLE",
        "camera": "api.games.dimension.camera:CAMERA",
        "deeds": "api.games.dimension.hourglass:DEEDS",
        "evidence": "api.games.dimension.evidence:EVIDENCE",
        "routes": "api.games.dimension.routes:ROUTES",
        "readings": "api.games.dimension.models.readings:ReadingsAnswer",
        "examples": "api.games.dimension.examples:examples",
    },
    "high_score": {"commands": "api.games.high_score.command_line:COMMANDS"},
    "cube": {"commands": "api.games.cube.command_line:COMMANDS"},
}
"""By game, then by kind of part: where it is, as ``module:NAME``."""


def games_with(kind: str) -> tuple[str, ...]:
    """The games that have a part of this kind."""
    return tuple(game for game, parts in _PARTS.items() if kind in parts)


def part(game: str, kind: str) -> object | None:
    """A game's part of this kind; None if the game has none."""
    where = _PARTS.get(game, {}).get(kind)
    if where is None:
        return None
    module, _, name = where.partition(":")
    found: object = getattr(import_module(module), name)
    return found
