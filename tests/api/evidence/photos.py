"""Photos with all that phones write into them, for tests of what is kept."""

from io import BytesIO
from typing import Literal

import numpy as np
import pillow_heif
from PIL import Image
from PIL.Image import Exif
from PIL.TiffImagePlugin import IFDRational

SECRET = b"4711 Hidden Lane"
"""A text that stands in every place from which it must vanish."""

Kind = Literal["JPEG", "PNG", "WEBP", "HEIF"]
KINDS: tuple[Kind, ...] = ("JPEG", "PNG", "WEBP", "HEIF")


def picture(size: tuple[int, int] = (96, 64)) -> Image.Image:
    """A picture in which no two places look the same."""
    noise = np.random.default_rng(7).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    return Image.fromarray(noise)


def telling_exif(orientation: int | None = 6) -> Exif:
    """EXIF with a position, notes, and what must stay."""
    exif = Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    exif[0x010E] = SECRET.decode()
    exif[0x010F] = "Maker"
    exif[0x9003] = "2026:11:16 20:15:00"
    inner = exif.get_ifd(0x8769)
    inner[0x9003] = "2026:11:16 20:15:00"
    inner[0x920A] = IFDRational(425, 100)
    inner[0xA405] = 26
    inner[0xA002], inner[0xA003] = 96, 64
    inner[0x927C] = SECRET
    inner[0x9286] = b"ASCII\x00\x00\x00" + SECRET
    gps = exif.get_ifd(0x8825)
    gps[1], gps[2] = "N", (IFDRational(52), IFDRational(31), IFDRational(12))
    gps[3], gps[4] = "E", (IFDRational(13), IFDRational(24), IFDRational(18))
    gps[27] = SECRET
    return exif


XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a tiff:Orientation="3">' + SECRET + b"</a></x:xmpmeta>"


def telling_photo(kind: Kind, orientation: int | None = 6) -> bytes:
    """A photo that tells where it was taken, in every way its format has."""
    out = BytesIO()
    exif = telling_exif(orientation)
    if kind == "HEIF":
        file = pillow_heif.from_pillow(picture())
        file.info["exif"], file.info["xmp"] = exif.tobytes(), XMP
        file.save(out, quality=90)
        return out.getvalue()
    if kind == "PNG":
        from PIL.PngImagePlugin import PngInfo  # noqa: PLC0415

        notes = PngInfo()
        notes.add_text("Comment", SECRET.decode())
        notes.add_itxt("XML:com.adobe.xmp", XMP.decode())
        picture().save(out, "PNG", exif=exif, pnginfo=notes)
        return out.getvalue() + SECRET
    if kind == "WEBP":
        picture().save(out, "WEBP", exif=exif, xmp=XMP, lossless=True)
        return out.getvalue() + SECRET
    picture().save(out, "JPEG", exif=exif, xmp=XMP, comment=SECRET, quality=90)
    return out.getvalue() + b"\xff\xd8" + SECRET + b"\xff\xd9"
