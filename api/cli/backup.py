"""``trayscore backup``, ``restore``, ``check``, ``adopt``, ``verify``: what is kept, kept safe.

Only the words of the command line are here; the commands are in ``backup_commands``, which loads
the database's packages and is therefore imported when one of them runs.
"""

import argparse
from pathlib import Path

from api.cli.options import Commands


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    backup = commands.add_parser(
        "backup",
        help="put all tables, photos and trays into one file, also while the service runs",
        description="Put all tables, photos and trays into one file. Exit status: 0 all is saved, "
        "1 refused, 3 saved, but for photos that are missing or damaged, which are named.",
    )
    backup.add_argument("file", type=Path, metavar="FILE")
    backup.add_argument("--force", action="store_true", help="replace the file if it is there")
    backup.set_defaults(run=_backup)
    restore = commands.add_parser(
        "restore",
        help="bring back what a backup holds",
        description="Bring back what a backup holds, once it is known to be whole. Exit status: "
        "0 all is restored, 1 refused and nothing changed, 3 restored, but for what is named.",
    )
    restore.add_argument("file", type=Path, metavar="FILE")
    restore.add_argument(
        "--force",
        action="store_true",
        help="replace all tables that are there now; they go to the trash for 30 days",
    )
    restore.set_defaults(run=_restore)
    check = commands.add_parser(
        "check",
        help="look whether all tables and photos are as they were kept",
        description="Look at the database, the histories and every photo; the service may run "
        "meanwhile, unless something is to be repaired. Exit status: 0 all is sound, 1 it cannot "
        "be looked at, 3 something is wrong.",
    )
    check.add_argument(
        "--repair",
        action="store_true",
        help="heal photos by copies in the trash, move files of no table there; stop the "
        "service first",
    )
    check.add_argument("--json", action="store_true", help="answer in JSON")
    check.set_defaults(run=_check)
    adopt = commands.add_parser(
        "adopt",
        help="say that a data directory and a database belong together from now on",
        description="For when the service refuses to start because its data directory and its "
        "database were not used together before. Photos that no table of the database points to "
        "go to the trash for 30 days.",
    )
    adopt.set_defaults(run=_adopt)
    for parser in (backup, restore, check, adopt):
        parser.add_argument(
            "--data", type=Path, metavar="DIR", dest="data_dir", help="where everything is kept"
        )
    verify = commands.add_parser(
        "verify",
        help="check that evidence is as it was made: every byte, row and order",
        description="Check an evidence bundle (zip) or a ledger (JSON): whether its hashes hold, "
        "and whether every entry is what the rules allow and give. Exit status: 0 intact; 1 "
        "changed, false, unreadable as evidence, or without the fingerprint that you gave; 2 there "
        "is no such file, or an option is wrong; 3 intact, but without photos that it says were "
        "lost.",
    )
    verify.add_argument("bundle", type=Path, metavar="BUNDLE")
    verify.add_argument(
        "--fingerprint",
        metavar="WORDS",
        help="six words that a device showed: they must be in this history",
    )
    verify.add_argument(
        "--page",
        type=Path,
        metavar="FILE",
        help="write the page that an intact history gives, whatever the bundle's own page shows",
    )
    verify.add_argument(
        "--large",
        action="store_true",
        help="take any time: for a bundle of more than 1 GB, or a slow machine",
    )
    verify.add_argument("--json", action="store_true", help="answer in JSON")
    verify.set_defaults(run=_verify)


def _backup(args: argparse.Namespace) -> int:
    from api.cli.backup_commands import backup  # noqa: PLC0415

    return backup(args)


def _restore(args: argparse.Namespace) -> int:
    from api.cli.backup_commands import restore  # noqa: PLC0415

    return restore(args)


def _check(args: argparse.Namespace) -> int:
    from api.cli.backup_commands import check  # noqa: PLC0415

    return check(args)


def _adopt(args: argparse.Namespace) -> int:
    from api.cli.backup_commands import adopt  # noqa: PLC0415

    return adopt(args)


def _verify(args: argparse.Namespace) -> int:
    from api.cli.verify_commands import verify  # noqa: PLC0415

    return verify(args)
