"""What ``trayscore backup``, ``restore``, ``check`` and ``adopt`` do."""

import argparse
import sys
from collections.abc import Sequence

from pydantic import ValidationError

from api.cli.options import print_json
from api.settings import Settings
from api.storage.backup import take_backup
from api.storage.backup_file import BackupError
from api.storage.check import check_store
from api.storage.database import DatabaseError
from api.storage.restore import restore_backup
from api.storage.store import Store

DONE, REFUSED, NOT_WHOLE = 0, 1, 3


def backup(args: argparse.Namespace) -> int:
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


def restore(args: argparse.Namespace) -> int:
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


def check(args: argparse.Namespace) -> int:
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


def adopt(args: argparse.Namespace) -> int:
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
