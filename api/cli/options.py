"""Options that commands of several games share."""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from rules.games import DEFAULT, GAMES

LANGUAGES = ("en", "de")


def asked_game(words: Sequence[str]) -> str:
    """The game that a command line names, before it is parsed: it decides on the other options."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--game", default=DEFAULT)
    try:
        return str(parser.parse_known_args(words)[0].game)
    except argparse.ArgumentError:  # --game without a name: the real parser will say so
        return DEFAULT


def add_game(parser: argparse.ArgumentParser) -> None:
    """``--game``: which game this is about."""
    names = ", ".join(name.replace("_", "-") for name in GAMES)
    parser.add_argument(
        "--game",
        default=DEFAULT,
        metavar="NAME",
        help=f"{names} (default {DEFAULT}); a line of --jsonl may name its own",
    )


def add_profile(
    parser: argparse.ArgumentParser,
    *other_names: str,
    default: str | None = None,
    help: str = "a profile made by calibrate; without it, the known ones are tried",  # noqa: A002
) -> None:
    """``--profile NAME|FILE``, and other names for it that a game is used to."""
    parser.add_argument("--profile", *other_names, metavar="NAME|FILE", default=default, help=help)


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="answer in JSON")


def add_json_lines(parser: argparse.ArgumentParser) -> None:
    """``--jsonl``."""
    parser.add_argument(
        "--jsonl",
        action="store_true",
        help="one JSON question per line in, one answer per line out",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """``--lang``: the language of tables and reasons."""
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the reasons")


def add_output(parser: argparse.ArgumentParser, metavar: str = "FILE") -> None:
    """``-o``: where to write."""
    parser.add_argument("-o", "--output", required=True, type=Path, metavar=metavar)


def add_profile_name(parser: argparse.ArgumentParser) -> None:
    """``--name``: what a new profile is called."""
    parser.add_argument("--name", type=_profile_name, help="the profile's name (else the file's)")


def name_from(file: Path) -> str:
    """A profile's name made from its file's: dashes for what a name may not contain."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", file.stem).strip("-._")[:64] or "my-profile"


def print_json(answer: object) -> None:
    """One JSON value on a line of its own, flushed at once."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def _profile_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", text):
        raise argparse.ArgumentTypeError(
            f"{text!r}: use up to 64 letters, digits, dots, dashes and underscores"
        )
    return text
