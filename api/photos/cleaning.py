"""A photo as it is kept: the same picture, bit for bit, without what tells where it was taken.

Nothing is encoded again. Of each format the parts that make the picture are kept, and of the rest
only the essential EXIF; so what we do not know cannot slip through.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from api.photos.exif import essential_exif
from api.photos.heic import cleaned_heic
from api.photos.uncleanable import UncleanableError

_EXIF = b"Exif\x00\x00"
_XMP = b"http://ns.adobe.com/xap/1.0/\x00"
_ICC = b"ICC_PROFILE\x00"
_ADOBE = b"Adobe"

_SOI, _EOI, _SOS = 0xD8, 0xD9, 0xDA
_APP0, _APP1, _APP2, _APP14, _COM = 0xE0, 0xE1, 0xE2, 0xEE, 0xFE
_ALONE = {0x01, *range(0xD0, 0xD8)}
"""Markers without a body."""

# No thread gets on while one of these is looked for: they begin with one byte and nothing repeats,
# so that the search is as fast as memory, whatever the bytes are.
_MARKER = re.compile(rb"\xff[^\x00\xff]")
_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")

_MOST_PARTS = 5_000
"""Of a JPEG file. Photos have a few dozen; each takes time."""

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = {
    *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS"),
    *(b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"pHYs", b"cICP"),
}
_WEBP_KEPT = {b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ICCP"}
_WEBP_EXIF, _WEBP_XMP, _WEBP_ANIMATED = 0x08, 0x04, 0x02


@dataclass(frozen=True)
class Cleaned:
    """A photo to keep: its content, media type, and how its file's name ends."""

    content: bytes
    media_type: str
    suffix: str


def suffix_of(beginning: bytes) -> str | None:
    """How the name of a picture that begins so ends; None for what is no picture that we keep."""
    if beginning.startswith(b"\xff\xd8"):
        return "jpg"
    if beginning.startswith(_PNG):
        return "png"
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "webp"
    return "heic" if beginning[4:8] == b"ftyp" else None


def cleaned(content: bytes) -> Cleaned:
    """The photo without location data; raises ``UncleanableError`` if that cannot be had surely."""
    suffix = suffix_of(content[:16])
    if suffix is None:
        raise UncleanableError
    media_type, clean = _CLEANERS[suffix]
    try:
        return Cleaned(clean(content), media_type, suffix)
    except (struct.error, IndexError) as error:
        raise UncleanableError from error


def _jpeg(content: bytes) -> bytes:
    kept, exif, xmp = list[bytes](), list[bytes](), list[bytes]()
    place = 2
    for _ in range(_MOST_PARTS):
        marker, start, end = _segment(content, place)
        body = content[start + 4 : end] if end - start >= 4 else b""
        if marker == _APP1 and body.startswith(_EXIF):
            exif.append(body[len(_EXIF) :])
        elif marker == _APP1 and body.startswith(_XMP):
            xmp.append(body[len(_XMP) :])
        elif _makes_the_picture(marker, body):
            kept.append(content[start:end])
        place = end
        if marker == _SOS:
            place = _scan_end(content, end)
            kept.append(content[end:place])
        if marker == _EOI or place >= len(content):
            break  # after it come other pictures, films and notes
    else:
        raise UncleanableError
    essential = essential_exif(b"".join(exif), b"".join(xmp))
    if essential:
        body = _EXIF + essential
        kept.insert(0, struct.pack(">BBH", 0xFF, _APP1, len(body) + 2) + body)
    return b"\xff\xd8" + b"".join(kept)


def _segment(content: bytes, place: int) -> tuple[int, int, int]:
    """The next marker, where it starts and where its body ends.

    Rubbish before it is passed over, as decoders do.
    """
    found = _MARKER.search(content, place)
    if found is None:
        return _EOI, len(content), len(content)
    marker, start = content[found.end() - 1], found.end() - 2
    if marker in _ALONE or marker in (_SOI, _EOI):
        return marker, start, found.end()
    (length,) = struct.unpack_from(">H", content, found.end())
    if length < 2 or found.end() + length > len(content):
        raise UncleanableError
    return marker, start, found.end() + length


def _scan_end(content: bytes, start: int) -> int:
    """Where the picture's data end that start here; bytes that only fill up belong to the rest."""
    found = _SCAN_END.search(content, start)
    if found is None:
        return len(content)
    end = found.start()
    while end > start and content[end - 1] == 0xFF:
        end -= 1
    return end


def _makes_the_picture(marker: int, body: bytes) -> bool:
    if marker in (_SOI, _COM):
        return False
    if not 0xE0 <= marker <= 0xEF:
        return True
    return (
        (marker == _APP0 and body.startswith(b"JFIF\x00"))
        or (marker == _APP2 and body.startswith(_ICC))
        or (marker == _APP14 and body.startswith(_ADOBE))
    )


def _png(content: bytes) -> bytes:
    kept, exif = list[tuple[bytes, bytes]](), b""
    for kind, body in _png_chunks(content):
        if kind == b"eXIf":
            exif = body
        elif kind in _PNG_KEPT:
            kept.append((kind, body))
    essential = essential_exif(exif)
    if essential:
        kept.insert(1, (b"eXIf", essential))
    return _PNG + b"".join(map(_png_chunk, *zip(*kept, strict=True)))


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(_PNG)
    while place + 12 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, place)
        if place + 12 + length > len(content):
            raise UncleanableError
        yield kind, content[place + 8 : place + 8 + length]
        place += 12 + length
        if kind == b"IEND":
            return
    raise UncleanableError


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    checked = kind + body
    return struct.pack(">I", len(body)) + checked + struct.pack(">I", zlib.crc32(checked))


def _webp(content: bytes) -> bytes:
    kept, exif, xmp = list[tuple[bytes, bytes]](), b"", b""
    for kind, body in _riff_chunks(content):
        if kind == b"EXIF":
            exif = body.removeprefix(_EXIF)
        elif kind == b"XMP ":
            xmp = body
        elif kind in (b"ANIM", b"ANMF"):
            raise UncleanableError
        elif kind in _WEBP_KEPT:
            kept.append((kind, body))
    essential = essential_exif(exif, xmp)
    if kept and kept[0][0] == b"VP8X":
        kept[0] = (b"VP8X", _flagged(kept[0][1], bool(essential)))
        if essential:
            kept.append((b"EXIF", essential))
    inside = b"WEBP" + b"".join(_riff_chunk(kind, body) for kind, body in kept)
    return b"RIFF" + struct.pack("<I", len(inside)) + inside


def _flagged(header: bytes, has_exif: bool) -> bytes:
    """The extended header saying what is in the file now."""
    if len(header) < 10 or header[0] & _WEBP_ANIMATED:
        raise UncleanableError
    flags = header[0] & ~(_WEBP_XMP | _WEBP_EXIF) | (_WEBP_EXIF if has_exif else 0)
    return bytes([flags]) + header[1:10]


def _riff_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    (size,) = struct.unpack_from("<I", content, 4)
    place, end = 12, min(8 + size, len(content))
    while place + 8 <= end:
        kind, length = struct.unpack_from("<4sI", content, place)
        if place + 8 + length > end:
            raise UncleanableError
        yield kind, content[place + 8 : place + 8 + length]
        place += 8 + length + length % 2


def _riff_chunk(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)


_CLEANERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "jpg": ("image/jpeg", _jpeg),
    "png": ("image/png", _png),
    "webp": ("image/webp", _webp),
    "heic": ("image/heic", cleaned_heic),
}
"""By suffix: the media type, and what cleans such a file."""
