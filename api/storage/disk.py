"""Files and directories for their owner's eyes only, written so that they outlive a power cut."""

import logging
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import IO

FILE_MODE, DIRECTORY_MODE = 0o600, 0o700
_OTHERS = 0o077

log = logging.getLogger("trayscore.storage")


def make_directory(path: Path) -> None:
    """Make a directory that only its owner can enter."""
    path.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)


def create(path: Path) -> IO[bytes]:
    """A new file, open for writing; raises ``FileExistsError`` if it is there already."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, FILE_MODE), "w+b")


def write_whole(path: Path, content: bytes) -> None:
    """Put a file there, in the place of another if there is one: all of it or nothing."""
    draft = path.parent / f".{token_hex(8)}.part"
    try:
        with create(draft) as file:
            file.write(content)
            sync(file)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_directory(path.parent)


def sync(file: IO[bytes]) -> None:
    """Have what was written on disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_directory(directory: Path) -> None:
    """Make sure that a new name in a directory outlives a power cut."""
    try:
        handle = os.open(directory, os.O_RDONLY)
    except OSError:  # not every system lets one open a directory
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def tighten(paths: Iterable[Path], deep: bool = True) -> None:
    """Take files and directories from everybody but their owner; if ``deep``, all in them too."""
    if os.name != "posix":
        return
    every = (inner for path in paths for inner in (_with_all_in(path) if deep else [path]))
    for path in every:
        try:
            found = path.lstat().st_mode
            # A sticky directory is everybody's, like /tmp; a link's mode means nothing.
            if found & _OTHERS and not found & stat.S_ISVTX and not stat.S_ISLNK(found):
                path.chmod(stat.S_IMODE(found) & ~_OTHERS)
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("%s stays readable for others: %s", path, error.strerror)


def _with_all_in(path: Path) -> Iterator[Path]:
    yield path
    for folder, folders, files in os.walk(path):
        yield from (Path(folder, name) for name in (*folders, *files))
