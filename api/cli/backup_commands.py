"""What ``trayscore backup`` and ``restore`` do."""

import argparse
import sys

from pydantic import ValidationError

from api.settings import Settings
from api.storage.backup import BackupError, restore_backup, take_backup
from api.storage.database import DatabaseError


def backup(args: argparse.Namespace) -> int:
    """Write a backup; 1, with the reason, if it cannot be had."""
    if args.file.exists() and not args.force:
        return _refuse(f"{args.file} is there already: say --force to replace it.")
    try:
        settings = _settings(args)
        counted = take_backup(settings.data_dir, settings.database_url, args.file)
    except (BackupError, DatabaseError) as error:
        return _refuse(error.text)
    print(f"{args.file}: {counted.tables} tables, {counted.photos} photos and drawings.")
    return 0


def restore(args: argparse.Namespace) -> int:
    """Restore a backup; 1, with the reason, if it cannot be done."""
    try:
        settings = _settings(args)
        counted = restore_backup(
            args.file, settings.data_dir, settings.database_url, overwrite=args.force
        )
    except (BackupError, DatabaseError) as error:
        return _refuse(error.text)
    print(f"Restored {counted.tables} tables, {counted.photos} photos and drawings.")
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    try:
        return Settings() if args.data_dir is None else Settings(data_dir=args.data_dir)
    except ValidationError as error:
        text = "; ".join(f"{wrong['loc'][0]}: {wrong['msg']}" for wrong in error.errors())
        raise DatabaseError("bad_settings", text) from error


def _refuse(text: str) -> int:
    print(f"trayscore: {text}", file=sys.stderr)
    return 1
