"""The command line: ``trayscore score``, ``solve``, ``read``, ``calibrate``, ``serve`` and more."""

import argparse
import os
import sys
from collections.abc import Sequence

from api.cli.commands import Command, CommandGroup, add_commands
from api.cli.game_commands import calibrations, commands_of
from api.cli.options import asked_game
from api.versions import program_version
from rules.errors import RulesError

OK, REFUSED, BAD_USAGE = 0, 1, 2

_CAMERAS = (
    Command("camera", "measure a camera from photos of its board", "api.cli.camera:CAMERA"),
    Command("camera-board", "print the board for camera (PDF)", "api.cli.camera:CAMERA_BOARD"),
    Command(
        "board", "measure a game's board; without photos, camera-board", "api.cli.camera:BOARD"
    ),
    Command("cards", "enrol a deck of cards from photos", "api.cli.cards:CALIBRATE"),
)
"""What ``calibrate`` makes for cameras and decks, which serve all games."""

_READ_CARDS = Command("read", "read revealed cards from photos", "api.cli.cards:READ")
"""What ``read --cards`` is, whatever the game."""


def _calibrations() -> list[Command]:
    ours = {command.name for command in _CAMERAS}
    return [*(made for made in calibrations() if made.name not in ours), *_CAMERAS]


_COMMANDS = (
    CommandGroup("calibrate", "measure a tray, a camera …; print sheets", _calibrations),
    Command("serve", "run the service and its page for tablets and phones", "api.cli.serve:SERVE"),
    Command("backup", "save all tables, photos and profiles to a file", "api.cli.backup:BACKUP"),
    Command("restore", "bring back what a backup holds", "api.cli.backup:RESTORE"),
    Command("check", "check that all tables and photos are undamaged", "api.cli.backup:CHECK"),
    Command("adopt", "pair a data directory with a database", "api.cli.backup:ADOPT"),
    Command("verify", "check evidence offline: every byte, row and rule", "api.cli.verify:VERIFY"),
)
"""The commands that are the same for all games."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status: 0 done, 1 refused with a reason, 2 bad usage."""
    for library in ("OMP", "OPENBLAS"):
        # Our matrices are small: several threads would take longer than one.
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        args = _parser(words).parse_args(words)
        return int(args.run(args))
    except RulesError as error:
        print(f"trayscore: {error.text}", file=sys.stderr)
        return BAD_USAGE
    except BrokenPipeError:  # whoever reads our output has seen enough
        sys.stderr.close()
        return OK
    except KeyboardInterrupt:
        return 130


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser for these words: it has the commands of the game that they name."""
    parser = argparse.ArgumentParser(
        prog="trayscore",
        description="Reads photos of board-game pieces and scores them. "
        "COMMAND --game NAME --help tells what a command does for a game.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {program_version()}")
    own = commands_of(asked_game(words))
    if "--cards" in words and words[:1] == ["read"]:
        own = [_READ_CARDS, *(command for command in own if command.name != "read")]
    commands: list[Command | CommandGroup] = [*own, *_COMMANDS]
    add_commands(parser, commands, [word for word in words if not word.startswith("-")])
    return parser
