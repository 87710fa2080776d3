"""``trayscore verify``: check evidence offline."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from api.cli.commands import Action
from api.cli.options import add_json, print_json
from api.evidence.verify import DEFAULT, UNBOUNDED, Verification, plain, verify
from rules.errors import RulesError

INTACT, NOT_INTACT, PHOTOS_LACK = 0, 1, 3
"""Exit statuses; 2 is for a file that is not there, as for all bad usage."""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", type=Path, metavar="BUNDLE")
    parser.add_argument(
        "--fingerprint",
        metavar="WORDS",
        help="six words that a device showed: they must be in this ledger",
    )
    parser.add_argument(
        "--page",
        type=Path,
        metavar="FILE",
        help="write the page that follows from an intact ledger, whatever the bundle's page shows",
    )
    parser.add_argument(
        "--large",
        action="store_true",
        help="take any time: for a bundle of more than 1 GB, or a slow machine",
    )
    add_json(parser)


def _verify(args: argparse.Namespace) -> int:
    """Say whether evidence is intact, and all that was found."""
    if not args.bundle.exists():
        raise RulesError("no_file", f"There is no file {plain(str(args.bundle))}.")
    if not args.bundle.is_file():
        raise RulesError("no_file", f"{plain(str(args.bundle))} is no file.")
    found = verify(args.bundle, UNBOUNDED if args.large else DEFAULT)
    shown = _as_words(args.fingerprint)
    known = {found.fingerprint, *dict(found.seals).values(), *(seal.words for seal in found.words)}
    unknown = shown is not None and shown not in known
    if args.json:
        print_json(_as_json(found, unknown))
    else:
        _tell(found)
        if unknown:
            print(f"✗ “{plain(str(shown))}” is no fingerprint of this history.", file=sys.stderr)
    if args.page is not None:
        _write_page(args, found)
    if not found.intact or unknown:
        return NOT_INTACT
    return INTACT if found.whole else PHOTOS_LACK


def _as_json(found: Verification, unknown: bool) -> dict[str, object]:
    told = {name: value for name, value in asdict(found).items() if name != "page"}
    return {**told, "intact": found.intact, "fingerprint_known": not unknown}


def _write_page(args: argparse.Namespace, found: Verification) -> None:
    """The page that the history gives; to show photos it must lie beside their folder."""
    if not found.page:
        raise RulesError("no_page", "Only an intact bundle gives a page: none was written.")
    try:
        args.page.write_text(found.page, "utf-8")
    except OSError as error:
        text = f"The page cannot be written to {plain(str(args.page))}: {error.strerror}."
        raise RulesError("no_page", text) from error


def _tell(found: Verification) -> None:
    for problem in found.problems:
        print(f"✗ {problem}", file=sys.stderr)
    for note in found.notes:
        print(f"  {note}")
    if not found.intact:
        return
    there = found.files - len(found.missing)
    print(f"✓ Intact: {found.entries} entries, {there} photos and drawings.")
    if found.missing:
        print(f"✗ {len(found.missing)} photos are not in it, see above.", file=sys.stderr)
    if found.programs:
        print(f"  Written by Trayscore {plain(', '.join(found.programs))}")
    for seal in found.words:
        print(f"  {seal.of_what:<21} {seal.words}   {seal.took_part}")
    print(f"  The newest entry      {found.fingerprint}")
    print("  Compare these words with those that your devices showed.")


def _as_words(text: str | None) -> str | None:
    return None if text is None else " ".join(text.lower().split())


VERIFY = Action(
    _add_options,
    _verify,
    "Check an evidence bundle (zip) or a ledger (JSON): do its hashes hold, and is every entry "
    "what the rules allow and give? Exit status: 0 intact; 1 changed, false, unreadable as "
    "evidence, or without the fingerprint that you gave; 2 no such file, or a wrong option; 3 "
    "intact, but without photos that it says were lost.",
)
