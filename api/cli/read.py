"""``trayscore read``: from photos to layouts.

Only the words of the command line are here; what the command does is in ``read_commands``, which
loads OpenCV and is therefore imported when a photo is to be read. Exit status: 0 when every photo
was processed, whatever its status; 2 for bad usage.
"""

import argparse
from pathlib import Path

from api.cli.options import Commands


def add_parsers(commands: Commands) -> None:
    """Add the command."""
    read = commands.add_parser(
        "read",
        help="read the layout from photos of a tray",
        description="Read the layout from photos of a tray. With --json, one JSON object a line, "
        "in the order of the photos.",
    )
    read.add_argument("photos", nargs="+", metavar="PHOTO", help="JPEG, PNG, WebP or HEIC")
    read.add_argument("--json", action="store_true", help="a JSON object a line")
    read.add_argument(
        "--same-tray", action="store_true", help="all photos show one untouched tray: one reading"
    )
    add_tray(read)
    read.add_argument(
        "--overlay", type=Path, metavar="DIR", help="draw each reading on its photo, into DIR"
    )
    read.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="read N photos at a time (default 1)"
    )
    read.set_defaults(run=_read)


def add_tray(parser: argparse.ArgumentParser) -> None:
    """The option for the tray's profile."""
    parser.add_argument(
        "--tray",
        metavar="NAME|FILE",
        help="the tray's profile, made by calibrate tray; without it all known ones are tried",
    )


def score_photo(args: argparse.Namespace) -> int:
    """Read a photo (``args.what``), score it, show both, and give the exit status."""
    from api.cli.read_commands import score  # noqa: PLC0415 - OpenCV takes its time to load

    return score(args)


def _read(args: argparse.Namespace) -> int:
    from api.cli.read_commands import read  # noqa: PLC0415

    return read(args)


def _jobs(text: str) -> int:
    count = int(text)
    if not 1 <= count <= 64:
        raise argparse.ArgumentTypeError("from 1 to 64 photos can be read at a time")
    return count
