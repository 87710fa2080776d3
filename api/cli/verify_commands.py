"""What ``trayscore verify`` does."""

import argparse
import sys
from dataclasses import asdict

from api.cli.options import print_json
from api.evidence.verify import Verification
from api.evidence.verify import verify as verified
from rules.errors import RulesError


def verify(args: argparse.Namespace) -> int:
    """Say whether evidence is intact: 0 if it is, 1 with all that was changed, 3 if photos lack."""
    if not args.bundle.is_file():
        raise RulesError("no_file", f"There is no file {args.bundle}.")
    found = verified(args.bundle)
    shown = _as_words(args.fingerprint)
    known = {found.fingerprint, *dict(found.seals).values(), *(seal.words for seal in found.words)}
    unknown = shown is not None and shown not in known
    if args.json:
        print_json({**asdict(found), "intact": found.intact, "fingerprint_known": not unknown})
    else:
        _tell(found)
        if unknown:
            print(f"✗ “{shown}” is no fingerprint of this history.", file=sys.stderr)
    if not found.intact or unknown:
        return 1
    return 0 if found.whole else 3


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
    for seal in found.words:
        print(f"  {seal.of_what:<21} {seal.words}   {seal.took_part}")
    print(f"  The newest entry      {found.fingerprint}")
    print("  Compare these words with those that your devices showed.")


def _as_words(text: str | None) -> str | None:
    return None if text is None else " ".join(text.lower().split())
