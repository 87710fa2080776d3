"""``trayscore calibrate board`` for Cube: measure a board and its colours."""

import argparse
from pathlib import Path

from api.cli import options
from api.cli.commands import Action
from api.cli.measuring import RefusedError, load, refusing, show_measured, write_json
from calibration.cube.profile import BOARDS, is_letters
from vision.cube.measuring import RefusedStartError, measure
from vision.photo import WORKING_SIZE


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="*", type=Path, metavar="START")
    options.add_output(parser)
    options.add_profile_name(parser)
    parser.add_argument(
        "--corners",
        type=_letters,
        metavar="LETTERS",
        help="letters of the corner cubes, clockwise from the upper left of the picture",
    )


def _write_board(args: argparse.Namespace) -> None:
    """Measure a board from its start photo and write its profile."""
    if len(args.photos) != 1:
        raise RefusedError("Give one start photo.")
    photo = load(args.photos[0], WORKING_SIZE)
    try:
        found = measure(photo, args.name or options.name_from(args.output), args.corners)
    except RefusedStartError as refusal:
        raise RefusedError(f"{args.photos[0]}: {refusal}") from refusal
    data = found.profile.to_json()
    BOARDS.parse(data)
    write_json(args.output, data)
    rows = [
        (letter, f"red {red:.0f}  green {green:.0f}  blue {blue:.0f}", "")
        for letter, (red, green, blue) in zip(
            found.profile.palette.letters, found.profile.palette.colors, strict=True
        )
    ]
    show_measured(f"Board {found.profile.name}", rows)
    print(f"{args.output}: read photos of this board with --profile {args.output}")


def _letters(text: str) -> str:
    if not is_letters(text):
        raise argparse.ArgumentTypeError(f"{text!r}: give four different capital letters")
    return text


BOARD = Action(
    _add_board,
    refusing(_write_board),
    "Measure a board and its cubes from a photo with one cube of each colour on the corners and "
    "all other spaces empty.",
)
