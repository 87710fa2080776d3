"""Photos of printed sheets with known truth: a PDF's black boxes seen through a camera."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.fiducials import Picture
from lab.rendering.printing import PX_PER_MM, rasterise

TABLE, CARD = 120, 90
Singles = NDArray[np.float32]
_SAMPLES = 3
"""Rays per pixel and direction."""


def photograph(
    pdf: bytes,
    view: View,
    origin: tuple[float, float],
    z: float = 0.0,
    *,
    cover_mm: float = 0.0,
    blur_px: float = 0.6,
    noise: float = 3.0,
) -> Picture:
    """A picture of the printed page lying at height z, the page's ``origin`` (mm) at x = y = 0.

    ``cover_mm`` is the radius of a disc of card that lies on it, around x = y = 0, at z = 0.
    """
    sheet, _, height_mm = rasterise(pdf)
    spot = _fine(_spots(view, z))
    picture = cv2.remap(
        sheet,
        (spot[..., 0] + origin[0]) * PX_PER_MM - 0.5,
        (height_mm - spot[..., 1] - origin[1]) * PX_PER_MM - 0.5,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=TABLE,
    )
    if cover_mm > 0.0:
        picture[np.linalg.norm(_fine(_spots(view, 0.0)), axis=-1) < cover_mm] = CARD
    size = (view.camera.width, view.camera.height)
    picture = cv2.GaussianBlur(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), blur_px
    )
    seed = hash(view.pose.tvec) % 2**32  # a hash of numbers is the same in every run
    grain = np.random.default_rng(seed).normal(0.0, noise, picture.shape)
    gray = np.clip(picture + grain, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def _spots(view: View, z: float) -> Singles:
    """Where on the plane at height z each pixel looks (height, width, 2); far off if nowhere."""
    rows, columns = np.indices((view.camera.height, view.camera.width))
    pixels = np.stack([columns.ravel(), rows.ravel()], axis=1)
    spots = np.nan_to_num(view.on_plane(pixels, z)[:, :2], nan=1e6)
    return spots.reshape(*rows.shape, 2).astype(np.float32)


def _fine(spots: Singles) -> Singles:
    """The same for several rays a pixel: between pixels the map is as good as linear."""
    return np.asarray(cv2.resize(spots, None, fx=_SAMPLES, fy=_SAMPLES), dtype=np.float32)
