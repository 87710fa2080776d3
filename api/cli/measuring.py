"""What the commands that measure share: photos in, a file out, or a refusal."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from vision.photo import BadImageError, Photo, load_photo

BAD_IMAGE = "bad_image"
"""The code of a photo that cannot be read."""


class RefusedError(Exception):
    """Why a command did not do what it was asked: for people, and as a code for programs."""

    def __init__(self, text: str, code: str | None = None) -> None:
        super().__init__(text)
        self.code = code


def refusing(write: Callable[[argparse.Namespace], None]) -> Callable[[argparse.Namespace], int]:
    """A command that gives 1, with the reason on standard error, if ``write`` refuses."""

    def run(args: argparse.Namespace) -> int:
        try:
            write(args)
        except RefusedError as refusal:
            args.refusal = refusal  # for callers that are programs
            print(f"trayscore: {refusal}", file=sys.stderr)
            return 1
        return 0

    return run


def load(file: Path, size: int) -> Photo:
    """The upright photo in a file, no larger than this on its long side."""
    try:
        return load_photo(file, size)
    except BadImageError as error:
        raise RefusedError(f"{file}: {error.text}", BAD_IMAGE) from error


def write_whole(file: Path, content: bytes) -> None:
    """Write a file, all of it or nothing."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RefusedError(f"{file} cannot be written: {error.strerror}.") from error


def write_json(file: Path, data: dict[str, Any]) -> None:
    """Write a JSON file, all of it or nothing."""
    write_whole(file, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())


def show_measured(title: str, rows: Sequence[tuple[str, str, str]]) -> None:
    """Print a table of what was measured, its value and its spread."""
    table = Table("measured", title=title, title_justify="left")
    table.add_column("value", justify="right")
    table.add_column("spread", justify="right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def warn(text: str) -> None:
    """Print a warning to standard error."""
    print(f"trayscore: warning: {text}", file=sys.stderr)
