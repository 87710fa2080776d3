"""The little of a photo's EXIF that is kept: how it was held, its lens, when it was taken.

What is kept is listed here and everything else is left behind: position, maker's notes, serial
numbers, thumbnails, and whatever cameras will write tomorrow.
"""

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

ORIENTATION = 0x0112
_EXIF_IFD = 0x8769
_TAKEN_AT = 0x9003
_NUMBERS = (
    *(0x920A, 0xA405),  # focal length, and the same on 35 mm film
    *(0xA20E, 0xA20F, 0xA210),  # pixels a length on the sensor, and the unit
    *(0xA002, 0xA003),  # size when taken: tells whether it was cropped since
)
_SHORT, _LONG, _RATIONAL, _ASCII = 3, 4, 5, 2
_FORMATS = {_SHORT: "H", _LONG: "I", _RATIONAL: "II"}
_TIME = re.compile(rb"\d{4}:\d\d:\d\d \d\d:\d\d:\d\d\x00")
_XMP_ORIENTATION = re.compile(rb'tiff:Orientation(?:="|>)([1-8])')
_MOST_FIELDS = 1000


@dataclass(frozen=True)
class _Field:
    """One value: its type as in TIFF, and its bytes, most significant first."""

    type: int
    value: bytes


def essential_exif(tiff: bytes, xmp: bytes = b"") -> bytes:
    """A new TIFF block with what is kept of this one; empty if nothing is.

    ``xmp`` tells the orientation where the EXIF does not, as programs that show photos read it.
    """
    try:
        fields = _fields(tiff)
    except (struct.error, ValueError):
        fields = {}
    if ORIENTATION not in fields:
        told = _XMP_ORIENTATION.search(xmp)
        if told is not None:
            fields[ORIENTATION] = _Field(_SHORT, struct.pack(">H", int(told[1])))
    return _block(fields) if fields else b""


def _fields(tiff: bytes) -> dict[int, _Field]:
    """The kept fields of a TIFF block, of its first directory and of the EXIF one in it."""
    order = {b"II*\x00": "<", b"MM\x00*": ">"}.get(tiff[:4])
    if order is None:
        return {}
    (start,) = struct.unpack_from(order + "I", tiff, 4)
    found: dict[int, _Field] = {}
    for tag, kind, count, place in _entries(tiff, start, order):
        if tag == _EXIF_IFD and kind == _LONG:
            (inner,) = struct.unpack_from(order + "I", tiff, place)
            found |= _kept(tiff, inner, order)
        elif tag == ORIENTATION and kind == _SHORT and count == 1:
            found |= _number(tiff, tag, kind, place, order)
    return _kept(tiff, start, order) | found


def _kept(tiff: bytes, start: int, order: str) -> dict[int, _Field]:
    found: dict[int, _Field] = {}
    for tag, kind, count, place in _entries(tiff, start, order):
        if tag in _NUMBERS and kind in _FORMATS and count == 1:
            at = place
            if kind == _RATIONAL:
                (at,) = struct.unpack_from(order + "I", tiff, place)
            found |= _number(tiff, tag, kind, at, order)
        elif tag == _TAKEN_AT and kind == _ASCII and count == 20:
            (at,) = struct.unpack_from(order + "I", tiff, place)
            if _TIME.fullmatch(tiff[at : at + 20]):
                found[tag] = _Field(_ASCII, tiff[at : at + 20])
    return found


def _number(tiff: bytes, tag: int, kind: int, at: int, order: str) -> dict[int, _Field]:
    values = struct.unpack_from(order + _FORMATS[kind], tiff, at)
    return {tag: _Field(kind, struct.pack(">" + _FORMATS[kind], *values))}


def _entries(tiff: bytes, start: int, order: str) -> Iterator[tuple[int, int, int, int]]:
    """Tag, type, count, and the place of the value or of its offset."""
    (number,) = struct.unpack_from(order + "H", tiff, start)
    for index in range(min(number, _MOST_FIELDS)):
        place = start + 2 + 12 * index
        tag, kind, count = struct.unpack_from(order + "HHI", tiff, place)
        yield tag, kind, count, place + 8


def _block(fields: Mapping[int, _Field]) -> bytes:
    """A TIFF block of these fields: orientation first, the rest in an EXIF directory."""
    inner = {tag: field for tag, field in fields.items() if tag != ORIENTATION}
    outer = {tag: field for tag, field in fields.items() if tag == ORIENTATION}
    if not inner:
        return b"MM\x00*" + struct.pack(">I", 8) + _directory(outer, 8)
    begin = 8 + 2 + 12 * (len(outer) + 1) + 4
    pointer = {_EXIF_IFD: _Field(_LONG, struct.pack(">I", begin))}
    head = b"MM\x00*" + struct.pack(">I", 8) + _directory(outer | pointer, 8)
    return head + _directory(inner, begin)


def _directory(fields: Mapping[int, _Field], start: int) -> bytes:
    """A directory at this place, with the values that do not fit into it right after."""
    rows, values = b"", b""
    after = start + 2 + 12 * len(fields) + 4
    for tag, field in sorted(fields.items()):
        size = {_SHORT: 2, _LONG: 4, _RATIONAL: 8, _ASCII: 1}[field.type]
        row = struct.pack(">HHI", tag, field.type, len(field.value) // size)
        if len(field.value) <= 4:
            rows += row + field.value.ljust(4, b"\x00")
        else:
            rows += row + struct.pack(">I", after + len(values))
            values += field.value
    return struct.pack(">H", len(fields)) + rows + b"\x00\x00\x00\x00" + values
