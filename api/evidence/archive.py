"""A zip archive written in exactly one way: the same files always give the same bytes.

So a changed byte is found wherever it is, in the archive's own tables too. Nothing is compressed:
photos are already, and nothing depends on the version of a packer.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from rules.errors import RulesError

LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
HEADER = struct.Struct("<HHHHHIIIHH")
"""Version, flags, method, time, date, CRC, size packed, size, lengths of name and extra."""

VERSION = 20
DATE = (2020 - 1980) << 9 | 1 << 5 | 1
"""Every file is dated 1 January 2020: when things happened, the ledger says."""

_MOST = 2**32 - 1
_PER_FILE, _ROOM_FOR_LEDGER = 300, 200_000_000
_READABLE = 0o100644 << 16
_UNIX = 3 << 8


@dataclass(frozen=True)
class Packed:
    """What an archive's tables say of a file: names are plain letters."""

    name: str
    crc: int
    size: int

    @property
    def header(self) -> bytes:
        """What stands before its content."""
        return LOCAL + self._facts + self.name.encode("ascii")

    @property
    def _facts(self) -> bytes:
        length = len(self.name.encode("ascii"))
        return HEADER.pack(VERSION, 0, 0, 0, DATE, self.crc, self.size, self.size, length, 0)

    def listed(self, place: int) -> bytes:
        """Its row of the archive's directory."""
        return (
            CENTRAL
            + struct.pack("<H", _UNIX | VERSION)
            + self._facts
            + struct.pack("<HHHII", 0, 0, 0, _READABLE, place)
            + self.name.encode("ascii")
        )


def refuse_too_large(sizes: Iterable[int]) -> None:
    """Raise ``RulesError`` if no archive can hold files of these sizes; nothing is sent yet."""
    if sum(size + _PER_FILE for size in sizes) > _MOST - _ROOM_FOR_LEDGER:
        raise RulesError("too_large", "The evidence is larger than a zip archive can hold.")


def directory(files: Sequence[Packed]) -> bytes:
    """All that stands behind the last file."""
    rows, place = [], 0
    for file in files:
        rows.append(file.listed(place))
        place += len(file.header) + file.size
    listed = b"".join(rows)
    if place + len(listed) > _MOST:
        raise RulesError("too_large", "The evidence is larger than a zip archive can hold.")
    sizes = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(listed), place, 0)
    return listed + END + sizes


def archive(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The archive of these files, piece by piece."""
    packed, place = list[Packed](), 0
    for name, content in files:
        file = Packed(name, crc32(content), len(content))
        packed.append(file)
        place += len(file.header) + file.size
        if place > _MOST:
            raise RulesError("too_large", "The evidence is larger than a zip archive can hold.")
        yield file.header
        yield content
    yield directory(packed)
