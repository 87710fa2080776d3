"""``trayscore calibrate``: measure a tray or a camera, print the sheets that help with it.

Only the words of the command line are here; what the commands do is in ``calibrate_commands``,
which loads OpenCV and is therefore imported when a command runs. Exit status: 0 done, 1 refused
with the reason on standard error and no file written, 2 bad usage.
"""

import argparse
import re
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TypeAlias

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``calibrate`` and its four commands."""
    calibrate = subparsers.add_parser("calibrate", help="measure a tray or a camera; print sheets")
    commands = calibrate.add_subparsers(required=True, metavar="WHAT")
    _add_tray(commands)
    _add_board(commands)
    _add_camera(commands)
    _add_sheet(commands)


def _add_tray(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "tray",
        help="measure a tray from its start photo",
        description="Measure a tray and its colours from photos taken before the game: all "
        "fifteen spheres in storage, the seven holes empty. A photo of the empty tray may be "
        "added. Everything is measured in spheres; --sphere-mm gives it in millimetres.",
    )
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE")
    parser.add_argument("--sphere-mm", type=_millimetres, help="a sphere's diameter (else 25)")
    parser.add_argument("--name", type=_name, help="the tray's name (else the file's)")
    parser.add_argument("--overlay", type=Path, metavar="PNG", help="draw it over the first photo")
    parser.set_defaults(run=partial(_run, "tray"))


def _add_board(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "board", help="print the board that a camera is calibrated with (PDF at true size)"
    )
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="PDF")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4")
    parser.set_defaults(run=partial(_run, "board"))


def _add_camera(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "camera",
        help="measure a camera from photos of the board",
        description="Measure focal length, centre and distortion from 8 to 12 photos of the "
        "printed board filling the picture: from above and tilted to each side, some with the "
        "phone turned by a quarter.",
    )
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE")
    parser.set_defaults(run=partial(_run, "camera"))


def _add_sheet(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "sheet",
        help="print a place mat with markers for a tray (PDF at true size)",
        description="Print a place mat for a tray. Where its markers are in a photo, the view "
        "comes from them.",
    )
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="PDF")
    parser.add_argument("--tray", default="disc", metavar="NAME|FILE")
    parser.add_argument("--paper", choices=("a4", "a3", "letter"), default="a4")
    parser.set_defaults(run=partial(_run, "sheet"))


def _run(what: str, args: argparse.Namespace) -> int:
    from api.cli.calibrate_commands import run  # noqa: PLC0415 - OpenCV takes its time to load

    return run(what, args)


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", text):
        raise argparse.ArgumentTypeError(
            f"{text!r}: use up to 64 letters, digits, dots, dashes and underscores"
        )
    return text


def _millimetres(text: str) -> float:
    value = float(text)
    if not (isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError("a length above 0 mm is needed")
    return value
