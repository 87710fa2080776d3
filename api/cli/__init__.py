"""The command line: ``trayscore score``, ``solve``, ``deck``, ``draw`` and more.

Commands import what they need when they run: a layout is scored long before OpenCV is loaded.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from api.cli import backup, calibrate, cards, read, rounds, serve
from api.versions import program_version
from rules.errors import RulesError

OK, REFUSED, BAD_USAGE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status: 0 done, 1 refused with a reason, 2 bad usage."""
    args = _parser().parse_args(argv)
    for library in ("OMP", "OPENBLAS"):
        # A tray's matrices are small: threads over them take longer than one does.
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    try:
        return int(args.run(args))
    except RulesError as error:
        print(f"trayscore: {error.text}", file=sys.stderr)
        return BAD_USAGE
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return OK
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trayscore",
        description="Reads and scores Dimension trays: photos, layouts, cards, best solutions.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {program_version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    read.add_parsers(commands)
    rounds.add_parsers(commands)
    cards.add_parsers(commands)
    calibrate.add_parsers(commands)
    serve.add_parsers(commands)
    backup.add_parsers(commands)
    return parser
