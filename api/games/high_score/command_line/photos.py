"""``trayscore read`` and ``trayscore score PHOTO`` for High Score."""

import argparse
import sys
from functools import partial
from pathlib import Path

import cv2

from api.cli import options
from api.cli.commands import Action
from api.cli.reading import PhotoReading, add_photos, read_photos
from calibration.high_score.profile import DiceProfile, load_profile
from calibration.profile_files import ProfileError
from rules.errors import RulesError
from rules.high_score.dice import DICE
from rules.high_score.questions import answer_score
from vision.high_score.overlay import DRAWING_SIZE, draw
from vision.high_score.reader import Reader
from vision.high_score.reading import DiceReading
from vision.photo import load_photo


def _add_read(parser: argparse.ArgumentParser) -> None:
    add_photos(parser)
    options.add_profile(parser, help="your dice, made by calibrate dice; without it, pips are read")


def _read(args: argparse.Namespace) -> int:
    make_reader = partial(_reader, _profiles(args.profile))
    return read_photos(args, PhotoReading(make_reader, _drawn, "dice"))


def score_photo(args: argparse.Namespace, asked: dict[str, object]) -> int:
    """Read one photo and score it; 1, with the reason, if there is nothing to score."""
    photo = str(args.what)
    reading = _reader(_profiles(args.profile)).read(Path(photo))
    if len(reading.dice) != DICE:
        print(f"trayscore: {photo}: {reading.message}", file=sys.stderr)
        return 1
    answer = answer_score({**asked, "dice": reading.dice})
    if args.json:
        options.print_json({**answer, "reading": {**reading.to_json(), "photo": photo}})
        return 1 if answer["problems"] else 0
    print(f"{reading.dice}: {answer['result']}. {answer['text'][args.lang]}")
    print(f"Read from {photo}: {reading.status}, {reading.confidence or 0.0:.1%} sure.")
    if reading.status != "certain":
        print(reading.message)
    return 0


def _reader(profiles: list[DiceProfile]) -> Reader:
    return Reader(profiles)


def _profiles(asked: str | None) -> list[DiceProfile]:
    """The profile that was asked for; none to read pips."""
    if asked is None:
        return []
    try:
        return [load_profile(asked)]
    except ProfileError as error:
        raise RulesError("bad_profile", str(error)) from error


def _drawn(photo: str, reading: DiceReading) -> bytes:
    drawing = draw(load_photo(photo, DRAWING_SIZE), reading)
    return cv2.imencode(".png", drawing)[1].tobytes()


READ = Action(
    _add_read,
    _read,
    "Read the dice from photos. With --json, one JSON object per line, in the order of the photos.",
)
