"""Photos and drawings on disk, named by their content's hash; each is whole or not there at all."""

import os
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

MEDIA_TYPES = {
    "jpg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "heic": "image/heic",
}


class PhotoFiles:
    """The directory of files that the history points to."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    def path(self, digest: str, suffix: str) -> Path:
        """Where the file with this hash is, or would be."""
        return self._directory / digest[:2] / f"{digest}.{suffix}"

    def read(self, digest: str, suffix: str) -> bytes:
        """The content of a file."""
        return self.path(digest, suffix).read_bytes()

    @contextmanager
    def holding(self, digests: Collection[str]) -> Iterator[None]:
        """Keep files from being swept until the history points to them."""
        with self._lock:
            self._held.update(digests)
        try:
            yield
        finally:
            with self._lock:
                self._held.subtract(digests)
                self._held += Counter()  # drop those that nobody holds any more

    def write(self, content: bytes, suffix: str) -> str:
        """The hash of the content, which is on disk when this returns."""
        digest = sha256(content).hexdigest()
        target = self.path(digest, suffix)
        if target.exists():
            return digest
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.parent / f".{token_hex(8)}.part"
        try:
            with draft.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
        _sync_directory(target.parent)
        return digest

    def remove(self, digests: Iterable[str], wanted: Callable[[], Collection[str]]) -> None:
        """Delete files, except those that are being added or still wanted at this moment."""
        with self._lock:
            self._delete(digests, {*wanted(), *self._being_added(1)})

    def release(self, digests: Iterable[str], wanted: Callable[[], Collection[str]]) -> None:
        """Delete files that one holds oneself, except those that others hold or want too."""
        with self._lock:
            self._delete(digests, {*wanted(), *self._being_added(2)})

    def _being_added(self, by: int) -> set[str]:
        return {digest for digest, count in self._held.items() if count >= by}

    def _delete(self, digests: Iterable[str], keep: Collection[str]) -> None:
        for digest in set(digests) - set(keep):
            for path in (self._directory / digest[:2]).glob(f"{digest}.*"):
                path.unlink(missing_ok=True)

    def sweep(self, wanted: Callable[[], Collection[str]]) -> int:
        """How many files nobody points to; they are deleted, unfinished ones too."""
        with self._lock:
            keep = {*wanted(), *self._being_added(1)}
            orphans = [path for path in self.all() if path.stem not in keep]
            for path in orphans:
                path.unlink(missing_ok=True)
            return len(orphans)

    def all(self) -> list[Path]:
        """All files, unfinished ones too."""
        return [path for path in self._directory.glob("??/*") if path.is_file()]


def _sync_directory(directory: Path) -> None:
    """Make sure that a new name in a directory outlives a power cut."""
    try:
        handle = os.open(directory, os.O_RDONLY)
    except OSError:  # not every system lets one open a directory
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
