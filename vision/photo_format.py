"""The photo formats that can be read, told by a file's first bytes.

Needs no image library, so that an upload can be refused before one is loaded.
"""

from enum import Enum

_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}


class PhotoFormat(Enum):
    """A format: its name for people, its media type, and how names of its files end."""

    JPEG = ("JPEG", "image/jpeg", "jpg")
    PNG = ("PNG", "image/png", "png")
    WEBP = ("WebP", "image/webp", "webp")
    HEIC = ("HEIC", "image/heic", "heic")

    def __init__(self, label: str, media_type: str, suffix: str) -> None:
        self.label = label
        self.media_type = media_type
        self.suffix = suffix


FORMATS = " or ".join(
    (", ".join(kind.label for kind in list(PhotoFormat)[:-1]), list(PhotoFormat)[-1].label)
)
"""All formats, for people."""

NOT_A_PHOTO = f"This is not a photo that can be read: use {FORMATS}."


def photo_format(content: bytes) -> PhotoFormat | None:
    """The format of a file; None if it is no photo that can be read."""
    if content.startswith(b"\xff\xd8\xff"):
        return PhotoFormat.JPEG
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return PhotoFormat.PNG
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return PhotoFormat.WEBP
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC_BRANDS:
        return PhotoFormat.HEIC
    return None
