"""``trayscore calibrate cards`` and ``trayscore read --cards``, the same for every game."""

import argparse
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from api.cli import options
from api.cli.commands import Action
from api.cli.measuring import RefusedError, load, refusing, write_json
from api.cli.reading import PhotoReading, add_photos, read_photos
from calibration.cards.enrolling import CardEnrolmentError, enrol, enrol_cut
from calibration.cards.profile import DECKS, DeckProfile, EnrolledCard
from calibration.profile_files import ProfileError
from rules.errors import RulesError
from vision.cards.overlay import drawn
from vision.cards.reader import WORKING_SIZE, CardsReader


def _add_calibrate(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    parser.add_argument("photos", nargs="*", type=Path, metavar="PHOTO")
    parser.add_argument(
        "--codes", type=Path, metavar="FILE", help="a line per photo: its codes, row by row"
    )
    parser.add_argument(
        "--cut",
        type=Path,
        metavar="LIST.jsonl",
        help='pictures that one card fills each, instead of photos: {"file", "code"} a line',
    )
    options.add_output(parser)
    options.add_profile_name(parser)


def _write_deck(args: argparse.Namespace) -> None:
    """Enrol a deck and write its profile."""
    if (args.cut is None) == (not args.photos):
        raise RefusedError("Give photos and --codes, or --cut and no photos.")
    cards = list(_cut_out(args.cut) if args.cut is not None else _laid_out(args))
    if not cards:
        raise RefusedError("There are no cards in the list.")
    data = DeckProfile(args.name or options.name_from(args.output), tuple(cards)).to_json()
    try:
        DeckProfile.from_json(data)
    except ProfileError as error:
        raise RefusedError(str(error)) from error
    write_json(args.output, data)
    count = len({card.code for card in cards})
    print(f"{args.output}: {count} cards. Read photos of them with read --cards --profile "
          f"{args.output}")  # fmt: skip


def _laid_out(args: argparse.Namespace) -> Iterator[EnrolledCard]:
    """The cards of photos of grids."""
    if args.codes is None:
        raise RefusedError("--codes is missing: a file with a line of codes per photo.")
    lines = [line.split() for line in _lines(args.codes) if line.strip()]
    if len(lines) != len(args.photos):
        raise RefusedError(
            f"{args.codes} has {len(lines)} lines of codes for {len(args.photos)} photos."
        )
    for file, codes in zip(args.photos, lines, strict=True):
        try:
            yield from enrol(load(file, WORKING_SIZE).picture, codes)
        except CardEnrolmentError as error:
            raise RefusedError(f"{file}: {error}") from error


def _cut_out(file: Path) -> Iterator[EnrolledCard]:
    """The cards of a list of cut-out pictures."""
    for number, line in enumerate(_lines(file), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            picture, code = file.parent / str(entry["file"]), str(entry["code"])
        except (ValueError, KeyError, TypeError) as error:
            text = f'{file}, line {number}: {{"file": …, "code": …}} is needed.'
            raise RefusedError(text) from error
        yield enrol_cut(load(picture, WORKING_SIZE).picture, code)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise RefusedError(f"{file} cannot be read: {error}") from error


def _add_read(parser: argparse.ArgumentParser) -> None:
    add_photos(parser)
    parser.add_argument("--cards", action="store_true", help="read revealed cards")
    parser.add_argument("--cut", action="store_true", help="each photo is one card, cut out")
    options.add_profile(parser, help="a deck made by calibrate cards")


def _read(args: argparse.Namespace) -> int:
    if args.profile is None:
        raise RulesError("bad_profile", "--profile is missing: a deck made by calibrate cards.")
    try:
        profile = DECKS.load(args.profile)
    except ProfileError as error:
        raise RulesError("bad_profile", str(error)) from error
    return read_photos(args, PhotoReading(partial(CardsReader, profile, args.cut), drawn, "codes"))


CALIBRATE = Action(
    _add_calibrate,
    refusing(_write_deck),
    "Enrol a deck of cards from photos in which its cards are laid out in a grid. --codes names a "
    "file with a line per photo: the cards' codes, separated by spaces, row by row from the top "
    "left as the photo is seen.",
)
READ = Action(
    _add_read,
    _read,
    "Read revealed cards by an enrolled deck. With --json, one JSON object per line, in the order "
    "of the photos.",
)
