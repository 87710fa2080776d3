"""A part of a photo, enlarged: what a dispute is about, cut out by a worker."""

from dataclasses import dataclass
from typing import ClassVar

_DECODED = 3200
_LONG_SIDE = 900

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of a photo."""


@dataclass(frozen=True)
class CropPhoto:
    """Cut a box out of a photo and enlarge it."""

    patience: ClassVar[float] = 1.0
    photo: bytes
    box: Box

    def run(self) -> bytes:
        """The picture as the content of a WebP file."""
        import cv2  # noqa: PLC0415 - in workers only
        import numpy as np  # noqa: PLC0415

        from vision.drawing import encode  # noqa: PLC0415
        from vision.photo import load_photo  # noqa: PLC0415

        photo = load_photo(self.photo, _DECODED)
        height, width = photo.picture.shape[:2]
        left, top, right, bottom = (round(value * photo.scale) for value in self.box)
        left, right = sorted((min(max(left, 0), width - 2), min(max(right, 2), width)))
        top, bottom = sorted((min(max(top, 0), height - 2), min(max(bottom, 2), height)))
        part = photo.picture[top : max(bottom, top + 1), left : max(right, left + 1)]
        factor = _LONG_SIDE / max(part.shape[:2])
        size = (max(1, round(part.shape[1] * factor)), max(1, round(part.shape[0] * factor)))
        larger = cv2.resize(part, size, interpolation=cv2.INTER_CUBIC)
        return encode(np.asarray(larger, dtype=np.uint8), "webp")
