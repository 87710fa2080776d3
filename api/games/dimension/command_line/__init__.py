"""What Dimension adds to the command line."""

from api.cli.commands import Command
from api.cli.game_commands import GameCommands

_HERE = "api.games.dimension.command_line"

COMMANDS = GameCommands(
    commands=(
        Command("read", "read the layout from photos of a tray", f"{_HERE}.photos:READ"),
        Command("score", "score a layout or a photo against cards", f"{_HERE}.rounds:SCORE"),
        Command("solve", "find the best layout for cards", f"{_HERE}.rounds:SOLVE"),
        Command("sample", "play a sample round", f"{_HERE}.sample:SAMPLE"),
        Command("deck", "list the task cards", f"{_HERE}.cards:DECK"),
        Command("draw", "reveal cards for a round", f"{_HERE}.cards:DRAW"),
    ),
    calibrations=(
        Command("tray", "measure a tray from its start photo", f"{_HERE}.calibrating:TRAY"),
        Command(
            "sheet",
            "print a place mat with markers for a tray (PDF at true size)",
            f"{_HERE}.calibrating:SHEET",
        ),
    ),
)
