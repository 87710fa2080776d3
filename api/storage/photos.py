"""Photos and drawings on disk, named by their content's hash.

What is written and what is read is checked against its name, so a damaged photo is never taken for
the one that was sent. Whoever brings the right bytes again heals it.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from errno import EIO
from hashlib import sha256
from pathlib import Path
from typing import Literal

from api.storage.disk import make_directory, write_whole
from api.storage.trash import Trash

MEDIA_TYPES = {
    "jpg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "heic": "image/heic",
}

State = Literal["sound", "damaged", "missing"]
_CHUNK = 1 << 20


class PhotoError(Exception):
    """A photo that cannot be had."""


class PhotoMissingError(PhotoError):
    """A photo that is not there."""


class PhotoDamagedError(PhotoError):
    """A photo whose bytes are not those that were kept."""


class PhotoFiles:
    """The directory of files that the history points to."""

    def __init__(self, directory: Path, trash: Trash) -> None:
        self.directory = directory
        self.trash = trash
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    def path(self, digest: str, suffix: str) -> Path:
        """Where the file with this hash is, or would be."""
        return self.directory / digest[:2] / f"{digest}.{suffix}"

    def read(self, digest: str, suffix: str) -> bytes:
        """The content of a file, as it was kept; raises ``PhotoError`` if that cannot be had.

        It is read and checked whole: hashing takes a fraction of the time that sending does.
        """
        try:
            content = self.path(digest, suffix).read_bytes()
        except FileNotFoundError:
            raise PhotoMissingError(digest) from None
        except OSError as error:
            raise PhotoDamagedError(digest) from error
        if sha256(content).hexdigest() != digest:
            raise PhotoDamagedError(digest)
        return content

    def state(
        self, digest: str, suffix: str, pause: Callable[[int], None] = lambda _: None
    ) -> State:
        """Whether the file is as it was kept; ``pause`` is told of every piece that was read."""
        return state_of(self.path(digest, suffix), digest, pause)

    def lost(self, digests: Iterable[str], suffixes: Mapping[str, str]) -> dict[str, str]:
        """Why files cannot be had, by their hashes; one whose suffix nobody knows is missing."""
        states = {
            digest: self.state(digest, suffixes[digest]) if digest in suffixes else "missing"
            for digest in digests
        }
        return {digest: state for digest, state in states.items() if state != "sound"}

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
        """The hash of the content, which is on disk when this returns; a damaged file is healed."""
        digest = sha256(content).hexdigest()
        target = self.path(digest, suffix)
        state = state_of(target, digest)
        if state == "sound":
            return digest
        if state == "damaged":
            self.trash.put([target], "damaged", self.directory.parent)
        make_directory(target.parent)
        write_whole(target, content)
        if state_of(target, digest) != "sound":
            raise OSError(EIO, "The disk does not give back what was written to it", str(target))
        return digest

    def remove(self, digests: Iterable[str], wanted: Callable[[], Collection[str]]) -> None:
        """Delete files, except those that are being added or still wanted at this moment.

        Copies of them in the trash go too: whoever deletes a table wants it gone.
        """
        with self._lock:
            gone = set(digests) - {*wanted(), *self._being_added(1)}
            self._delete(gone)
            self.trash.forget(gone)

    def release(self, digests: Iterable[str], wanted: Callable[[], Collection[str]]) -> None:
        """Delete files that one holds oneself, except those that others hold or want too."""
        with self._lock:
            self._delete(set(digests) - {*wanted(), *self._being_added(2)})

    def _being_added(self, by: int) -> set[str]:
        return {digest for digest, count in self._held.items() if count >= by}

    def _delete(self, digests: Iterable[str]) -> None:
        for digest in digests:
            for path in (self.directory / digest[:2]).glob(f"{digest}.*"):
                path.unlink(missing_ok=True)

    def sweep(self, wanted: Callable[[], Collection[str]], settled_s: float = 0.0) -> int:
        """How many files nobody points to; they go to the trash, unfinished ones too.

        Those that were written in the last ``settled_s`` seconds are left: somebody may be at it.
        """
        before = time.time() - settled_s
        with self._lock:
            keep = {*wanted(), *self._being_added(1)}
            strays = [path for path in self.all() if path.stem not in keep]
            orphans = [path for path in strays if not settled_s or path.stat().st_mtime < before]
            if orphans:
                self.trash.put(orphans, "orphans", self.directory.parent)
            return len(orphans)

    def all(self) -> list[Path]:
        """All files, unfinished ones too."""
        return [path for path in self.directory.glob("??/*") if path.is_file()]


def state_of(path: Path, digest: str, pause: Callable[[int], None] = lambda _: None) -> State:
    """Whether a file's content has this hash."""
    found = sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                found.update(piece)
                pause(len(piece))
    except FileNotFoundError:
        return "missing"
    except OSError:
        return "damaged"
    return "sound" if found.hexdigest() == digest else "damaged"
