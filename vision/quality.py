"""Checks of a photo as such: too dark, blurred, without colours.

All are measured on the working picture, so they mean the same for a photo of any size.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Picture

Plane = NDArray[np.float32]

DARK_LEVEL = 48
"""Below this of 255 in the brightest fiftieth of the picture, fewer than 3 % of the light that a
sensor takes are used: noise is as large as the differences of colours."""

BLURRED_PX = 2.0
"""``blur_px`` from which a photo counts as blurred. Project photos give 0 (at most 0.4), real ones
up to 0.6, both smoothed with σ = 2.5 working pixels 1.6 to 2.2: about an eighth of a sphere's
radius, from where two spheres that touch run into each other."""

GREY_LEVEL = 6
"""A picture in which the most colourful fiftieth differs less between red, green and blue is grey:
of 220 photos of trays, project and lab, the greyest had 19; one in black and white has 0."""

_FINE, _COARSE = 1.0, 4.0
_BLOCK = 16
_SHARPEST = 0.1
_NO_EDGES = 1.0


def quality_warnings(picture: Picture) -> tuple[str, ...]:
    """The codes among ``too_dark`` and ``blurred`` that fit the picture."""
    dark = ("too_dark",) if brightness(picture) < DARK_LEVEL else ()
    blurred = ("blurred",) if blur_px(picture) > BLURRED_PX else ()
    return dark + blurred


def brightness(picture: Picture) -> float:
    """The level, of 255, that the brightest fiftieth of the picture reaches."""
    return float(np.percentile(picture[::4, ::4].max(axis=2), 98))


def is_grey(picture: Picture) -> bool:
    """Whether the picture has no colours to tell spheres by."""
    pixels = picture[::4, ::4]
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    return bool(np.percentile(spread, 98) < GREY_LEVEL)


def blur_px(picture: Picture) -> float:
    """The spread (standard deviation, in pixels) of the picture's sharpest edges.

    A step that is spread by s and then smoothed by σ has a slope of 1 / √(s² + σ²): the slopes at
    two σ tell s, whatever the contrast. Texture finer than the pixels gives 0. A picture without
    any edge gives 0 as well: nothing in it is blurred.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine, coarse = _steepest(_slopes(grey, _FINE), _BLOCK), _steepest(_coarse_slopes(grey), 4)
    rows, columns = np.minimum(fine.shape, coarse.shape)
    fine, coarse = fine[:rows, :columns].ravel(), coarse[:rows, :columns].ravel()
    sharpest = np.argsort(fine)[-max(1, round(_SHARPEST * fine.size)) :]
    if fine[sharpest].mean() < _NO_EDGES:
        return 0.0
    ratio2 = float((fine[sharpest].mean() / coarse[sharpest].mean()) ** 2)
    if ratio2 >= (_COARSE / _FINE) ** 2:
        return 0.0
    return float(np.sqrt((_COARSE**2 - ratio2 * _FINE**2) / max(ratio2 - 1.0, 1e-2)))


def _coarse_slopes(grey: Plane) -> Plane:
    """Slopes after strong smoothing, at a quarter of the size: averaging is smoothing as well."""
    quarter = cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    averaged2 = (4.0**2 - 1.0) / 12.0
    smoothing = (_COARSE**2 - averaged2) ** 0.5 / 4.0
    return _slopes(np.asarray(quarter, dtype=np.float32), smoothing) / np.float32(4.0)


def _slopes(grey: Plane, sigma: float) -> Plane:
    """Slope at each pixel after smoothing, in levels per pixel."""
    smooth = cv2.GaussianBlur(grey, (0, 0), sigma)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=1, scale=0.5)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=1, scale=0.5)
    return np.asarray(cv2.magnitude(across, down), dtype=np.float32)


def _steepest(slopes: Plane, block: int) -> Plane:
    """The steepest slope in each block of so many pixels."""
    rows, columns = (side // block for side in slopes.shape)
    tiles = slopes[: rows * block, : columns * block].reshape(rows, block, columns, block)
    return np.asarray(tiles.max(axis=(1, 3)))
