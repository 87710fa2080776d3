"""What a game adds to the command line.

A game lists its commands in ``api/games/NAME/command_line`` as ``COMMANDS`` and names that place in
``api/games/registry.py``. ``--game NAME`` chooses whose ``read``, ``score``, ``deck`` … the command
line has; what ``calibrate`` can make is the sum over all games.
"""

from dataclasses import dataclass

from api.cli.commands import Command
from api.games.registry import part
from rules.games import GAMES, game


@dataclass(frozen=True)
class GameCommands:
    """The commands of one game. Each takes ``--game`` (see ``options.add_game``)."""

    commands: tuple[Command, ...] = ()
    calibrations: tuple[Command, ...] = ()
    """What ``calibrate`` makes for this game: ``calibrate tray`` and the like."""


_ANY_GAME = (
    Command("score", "score a position", "api.cli.lines:SCORE"),
    Command("solve", "find the best there is", "api.cli.lines:SOLVE"),
    Command("moves", "list what may be moved", "api.cli.lines:MOVES"),
)
"""Questions that every game answers by ``--jsonl``, with or without commands of its own."""


def commands_of(name: str) -> list[Command]:
    """The commands of the game of this name; raises ``RulesError`` if there is none."""
    own = _game_commands(game(name).id).commands
    names = {command.name for command in own}
    return [*own, *(command for command in _ANY_GAME if command.name not in names)]


def calibrations() -> list[Command]:
    """What ``calibrate`` makes for any game."""
    return [made for name in GAMES for made in _game_commands(name).calibrations]


def _game_commands(name: str) -> GameCommands:
    found = part(name, "commands")
    if found is None:
        return GameCommands()
    if not isinstance(found, GameCommands):
        raise TypeError(f"the commands of {name} are not GameCommands")
    return found
