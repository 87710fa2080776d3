"""``trayscore calibrate dice``: learn a family's own dice from photos of six in a row."""

import argparse
from pathlib import Path

from api.cli import options
from api.cli.commands import Action
from api.cli.measuring import RefusedError, load, refusing, write_json
from rules.high_score.dice import FACES
from vision.high_score.enrolling import DiceEnrolmentError, enrol
from vision.high_score.reader import WORKING_SIZE


def _add_dice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    options.add_output(parser)
    options.add_profile_name(parser)
    parser.add_argument(
        "--faces", default=FACES, help=f"what they show, from left to right (default {FACES})"
    )


def _write_dice(args: argparse.Namespace) -> None:
    pictures = [load(file, WORKING_SIZE).picture for file in args.photos]
    try:
        profile = enrol(pictures, args.name or options.name_from(args.output), args.faces)
    except DiceEnrolmentError as error:
        raise RefusedError(error.text) from error
    write_json(args.output, profile.to_json())
    print(f"{args.output}: {profile.name}, six faces from {len(pictures)} photo(s).")


DICE = Action(
    _add_dice,
    refusing(_write_dice),
    "Lay six dice in a row, showing 1 2 3 4 5 and the vortex from left to right, and take a photo "
    "from above. A second photo in other light makes readings surer.",
)
