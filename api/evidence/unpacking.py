"""A bundle taken apart, whoever made it: read once from its beginning to its end, nothing trusted.

Ours are packed in exactly one way, so one pass over the files is enough and the archive's own
directory is only compared. Nothing is unpacked, no size that an archive claims is believed, and
only the ledger and the list of lost photos are kept in memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import BinaryIO
from zlib import crc32

from api.evidence.archive import DATE, HEADER, LOCAL, VERSION, Packed, directory
from api.evidence.missing import MISSING

LEDGER, PAGE, FILES = "ledger.json", "index.html", "files"

MOST_LEDGER = 8_000_000
"""Bytes of a ledger; an evening with a hundred photos has half a million."""

_KEPT = (LEDGER, MISSING)
"""What is read and not only hashed."""

_MOST_FILES = 10_000
_LONGEST_NAME = 100
_PIECE = 1 << 20
_BEGINNING = 16
_ENCRYPTED = 1


class Damaged(Exception):
    """What is no bundle as the service packs them; the text is a sentence."""


@dataclass(frozen=True)
class Inside:
    """A file in a bundle: what the archive calls it, its hash, and how it begins."""

    packed: Packed
    sha256: str
    beginning: bytes


@dataclass
class Unpacked:
    """What was found in a bundle, as far as it could be read."""

    files: dict[str, Inside] = field(default_factory=dict)
    """By name, in their order."""
    texts: dict[str, bytes] = field(default_factory=dict)
    """The contents of those that are read."""
    damage: str | None = None

    def photos(self) -> Iterator[tuple[str, str, Inside]]:
        """Hash and suffix in the names of photos and drawings, and what they are."""
        for path, file in self.files.items():
            folder, _, name = path.partition("/")
            if folder == FILES:
                digest, _, suffix = name.partition(".")
                yield digest, suffix, file


def unpack(file: BinaryIO) -> Unpacked:
    """What is in an archive; where it is damaged, all that comes before that."""
    found = Unpacked()
    try:
        while (mark := file.read(len(LOCAL))) == LOCAL:
            _take(file, found)
        rest = directory([one.packed for one in found.files.values()])
        if mark + file.read(len(rest)) != rest:
            raise Damaged("The archive itself was changed, or is cut off.")
    except Damaged as damage:
        found.damage = str(damage)
    return found


def _take(file: BinaryIO, found: Unpacked) -> None:
    packed = _header(file, found)
    keep = packed.name in _KEPT
    if keep and packed.size > MOST_LEDGER:
        most = f"{MOST_LEDGER // 1_000_000} MB"
        raise Damaged(f"Its {packed.name} is larger than {most}: no game's is.")
    digest, crc, left = sha256(), 0, packed.size
    beginning, kept = b"", bytearray()
    while left:
        piece = file.read(min(left, _PIECE))
        if not piece:
            raise Damaged(f"The archive is cut off within {packed.name}.")
        beginning = beginning or piece[:_BEGINNING]
        digest.update(piece)
        crc = crc32(piece, crc)
        left -= len(piece)
        if keep:
            kept += piece
    if keep:
        found.texts[packed.name] = bytes(kept)
    content = Packed(packed.name, crc, packed.size)
    found.files[packed.name] = Inside(content, digest.hexdigest(), beginning)
    if crc != packed.crc and not packed.name.startswith(FILES):
        raise Damaged(f"{packed.name} was changed.")


def _header(file: BinaryIO, found: Unpacked) -> Packed:
    """What the archive says of the next file; raises ``Damaged`` if we did not pack it so."""
    behind = f" behind {next(reversed(found.files))}" if found.files else ""
    raw = file.read(HEADER.size)
    if len(raw) < HEADER.size:
        raise Damaged(f"The archive is cut off{behind}.")
    version, flags, method, time, date, crc, small, size, length, extra = HEADER.unpack(raw)
    if flags & _ENCRYPTED:
        raise Damaged("The archive is encrypted: evidence never is.")
    name = file.read(min(length, _LONGEST_NAME)).decode("ascii", "replace")
    if (version, flags, method, time, date, small, extra) != (VERSION, 0, 0, 0, DATE, size, 0):
        raise Damaged(
            f"The archive is damaged{behind}, or another program packed it: take the file as the "
            "service gave it."
        )
    if length > _LONGEST_NAME or not name.isascii() or not name.isprintable():
        raise Damaged(f"The archive is damaged{behind}: a file's name cannot be.")
    if name in found.files:
        raise Damaged(f"{name} is in it twice.")
    if len(found.files) >= _MOST_FILES:
        raise Damaged(f"There are more than {_MOST_FILES} files in it: no game has.")
    return Packed(name, crc, size)
