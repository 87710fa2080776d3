"""``trayscore backup``, ``restore``, ``check`` and ``adopt``: keep what is kept safe."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from api.cli.commands import Action
from api.cli.options import add_json, print_json
from api.settings import Settings
from api.storage.backup import take_backup
from api.storage.backup_file import BackupError
from api.storage.check import check_store
from api.storage.database import DatabaseError
from api.storage.restore import restore_backup
from api.storage.store import Store

DONE, REFUSED, NOT_WHOLE = 0, 1, 3


def _add_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    _add_data(parser)


def _add_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace all tables that are there now; they stay in the trash for 30 days",
    )
    _add_data(parser)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repair",
        action="store_true",
        help="restore photos from copies in the trash and move stray files there; stop the "
        "service first",
    )
    add_json(parser)
    _add_data(parser)


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, metavar="DIR", dest="data_dir", help="where everything is kept"
    )


def _backup(args: argparse.Namespace) -> int:
    """Write a backup: 1, with the reason, if it cannot be had; 3 if not all of it is whole."""
    if args.file.exists() and not args.force:
        return _refuse(f"{args.file} is there already: say --force to replace it.")
    try:
        settings = _settings(args)
        saved = take_backup(settings.data_dir, settings.database_url, args.file)
    except (BackupError, DatabaseError) as error:
        return _refuse(error.text)
    print(f"{args.file}: {saved.tables} tables, {saved.photos} photos and drawings.")
    return _not_whole("All the rest was saved.", saved.lost, saved.broken)


def _restore(args: argparse.Namespace) -> int:
    """Restore a backup: 1, with the reason, if it cannot be done; 3 if not all of it is whole."""
    try:
        settings = _settings(args)
        restored = restore_backup(
            args.file, settings.data_dir, settings.database_url, overwrite=args.force
        )
    except (BackupError, DatabaseError) as error:
        return _refuse(error.text)
    print(f"Restored {restored.tables} tables, {restored.photos} photos and drawings.")
    if restored.replaced is not None:
        print(f"What was there before is in {restored.replaced} for 30 days.")
    return _not_whole("All the rest was restored.", restored.lost, restored.broken)


def _check(args: argparse.Namespace) -> int:
    """Say what is wrong with all that is kept: 1 if it cannot be looked at, 3 if something is."""
    try:
        settings = _settings(args)
        found = check_store(settings.data_dir, settings.database_url, repair=args.repair)
    except (BackupError, DatabaseError) as error:
        return _refuse(error.text)
    if args.json:
        print_json(found.to_json())
    else:
        print("\n".join(found.sentences()))
    return DONE if found.sound else NOT_WHOLE


def _adopt(args: argparse.Namespace) -> int:
    """Make the directory and the database a pair; 1, with the reason, if that cannot be."""
    try:
        settings = _settings(args)
        store = Store(settings.data_dir, settings.database_url)
        store.open(adopt=True)
        store.close()
    except DatabaseError as error:
        return _refuse(error.text)
    print(f"{settings.data_dir} and {store.database.name} belong together now.")
    return DONE


def _not_whole(but: str, *problems: Sequence[str]) -> int:
    """The exit status, once it is said what is not whole."""
    told = [text for texts in problems for text in texts]
    for text in told:
        print(f"✗ {text}", file=sys.stderr)
    if told:
        print(f"trayscore: {len(told)} things are not whole, see above. {but}", file=sys.stderr)
    return NOT_WHOLE if told else DONE


def _settings(args: argparse.Namespace) -> Settings:
    try:
        return Settings() if args.data_dir is None else Settings(data_dir=args.data_dir)
    except ValidationError as error:
        text = "; ".join(f"{wrong['loc'][0]}: {wrong['msg']}" for wrong in error.errors())
        raise DatabaseError("bad_settings", text) from error


def _refuse(text: str) -> int:
    print(f"trayscore: {text}", file=sys.stderr)
    return REFUSED


BACKUP = Action(
    _add_backup,
    _backup,
    "Save all tables, photos and profiles to one file. The service may run meanwhile. Exit status: "
    "0 all saved, 1 refused, 3 saved except for lost or damaged photos, which are named.",
)
RESTORE = Action(
    _add_restore,
    _restore,
    "Bring back what a backup holds, after checking all of it. Exit status: 0 all restored, 1 "
    "refused and nothing changed, 3 restored except for what is named.",
)
CHECK = Action(
    _add_check,
    _check,
    "Check the database, the ledgers and every photo. The service may run meanwhile, unless you "
    "repair. Exit status: 0 all is well, 1 cannot check, 3 something is wrong.",
)
ADOPT = Action(
    _add_data,
    _adopt,
    "For when the service refuses to start because its data directory and its database were never "
    "used together. Photos that no table of the database refers to go to the trash for 30 days.",
)
