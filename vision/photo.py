"""Photos: from a file or its bytes to an upright picture of working size.

Everything is checked on the header before a pixel is decoded, so that a file of a few kilobytes
that claims a gigapixel costs nothing. JPEGs are decoded straight at a half, a quarter or an eighth
of their size, which is most of what a large photo costs; one whose data is damaged is refused,
for what comes after the damage has the wrong colours or is in the wrong place.
"""

import re
import struct
import warnings
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PIL import Image

from calibration.photo_header import PhotoHeader, read_header
from vision.photo_format import NOT_A_PHOTO, PhotoFormat, photo_format

Picture = NDArray[np.uint8]

WORKING_SIZE = 512
"""Pixels on the long side that the reading works with: a sphere is then 15 to 30 pixels across
its radius in a photo that is filled by its tray."""

MOST_BYTES = 40_000_000
MOST_PIXELS = {
    PhotoFormat.JPEG: 52_000_000,
    PhotoFormat.HEIC: 52_000_000,
    PhotoFormat.PNG: 26_000_000,
    PhotoFormat.WEBP: 26_000_000,
}
"""Everything that phones take is read, 50 megapixels included. Decoding the costliest files of
these sizes (progressive JPEG, palettes, WebP) takes up to 450 MB in all."""

_PILLOW = {kind: kind.name for kind in PhotoFormat} | {PhotoFormat.HEIC: "HEIF"}
"""What Pillow calls the formats."""

MOST_PRINTED_PIXELS = 26_000_000
"""Of a JPEG in a printer's four colours, which no camera writes and Pillow decodes at full size."""

LEAST_SIDE = 64
MOST_ASPECT = 6.0

_NEARLY = 0.92
"""A reduced decode this close to the working size is taken as it is: 4032 / 8 = 504 will do."""

_UNDECODABLE = (
    *(OSError, ValueError, TypeError, KeyError, IndexError, OverflowError, MemoryError),
    *(SyntaxError, EOFError, ZeroDivisionError, RuntimeError, struct.error),
    *(Image.DecompressionBombError, cv2.error),
)
"""What Pillow and its decoders are known to raise over damaged files."""

_HARMLESS = re.compile(
    r"Invalid SOS parameters|extraneous bytes before marker 0x(?!d9)|: \d extraneous bytes"
)
"""Warnings of libjpeg about some phones' files whose pictures are fine."""


class BadImageError(Exception):
    """A file that cannot be decoded; ``text`` tells people why and what to do."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo as the stages of a reading use it."""

    picture: Picture
    """Blue, green, red; upright."""
    scale: float
    """Working pixels per pixel of the photo."""
    size: tuple[int, int]
    """Width and height of the upright photo in the file."""
    focal_px: float | None
    """Focal length in working pixels, where the file tells."""

    def to_original(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Working pixel coordinates (…, 2) as those of the photo in the file."""
        return np.asarray((pixels + 0.5) / self.scale - 0.5, dtype=np.float64)


def load_photo(source: bytes | str | Path, working_size: int = WORKING_SIZE) -> Photo:
    """The photo in a file, given by its path or its content.

    Raises ``BadImageError``, and nothing else, if it cannot be decoded.
    """
    content = source if isinstance(source, bytes) else _content(Path(source))
    kind = _format(content)
    header = _header(content, kind)
    picture = upright(_decoded(content, kind, working_size), header.orientation)
    scale = max(picture.shape[:2]) / max(header.width, header.height)
    focal_px = None if header.focal_px is None else header.focal_px * scale
    return Photo(picture, scale, (header.width, header.height), focal_px)


def upright(picture: Picture, orientation: int) -> Picture:
    """The picture turned and mirrored as EXIF's orientation (1 … 8) says."""
    if orientation >= 5:
        picture = np.transpose(picture, (1, 0, 2))
    if orientation in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    if orientation in (3, 4, 7, 8):
        picture = picture[::-1]
    return np.ascontiguousarray(picture)


def _content(file: Path) -> bytes:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise _too_many_bytes(file.stat().st_size)
        return file.read_bytes()
    except FileNotFoundError:
        raise BadImageError(f"There is no file {file}.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadImageError(f"{file} cannot be read: {reason}.") from error


def _format(content: bytes) -> PhotoFormat:
    """The format of a file that is worth decoding."""
    if not content:
        raise BadImageError("The file is empty.")
    if len(content) > MOST_BYTES:
        raise _too_many_bytes(len(content))
    kind = photo_format(content)
    if kind is None:
        raise BadImageError(NOT_A_PHOTO)
    if kind is PhotoFormat.HEIC:
        _learn_heic()
    return kind


def _learn_heic() -> None:
    """Teach Pillow to open HEIC; the package loads only for those who need it."""
    try:
        import pillow_heif  # noqa: PLC0415
    except ImportError as error:
        text = "HEIC photos need the package pillow-heif; without it, send the photo as JPEG."
        raise BadImageError(text) from error
    pillow_heif.register_heif_opener()


def _header(content: bytes, kind: PhotoFormat) -> PhotoHeader:
    """The header of a photo that is neither too large nor too small to be read."""
    try:
        _check_size(*_stored(content, kind))
        header = read_header(content)  # after the check: Pillow decodes PNGs to find their EXIF
    except _UNDECODABLE:
        header = None
    if header is None:
        raise BadImageError(
            "The file is damaged or claims an absurd size. Take or send the photo again."
        )
    return header


def _stored(content: bytes, kind: PhotoFormat) -> tuple[int, int, int]:
    """Width and height by the header, and how many pixels are read of its kind."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(BytesIO(content), formats=[_PILLOW[kind]]) as image:
            printed = image.mode == "CMYK"
            return *image.size, MOST_PRINTED_PIXELS if printed else MOST_PIXELS[kind]


def _check_size(width: int, height: int, most_pixels: int) -> None:
    if min(width, height) < LEAST_SIDE:
        raise BadImageError(f"The photo is too small: {width} × {height} pixels.")
    if width * height > most_pixels:
        mega, most = width * height / 1e6, most_pixels / 1e6
        raise BadImageError(
            f"The photo is too large: {mega:.0f} megapixels; at most {most:.0f} are read."
        )
    if max(width, height) > MOST_ASPECT * min(width, height):
        raise BadImageError(f"The photo is too narrow: {width} × {height} pixels. Do not crop it.")


def _decoded(content: bytes, kind: PhotoFormat, working_size: int) -> Picture:
    """The picture as stored in the file, at about the working size."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # half-damaged metadata is nothing to bother with
            with Image.open(BytesIO(content), formats=[_PILLOW[kind]]) as image:
                picture = (
                    _sound_jpeg(content, image, working_size) if kind is PhotoFormat.JPEG else None
                )
                if picture is None:
                    picture = _eight_bits(_small(image, working_size))
                return _working(picture, working_size)
    except _UNDECODABLE as error:
        text = "The photo is damaged or incomplete. Take or send it again."
        raise BadImageError(text) from error


def _sound_jpeg(content: bytes, image: Image.Image, working_size: int) -> Picture | None:
    """The picture in a JPEG, decoded at the power of two that leaves enough of it.

    Unlike Pillow, simplejpeg tells what libjpeg finds wrong with the data. None if that is nothing
    to worry about, or the colours are a printer's: then Pillow knows better what to do.
    """
    if image.mode not in ("RGB", "L"):
        return None
    factor = min(8, max(1, int(max(image.size) / (_NEARLY * working_size))))
    factor = 1 << (factor.bit_length() - 1)
    width, height = (-(-side // factor) for side in image.size)
    try:
        picture = simplejpeg.decode_jpeg(content, "BGR", False, False, height, width, strict=True)
    except ValueError as error:
        if _HARMLESS.search(str(error)):
            return None
        raise
    return np.asarray(picture, dtype=np.uint8)


def _small(image: Image.Image, working_size: int) -> Image.Image:
    """The image, made smaller by a whole factor while it is decoded or right after."""
    enough = _NEARLY * working_size
    factor = max(1, int(max(image.size) / enough))
    # JPEG only: the decoder leaves out what is not needed.
    image.draft("RGB", (image.width // factor, image.height // factor))
    image.load()
    factor = int(max(image.size) / enough)
    return image if factor < 2 else _averageable(image).reduce(factor)


def _averageable(image: Image.Image) -> Image.Image:
    """The image in a mode whose pixels can be averaged (numbers of a palette cannot)."""
    if image.mode in ("RGB", "RGBA", "L", "I", "F"):
        return image
    if image.mode.startswith("I"):
        return image.convert("I")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _eight_bits(image: Image.Image) -> Picture:
    """Blue, green, red, whatever the mode was; what is transparent shows white paper."""
    if image.mode[0] in "IF":  # sixteen bits of grey
        grey = np.clip(np.asarray(image) / 257, 0, 255).astype(np.uint8)
        return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if image.has_transparency_data:
        layers = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", layers.size, "white"), layers)
    rgb = np.asarray(image.convert("RGB"))
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), dtype=np.uint8)


def _working(picture: Picture, working_size: int) -> Picture:
    """The picture at the working size, if it is not close to it already; never enlarged."""
    height, width = picture.shape[:2]
    scale = working_size / max(height, width)
    if scale >= _NEARLY:
        return picture
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _too_many_bytes(size: int) -> BadImageError:
    return BadImageError(
        f"The file is too large: {size / 1e6:.0f} MB; at most {MOST_BYTES / 1e6:.0f} MB are read."
    )
