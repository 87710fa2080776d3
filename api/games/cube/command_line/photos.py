"""``trayscore read --game cube``."""

import argparse
from functools import partial

from api.cli import options
from api.cli.commands import Action
from api.cli.reading import PhotoReading, add_photos, read_photos
from calibration.cube.profile import BoardProfile, load_profile
from calibration.profile_files import ProfileError
from rules.errors import RulesError
from vision.cube.overlay import DRAWING_SIZE, draw_reading
from vision.cube.reader import Reader
from vision.cube.reading import Reading
from vision.photo import load_photo


def _add_read(parser: argparse.ArgumentParser) -> None:
    add_photos(parser)
    options.add_profile(parser)
    parser.add_argument(
        "--same-building",
        action="store_true",
        help="all photos show one untouched building: one reading",
    )


def _read(args: argparse.Namespace) -> int:
    profiles = board_profiles(args.profile)
    how = PhotoReading(partial(_reader, profiles), partial(_drawn, profiles), "board")
    return read_photos(args, how, args.same_building)


def board_profiles(asked: str | None) -> list[BoardProfile] | None:
    """The profile that was asked for; None for the built-in one."""
    if asked is None:
        return None
    try:
        return [load_profile(asked)]
    except ProfileError as error:
        raise RulesError("bad_profile", str(error)) from error


def _reader(profiles: list[BoardProfile] | None) -> Reader:
    return Reader(profiles)


def _drawn(profiles: list[BoardProfile] | None, photo: str, reading: Reading) -> bytes:
    return draw_reading(load_photo(photo, DRAWING_SIZE), Reader(profiles), reading)


READ = Action(
    _add_read,
    _read,
    "Read the building from photos of a board. With --same-building all photos show one building, "
    "from any sides. With --json, one JSON object per line.",
)
