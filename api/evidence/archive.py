"""A zip archive written in exactly one way: the same files always give the same bytes.

So a changed byte is found wherever it is, in the archive's own tables too. Nothing is compressed:
photos are already, and nothing depends on the version of a packer.
"""

import struct
from collections.abc import Iterable, Iterator
from zlib import crc32

from rules.errors import RulesError

_VERSION = 20
_DATE = (2020 - 1980) << 9 | 1 << 5 | 1
"""Every file is dated 1 January 2020: when things happened, the ledger says."""

_MOST = 2**32 - 1
_PER_FILE, _ROOM_FOR_LEDGER = 300, 200_000_000
_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_READABLE = 0o100644 << 16
_UNIX = 3 << 8


def refuse_too_large(sizes: Iterable[int]) -> None:
    """Raise ``RulesError`` if no archive can hold files of these sizes; nothing is sent yet."""
    if sum(size + _PER_FILE for size in sizes) > _MOST - _ROOM_FOR_LEDGER:
        raise RulesError("too_large", "The evidence is larger than a zip archive can hold.")


def archive(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The archive of these files, piece by piece; names are plain letters."""
    directory, place, count = b"", 0, 0
    for name, content in files:
        title = name.encode("ascii")
        facts = struct.pack(
            "<HHHHHIIIHH",
            *(_VERSION, 0, 0, 0, _DATE),
            *(crc32(content), len(content), len(content), len(title), 0),
        )
        yield _LOCAL + facts + title
        yield content
        directory += (
            _CENTRAL
            + struct.pack("<H", _UNIX | _VERSION)
            + facts
            + struct.pack("<HHHII", 0, 0, 0, _READABLE, place)
            + title
        )
        place += 30 + len(title) + len(content)
        count += 1
        if place + len(directory) > _MOST:
            raise RulesError("too_large", "The evidence is larger than a zip archive can hold.")
    sizes = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), place, 0)
    yield directory + _END + sizes
