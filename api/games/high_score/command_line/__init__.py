"""What High Score adds to the command line."""

from api.cli.commands import Command
from api.cli.game_commands import GameCommands

_HERE = "api.games.high_score.command_line"

COMMANDS = GameCommands(
    commands=(
        Command("read", "read the dice from photos", f"{_HERE}.photos:READ"),
        Command("score", "score dice or a photo of them", f"{_HERE}.rolls:SCORE"),
    ),
    calibrations=(Command("dice", "learn your own dice from a photo", f"{_HERE}.enrolling:DICE"),),
)
