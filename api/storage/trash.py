"""The trash: what nobody points to any more waits in the data directory for thirty days.

Each time something is set aside it gets a folder of its own, whose name says when and why.
"""

import logging
import re
import shutil
import time
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from api.storage.disk import make_directory

KEPT_S = 30 * 24 * 3600.0
_STAMP = "%Y%m%dT%H%M%SZ"
_FOLDER = re.compile(r"(\d{8}T\d{6}Z)-[a-z]+(?:-\d+)?")

log = logging.getLogger("trayscore.storage")


class Trash:
    """The folder of what was set aside."""

    def __init__(self, directory: Path, clock: Callable[[], float] = time.time) -> None:
        self.directory = directory
        self._clock = clock

    def put(self, paths: Sequence[Path], why: str, within: Path) -> Path:
        """The new folder that the files were moved to; there they keep their place ``within``."""
        folder = self.folder(why)
        for path in paths:
            target = folder / path.relative_to(within)
            make_directory(target.parent)
            shutil.move(path, target)
        log.warning(
            "%d files (%s) were moved to %s and stay there for 30 days", len(paths), why, folder
        )
        return folder

    def folder(self, why: str) -> Path:
        """A new folder for what is set aside now."""
        stamp = datetime.fromtimestamp(self._clock(), UTC).strftime(_STAMP)
        make_directory(self.directory)
        names = (
            f"{stamp}-{why}" if number == 1 else f"{stamp}-{why}-{number}" for number in count(1)
        )
        folder = next(
            self.directory / name for name in names if not (self.directory / name).exists()
        )
        make_directory(folder)
        return folder

    def files(self) -> dict[str, list[Path]]:
        """All files by their names without endings: photos by their hashes."""
        found: dict[str, list[Path]] = {}
        for path in sorted(self.directory.rglob("*")):
            if path.is_file():
                found.setdefault(path.stem, []).append(path)
        return found

    def forget(self, names: Collection[str]) -> None:
        """Delete files so named; what a restore replaced is kept together."""
        if not names or not self.directory.exists():
            return
        found = self.files()
        for path in (path for name in names for path in found.get(name, ())):
            if "-replaced" not in path.relative_to(self.directory).parts[0]:
                path.unlink(missing_ok=True)

    def purge(self) -> int:
        """How many folders were deleted, because their thirty days were over."""
        old = [folder for folder in self._folders() if self._age_s(folder) > KEPT_S]
        for folder in old:
            shutil.rmtree(folder)
            log.warning("%s was deleted: its 30 days in the trash are over", folder)
        return len(old)

    def _folders(self) -> list[Path]:
        """Those that we made; what somebody else put there is theirs."""
        return [path for path in self.directory.glob("*-*") if _FOLDER.fullmatch(path.name)]

    def _age_s(self, folder: Path) -> float:
        put = datetime.strptime(folder.name.partition("-")[0], _STAMP).replace(tzinfo=UTC)
        return self._clock() - put.timestamp()
