"""What Cube adds to the command line."""

from api.cli.commands import Command
from api.cli.game_commands import GameCommands

_HERE = "api.games.cube.command_line"

COMMANDS = GameCommands(
    commands=(Command("read", "read the building from photos of a board", f"{_HERE}.photos:READ"),),
    calibrations=(
        Command("board", "measure a board from its start photo", f"{_HERE}.calibrating:BOARD"),
    ),
)
