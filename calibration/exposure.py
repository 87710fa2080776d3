"""Whether a picture is light and sharp enough to work with."""

import cv2
import numpy as np

from calibration.edges import Picture, blur_width, changes_along, smooth, strongest

BRIGHT = 160.0
"""Highlights of a well exposed picture reach at least this value (of 255)."""
MOST_GAIN = 8.0
DARKEST = 16.0
"""A picture whose brightest parts are darker than this shows nothing."""
BLURRIEST = 4.0 / 1024
"""Edges wider than this share of the picture's long side (standard deviation) are blurred."""
EDGE_PIXELS = 200
DIRECTIONS = 4
"""A shaken picture keeps its edges along the shake: directions are looked at apart."""
FAINT = 0.08
"""Directions whose best edges are below this share of the picture's best say nothing."""


def brightness(picture: Picture) -> float:
    """Value (of 255) that only one pixel in two hundred exceeds."""
    return float(np.quantile(picture[::4, ::4].max(axis=2), 0.995))


def brightened(picture: Picture) -> Picture:
    """The picture with its values raised to the usual range, if it is a dark one."""
    gain = BRIGHT / max(brightness(picture), 1.0)
    if gain <= 1.0:
        return picture
    raised = cv2.convertScaleAbs(picture, alpha=min(gain, MOST_GAIN))
    return np.asarray(raised, dtype=np.uint8)


def is_dark(picture: Picture) -> bool:
    """Whether there is too little light in the picture to see anything."""
    return brightness(picture) < DARKEST


def is_blurred(picture: Picture) -> bool:
    """Whether the sharpest edges of some direction are wide: out of focus, or shaken."""
    smoothed = smooth(picture)
    gx = np.asarray(cv2.Sobel(smoothed, cv2.CV_32F, 1, 0, ksize=3)).sum(axis=2)
    gy = np.asarray(cv2.Sobel(smoothed, cv2.CV_32F, 0, 1, ksize=3)).sum(axis=2)
    strength = np.hypot(gx, gy)
    direction = np.round(np.arctan2(gy, gx) / (np.pi / DIRECTIONS)).astype(np.int64) % DIRECTIONS
    strongest_of_all = float(np.quantile(strength, 0.999))
    widths = []
    for which in range(DIRECTIONS):
        own = np.where(direction == which, strength, 0.0)
        best = np.argpartition(-own.ravel(), EDGE_PIXELS)[:EDGE_PIXELS]
        v, u = np.unravel_index(best, own.shape)
        if own[v, u].mean() <= FAINT * strongest_of_all:
            continue
        towards = np.stack([gx[v, u], gy[v, u]], axis=1) / np.maximum(strength[v, u], 1e-6)[:, None]
        places = np.stack([u, v], axis=1).astype(np.float64)
        found = changes_along(smoothed, places, towards.astype(np.float64), reach=12.0)
        widths.append(blur_width(found, strongest(found, 4.0)[0]))
    return bool(widths) and max(widths) > BLURRIEST * max(picture.shape[:2])
