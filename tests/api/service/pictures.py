"""Files that are pictures, nearly, or not at all."""

import struct
import zlib
from io import BytesIO

from PIL import Image


def png(width: int, height: int) -> bytes:
    """A small PNG that claims to be of this size; there are no pixels in it."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IEND", b"")


def bomb(side: int = 10_000) -> bytes:
    """A true PNG of 100 megapixels in a hundred kilobytes."""
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    squeeze = zlib.compressobj(9)
    row = bytes(1 + side // 8)
    pixels = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", pixels), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def blank(kind: str = "JPEG", size: tuple[int, int] = (640, 480)) -> bytes:
    """A picture of nothing."""
    file = BytesIO()
    Image.new("RGB", size, (120, 130, 140)).save(file, kind)
    return file.getvalue()


def _chunk(name: bytes, content: bytes) -> bytes:
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)
