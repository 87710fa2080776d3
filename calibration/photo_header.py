"""What a photo file says about its lens, without decoding the picture.

Phones write the focal length into the file (EXIF). It is a good start for the camera, never
taken for the truth: editors crop pictures and keep the old numbers, and some write nonsense.
"""

import struct
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import hypot, isfinite
from numbers import Real
from pathlib import Path
from typing import Any

from PIL import ExifTags, Image

_FILM_DIAGONAL_MM = hypot(36.0, 24.0)
_MM_PER_UNIT = {2: 25.4, 3: 10.0, 4: 1.0, 5: 0.001}
"""Length of EXIF's units of focal plane resolution: inch, cm, mm, µm."""

_SHORTEST, _LONGEST = 0.28, 4.0
"""Believable focal lengths in picture diagonals: fields of view from 14° to 121° on the diagonal,
from a phone's widest lens to a portrait lens with room to spare."""

_SAME_ASPECT = 0.01
"""Relative difference of aspect ratio from which a picture counts as cropped after it was taken
(a sensor's odd rows and thumbnails' rounding stay well below)."""

_QUARTER_TURNS = (5, 6, 7, 8)
_UNREADABLE = (
    *(OSError, ValueError, TypeError, KeyError, IndexError, OverflowError),
    *(SyntaxError, EOFError, ZeroDivisionError, struct.error, Image.DecompressionBombError),
)
"""What Pillow is known to raise over damaged files."""


@dataclass(frozen=True)
class PhotoHeader:
    """What a photo file says of itself. The size is that of the upright picture."""

    width: int
    height: int
    orientation: int
    """EXIF's 1…8; 1 is upright as stored."""
    focal_px: float | None
    """Focal length in pixels of the whole picture; None where the file does not tell."""


def read_header(photo: Path | bytes) -> PhotoHeader | None:
    """The header of a photo given as a file or its content; None if it is no picture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # damaged EXIF is nothing to bother anyone with
            with Image.open(BytesIO(photo) if isinstance(photo, bytes) else photo) as image:
                width, height = image.size
                tags = _tags(image)
    except _UNREADABLE:
        return None
    orientation = _orientation(tags)
    focal_px = _focal_px(tags, width, height)
    if orientation in _QUARTER_TURNS:
        width, height = height, width
    return PhotoHeader(width, height, orientation, focal_px)


def _tags(image: Image.Image) -> dict[int, Any]:
    """All EXIF tags by number; none if they cannot be read."""
    try:
        exif = image.getexif()
        return {**exif, **exif.get_ifd(ExifTags.IFD.Exif)}
    except _UNREADABLE:
        return {}


def _orientation(tags: Mapping[int, Any]) -> int:
    value = tags.get(ExifTags.Base.Orientation)
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _focal_px(tags: Mapping[int, Any], width: int, height: int) -> float | None:
    """The focal length in pixels, by the first of two ways that gives a believable one."""
    if _cropped(tags, width, height):
        return None
    diagonal = hypot(width, height)
    for focal_px in (_from_film(tags, diagonal), _from_sensor(tags, width, height)):
        if focal_px is not None and _SHORTEST * diagonal <= focal_px <= _LONGEST * diagonal:
            return focal_px
    return None


def _from_film(tags: Mapping[int, Any], diagonal: float) -> float | None:
    """By the focal length a 35 mm camera would need; equivalence is by diagonals (CIPA)."""
    film_mm = _positive(tags.get(ExifTags.Base.FocalLengthIn35mmFilm))
    return None if film_mm is None else film_mm / _FILM_DIAGONAL_MM * diagonal


def _from_sensor(tags: Mapping[int, Any], width: int, height: int) -> float | None:
    """By the lens's focal length and the sensor's pixels per length."""
    focal_mm = _positive(tags.get(ExifTags.Base.FocalLength))
    density = _positive(tags.get(ExifTags.Base.FocalPlaneXResolution))
    unit_mm = _MM_PER_UNIT.get(tags.get(ExifTags.Base.FocalPlaneResolutionUnit, 2))
    if focal_mm is None or density is None or unit_mm is None:
        return None
    taken = _size_when_taken(tags)  # the density is that of the picture before any scaling
    scale = 1.0 if taken is None else max(width, height) / max(taken)
    return focal_mm * density / unit_mm * scale


def _cropped(tags: Mapping[int, Any], width: int, height: int) -> bool:
    """Whether the shape of the picture is not the one it was taken with."""
    taken = _size_when_taken(tags)
    if taken is None:
        return False
    now, then = max(width, height) / min(width, height), max(taken) / min(taken)
    return abs(now / then - 1.0) > _SAME_ASPECT


def _size_when_taken(tags: Mapping[int, Any]) -> tuple[float, float] | None:
    width = _positive(tags.get(ExifTags.Base.ExifImageWidth))
    height = _positive(tags.get(ExifTags.Base.ExifImageHeight))
    return None if width is None or height is None else (width, height)


def _positive(value: object) -> float | None:
    """The value if it is a number above zero, else None."""
    if not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
    return number if isfinite(number) and number > 0 else None
