"""The command line as a whole: which commands there are, and what each one loads."""

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

import api.cli
from api.cli import camera, main
from api.cli.commands import Action, Command
from api.cli.game_commands import GameCommands, calibrations, commands_of
from rules.games import GAMES

OF_GAMES = [command for game in GAMES for command in commands_of(game)]
OF_ALL = [*OF_GAMES, *calibrations(), *api.cli._CAMERAS]
OF_ALL += [command for command in api.cli._COMMANDS if isinstance(command, Command)]


def test_unknown_commands_are_bad_usage() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["dance"])
    assert stopped.value.code == 2


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m api.cli deck | head -1", shell=True, capture_output=True, check=False
    )
    assert done.stderr == b""


@pytest.mark.parametrize("command", OF_ALL, ids=lambda command: command.where)
def test_every_command_has_an_action_that_takes_options(command: Command) -> None:
    parser = argparse.ArgumentParser()
    command.action().add_options(parser)
    assert parser.format_help()


@pytest.mark.parametrize("command", OF_GAMES, ids=lambda command: command.where)
def test_every_command_of_a_game_takes_the_games_name(command: Command) -> None:
    parser = argparse.ArgumentParser()
    command.action().add_options(parser)
    assert "--game" in parser.format_help()


@pytest.mark.parametrize("words", [["--help"], ["calibrate", "--help"], ["score", "--help"]])
def test_listing_commands_loads_no_heavy_library(words: list[str]) -> None:
    heavy = "{'cv2', 'numpy', 'rich', 'fastapi', 'sqlalchemy'}"
    code = (
        "import sys; from api.cli import main\n"
        "try: main(sys.argv[1:])\n"
        f"except SystemExit: sys.exit(', '.join({heavy} & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [["--game", "chess"], ["--game=chess"]])
def test_an_unknown_game_is_bad_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", *words]) == 2
    assert "no game 'chess'" in capsys.readouterr().err


def test_a_game_without_a_name_is_bad_usage() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["score", "--game"])
    assert stopped.value.code == 2


def _add_toy_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="*", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)


def _measure_toy_board(args: argparse.Namespace) -> int:
    args.output.write_text(f"{len(args.photos)} photos")
    return 0


TOY_BOARD = Action(_add_toy_board, _measure_toy_board)
TOY = GameCommands(calibrations=(Command("board", "measure", f"{__name__}:TOY_BOARD"),))


def test_a_board_is_measured_from_photos_and_printed_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game's ``calibrate board`` and the camera's board share a name; both keep working."""
    monkeypatch.setattr(camera, "calibrations", lambda: list(TOY.calibrations))
    measured, printed = tmp_path / "board.json", tmp_path / "board.pdf"
    assert main(["calibrate", "board", "a.jpg", "b.jpg", "-o", str(measured)]) == 0
    assert measured.read_text() == "2 photos"
    assert main(["calibrate", "board", "-o", str(printed), "--paper", "letter"]) == 0
    assert printed.read_bytes().startswith(b"%PDF-")
