"""``trayscore read`` and ``trayscore score PHOTO`` for Dimension."""

import argparse
import sys
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from api.cli import options
from api.cli.commands import Action
from api.cli.reading import PhotoReading, add_photos, read_photos
from api.games.dimension.command_line.show import show_score
from api.games.dimension.command_line.terms import deck, question
from api.games.dimension.doubts import doubt
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.profile_files import ProfileError
from rules.dimension.questions import answer_score, terms
from rules.errors import RulesError
from vision.dimension.reader import Reader
from vision.dimension.reading import Reading
from vision.dimension.reporting.doubt import Doubt
from vision.dimension.reporting.overlay import DRAWING_SIZE, draw
from vision.drawing import encode
from vision.photo import load_photo


def _add_read(parser: argparse.ArgumentParser) -> None:
    add_photos(parser)
    options.add_profile(parser, "--tray")
    parser.add_argument(
        "--same-tray", action="store_true", help="all photos show one untouched tray: one reading"
    )


def _read(args: argparse.Namespace) -> int:
    make_reader = partial(_reader, _profiles(args.profile))
    return read_photos(args, PhotoReading(make_reader, _drawn, "layout"), args.same_tray)


def score_photo(args: argparse.Namespace) -> int:
    """Read one photo and score it; 1, with the reason, if there is nothing to score."""
    own_deck, asked = deck(args), question(args)
    agreed = terms(asked, own_deck)
    photo = str(args.what)
    reading = _reader(_profiles(args.profile)).read(Path(photo))
    if reading.layout is None:
        print(f"trayscore: {photo}: {reading.message}", file=sys.stderr)
        return 1
    answer = answer_score({**asked, "layout": str(reading.layout)}, own_deck)
    worth = doubt(reading, agreed.cards, agreed.edition, agreed.rulings, agreed.most)
    if args.json:
        told = {**reading.to_json(), "photo": photo}
        options.print_json({**answer, "doubt": worth.to_json(), "reading": told})
    elif answer["problems"]:
        for problem in answer["problems"]:
            print(f"{problem['code']}: {problem['text']}", file=sys.stderr)
        print(f"trayscore: {reading.message}", file=sys.stderr)
    else:
        show_score(reading.layout, agreed, args.lang)
        _show_doubt(photo, reading, worth)
    return 1 if answer["problems"] else 0


def _reader(profiles: list[TrayProfile] | None) -> Reader:
    return Reader(profiles)


def _profiles(asked: str | None) -> list[TrayProfile] | None:
    """The profile that was asked for; None to try all that are known."""
    if asked is None:
        return None
    try:
        return [load_profile(asked)]
    except ProfileError as error:
        raise RulesError("bad_tray", str(error)) from error


def _drawn(photo: str, reading: Reading) -> bytes:
    return encode(draw(load_photo(photo, DRAWING_SIZE), reading))


def _show_doubt(photo: str, reading: Reading, worth: Doubt) -> None:
    """Print how sure the reading is and, where in doubt, how likely which points are."""
    console = Console(highlight=False)
    console.print(f"Read from {photo}: {reading.status}, {reading.confidence or 0.0:.1%} sure.")
    if reading.status != "certain":
        console.print(Text(reading.message, "yellow"))
        for points, p in worth.points.items():
            console.print(f"  {points} points: {p:.1%}")
        console.print(Text(worth.advice, "yellow"))


READ = Action(
    _add_read,
    _read,
    "Read the layout from photos of a tray. With --json, one JSON object per line, in the order of "
    "the photos.",
)
