"""HEIC without location: in these files a table says which bytes belong to which item.

Only the bytes of picture items stay; all others become zeros in place, so that no offset changes.
The essential EXIF is written where the old one was.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from api.photos.exif import essential_exif
from api.photos.uncleanable import UncleanableError

_PICTURES = {b"hvc1", b"av01", b"grid", b"iovl", b"iden"}
_TOP_KEPT = {b"ftyp", b"meta", b"mdat"}
_META_KEPT = {
    *(b"hdlr", b"dinf", b"pitm", b"iinf", b"iref", b"iprp", b"idat", b"iloc", b"grpl"),
}
_IN_FILE, _IN_IDAT = 0, 1


@dataclass(frozen=True)
class _Box:
    """A box of the file: its type, where it starts, where its content starts, where it ends."""

    kind: bytes
    start: int
    inside: int
    end: int


@dataclass
class _Items:
    """What the tables say: the type of each item, and the stretches of the file it is made of."""

    kinds: dict[int, bytes] = field(default_factory=dict)
    extents: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def of(self, *kinds: bytes) -> list[tuple[int, int]]:
        """All stretches of items of these types."""
        return [
            extent
            for number, kind in self.kinds.items()
            if kind in kinds
            for extent in self.extents.get(number, [])
        ]


def cleaned_heic(content: bytes) -> bytes:
    """The content with everything blanked that is not picture or structure."""
    tops = list(_boxes(content, 0, len(content)))
    metas = [box for box in tops if box.kind == b"meta"]
    if len(metas) != 1:
        raise UncleanableError
    parts = list(_boxes(content, metas[0].inside + 4, metas[0].end))
    items = _items(content, {box.kind: box for box in parts})
    result = bytearray(content)
    for box in (*tops, *parts):
        kept = _TOP_KEPT if box in tops else _META_KEPT
        if box.kind not in kept:
            result[box.start + 4 : box.start + 8] = b"free"
        if box.kind not in kept or box.kind in (b"mdat", b"idat"):
            result[box.inside : box.end] = bytes(box.end - box.inside)
    pictures = items.of(*_PICTURES)
    for start, end in pictures:
        result[start:end] = content[start:end]
    _put_exif(content, result, items.of(b"Exif"), pictures)
    return bytes(result)


def _put_exif(
    content: bytes,
    result: bytearray,
    stretches: list[tuple[int, int]],
    pictures: list[tuple[int, int]],
) -> None:
    """Write the essential EXIF over the old one, if it is in one piece and there is room."""
    for start, end in stretches:
        if any(start < other_end and other < end for other, other_end in pictures):
            raise UncleanableError  # a note inside a picture
    if len(stretches) != 1:
        return
    start, end = stretches[0]
    if end - start < 4:
        return
    (skipped,) = struct.unpack_from(">I", content, start)
    essential = essential_exif(content[start + 4 + skipped : end])
    block = struct.pack(">I", 6) + b"Exif\x00\x00" + essential
    if essential and len(block) <= end - start:
        result[start : start + len(block)] = block


def _boxes(content: bytes, start: int, end: int) -> Iterator[_Box]:
    while start < end:
        size, kind = struct.unpack_from(">I4s", content, start)
        inside = start + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", content, start + 8)
            inside = start + 16
        stop = end if size == 0 else start + size
        if stop > end or stop < inside:
            raise UncleanableError
        yield _Box(kind, start, inside, stop)
        start = stop


def _items(content: bytes, parts: Mapping[bytes, _Box]) -> _Items:
    if b"iinf" not in parts or b"iloc" not in parts:
        raise UncleanableError
    items = _Items()
    info = parts[b"iinf"]
    first = info.inside + (6 if content[info.inside] == 0 else 8)
    for box in _boxes(content, first, info.end):
        version = content[box.inside]
        if box.kind != b"infe" or version not in (2, 3):
            raise UncleanableError
        layout = ">HH4s" if version == 2 else ">IH4s"
        number, _, kind = struct.unpack_from(layout, content, box.inside + 4)
        items.kinds[number] = kind
    _locate(content, parts[b"iloc"], parts.get(b"idat"), items)
    return items


class _Numbers:
    """Reads big-endian numbers one after the other."""

    def __init__(self, content: bytes, place: int) -> None:
        self._content, self._place = content, place

    def next(self, size: int) -> int:
        """The next number of so many bytes; zero if it has none."""
        end = self._place + size
        if end > len(self._content):
            raise UncleanableError
        value = int.from_bytes(self._content[self._place : end], "big")
        self._place = end
        return value


def _locate(content: bytes, table: _Box, idat: _Box | None, items: _Items) -> None:
    """Fill in where each item's stretches are."""
    version = content[table.inside]
    numbers = _Numbers(content, table.inside + 4)
    sizes = numbers.next(2)
    offset_size, length_size = sizes >> 12, sizes >> 8 & 15
    base_size, index_size = sizes >> 4 & 15, sizes & 15 if version in (1, 2) else 0
    wide = 4 if version == 2 else 2
    for _ in range(numbers.next(wide)):
        number = numbers.next(wide)
        where = numbers.next(2) & 15 if version in (1, 2) else _IN_FILE
        elsewhere = numbers.next(2)
        base = numbers.next(base_size)
        if elsewhere or where not in (_IN_FILE, _IN_IDAT) or (where == _IN_IDAT and idat is None):
            raise UncleanableError
        if where == _IN_IDAT and idat is not None:
            base += idat.inside
        for _ in range(numbers.next(2)):
            numbers.next(index_size)
            start = base + numbers.next(offset_size)
            length = numbers.next(length_size)
            end = start + length if length else len(content)
            if end > len(content):
                raise UncleanableError
            items.extents.setdefault(number, []).append((start, end))
