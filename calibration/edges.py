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

MOST_ROWS = 1 << 14
FAR_OUT = 1e4
"""OpenCV samples no more than 2¹⁵ rows at once, and nowhere farther than 2¹⁵ pixels away."""


@dataclass(frozen=True)
class EdgeChanges:
    """Strength of change ``(n, k)`` at ``offsets`` ``(k,)`` pixels along each of n normals."""

    strength: Array
    offsets: Array


def smooth(picture: Picture, sigma: float = 1.0) -> Floats:
    """The picture as floats, freed of the finest noise."""
    return blurred(picture, sigma)


def blurred(picture: Picture | Floats, sigma: float) -> Floats:
    """The picture, smoothed already or not, blurred further."""
    # A separate filter is many times faster than cv2.GaussianBlur, which has no way of its own
    # for floats, and gives the same.
    kernel = cv2.getGaussianKernel(2 * int(np.ceil(4 * sigma)) + 1, sigma, cv2.CV_32F)
    return np.asarray(cv2.sepFilter2D(picture, cv2.CV_32F, kernel, kernel), dtype=np.float32)


def changes_along(
    smoothed: Floats, points: Array, normals: Array, reach: float, step: float = 0.5
) -> EdgeChanges:
    """The change of the picture along each normal, ``reach`` pixels to both sides.

    What lies outside the picture does not change.
    """
    count = int(np.ceil(reach / step))
    places = np.linspace(-count - 1, count + 1, 2 * count + 3, dtype=np.float64) * step
    xy = points[:, None, :] + places[None, :, None] * normals[:, None, :]
    colours = sample(smoothed, xy)
    change = colours[:, 2:] - colours[:, :-2]
    change *= change
    square = change[..., 0] + change[..., 1] + change[..., 2]
    return EdgeChanges(np.sqrt(square).astype(np.float64) / (2 * step), places[1:-1])


def blur_width(found: EdgeChanges, offset: Array) -> float:
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
    places = np.ascontiguousarray(np.moveaxis(xy.reshape(-1, *xy.shape[-2:]), -1, 0), np.float32)
    np.clip(places, -FAR_OUT, FAR_OUT, out=places)
    parts = [
        cv2.remap(smoothed, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for u, v in np.split(places, range(MOST_ROWS, places.shape[1], MOST_ROWS), axis=1)
    ]
    found = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return np.asarray(found, np.float32).reshape(*xy.shape[:-1], 3)


def strongest(found: EdgeChanges, spread: float | Array) -> tuple[Array, Array]:
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
