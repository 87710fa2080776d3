"""Where a picture changes: edges sampled along given normals, to a fraction of a pixel.

Colours are taken as they are stored (gamma coded, which is near to what eyes see), all three
channels together: an orange sphere on a green tray has an edge although both are equally bright.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class EdgeProfile:
    """Strength of change ``(n, k)`` at ``offsets`` ``(k,)`` pixels along each of n normals."""

    strength: Array
    offsets: Array


def smooth(picture: Picture, sigma: float = 1.0) -> Floats:
    """The picture as floats, freed of the finest noise."""
    return blurred(picture.astype(np.float32), sigma)


def blurred(smoothed: Floats, sigma: float) -> Floats:
    """The picture blurred further."""
    return np.asarray(cv2.GaussianBlur(smoothed, (0, 0), sigma), dtype=np.float32)


def profile(
    smoothed: Floats, points: Array, normals: Array, reach: float, step: float = 0.5
) -> EdgeProfile:
    """The change of the picture along each normal, ``reach`` pixels to both sides.

    What lies outside the picture does not change.
    """
    count = int(np.ceil(reach / step))
    places = np.linspace(-count - 1, count + 1, 2 * count + 3, dtype=np.float64) * step
    xy = points[:, None, :] + places[None, :, None] * normals[:, None, :]
    colours = sample(smoothed, xy)
    change = (colours[:, 2:] - colours[:, :-2]) / (2 * step)
    return EdgeProfile(np.linalg.norm(change, axis=2).astype(np.float64), places[1:-1])


def blur_width(found: EdgeProfile, offset: Array) -> float:
    """Typical width of these edges in pixels: the standard deviation of the blur that made them."""
    step = found.offsets[1] - found.offsets[0]
    best = np.rint((offset - found.offsets[0]) / step).astype(np.int64)
    best = np.clip(best, 2, len(found.offsets) - 3)
    rows = np.arange(len(best))
    left, middle, right = (
        np.log(np.maximum(found.strength[rows, best + shift], 1e-3)) for shift in (-2, 0, 2)
    )
    bend = left - 2 * middle + right
    peaked = bend < -1e-3
    if not peaked.any():
        return 1.0
    return float(np.median(2 * step / np.sqrt(-bend[peaked])))


def sample(smoothed: Floats, xy: Array) -> Floats:
    """Colours (…, 3) of the picture at places (…, 2) between its pixels."""
    height, width = smoothed.shape[:2]
    flat = np.clip(xy.reshape(-1, 2), 0, (width - 1, height - 1)).astype(np.float32)
    row = 4096  # OpenCV samples sheets of less than 2¹⁵ rows and columns
    sheet = np.pad(flat, ((0, -len(flat) % row), (0, 0))).reshape(-1, row, 2)
    u, v = sheet[..., 0], sheet[..., 1]
    found = cv2.remap(smoothed, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32).reshape(-1, 3)[: len(flat)].reshape(*xy.shape[:-1], 3)


def strongest(found: EdgeProfile, spread: float | Array) -> tuple[Array, Array]:
    """Offset and strength of the strongest edge on each normal, near ones preferred.

    An edge at ``spread`` pixels counts 0.6 times, one at twice that 0.14 times.
    """
    spread = np.broadcast_to(spread, len(found.strength))[:, None]
    nearness = np.exp(-0.5 * (found.offsets / spread) ** 2)
    score = found.strength * nearness
    best = np.clip(score.argmax(axis=1), 1, score.shape[1] - 2)
    rows = np.arange(len(best))
    left, middle, right = (found.strength[rows, best + d] for d in (-1, 0, 1))
    bend = left - 2 * middle + right
    peak = bend < -1e-9
    shift = np.where(peak, 0.5 * (left - right) / np.where(peak, bend, 1.0), 0.0)
    step = found.offsets[1] - found.offsets[0]
    return found.offsets[best] + np.clip(shift, -1, 1) * step, middle
