"""A card as a camera sees it: tilted, lit, blurred, sleeved, and cut out again by its corners."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibration.cards.cutting import cut
from lab.cards.figures import Picture

Image = NDArray[np.float32]


@dataclass(frozen=True)
class CardLight:
    """One evening's light and camera: what all cards of a photo have in common."""

    gains: tuple[float, float, float]
    gamma: float
    haze: float
    blur: float
    """In pixels of the photo."""
    noise: float
    quality: int
    """Of the JPEG."""


def random_light(rng: Generator, harsh: float) -> CardLight:
    """Some light; ``harsh`` 0 is a studio, 1 the worst kitchen."""
    cast = rng.normal(0, 0.04 + 0.22 * harsh, 3)
    gains = np.exp(cast - cast.mean() + rng.normal(-0.2 * harsh, 0.35 * harsh))
    blue, green, red = (float(gain) for gain in gains)
    return CardLight(
        (blue, green, red),
        float(np.exp(rng.normal(0, 0.2 * harsh))),
        float(rng.uniform(0, 0.12) * harsh * (rng.random() < 0.4)),
        float(rng.uniform(0.2, 0.5 + 1.1 * harsh)),
        float(rng.uniform(0.5, 2 + 5 * harsh)),
        int(rng.integers(95 - int(30 * harsh), 97)),
    )


def lit(rng: Generator, image: Image, light: CardLight) -> Image:
    """The image (0 … 255) under a light that is not the same everywhere."""
    height, width = image.shape[:2]
    rows, columns = np.ogrid[:height, :width]
    way = rng.uniform(-0.35, 0.35, 2) / max(height, width)
    slope = np.exp(way[0] * (rows - height / 2) + way[1] * (columns - width / 2))
    linear = (np.maximum(image, 0) / 255) ** np.float32(2.2 * light.gamma)
    linear *= slope[..., None].astype(np.float32) * np.array(light.gains, np.float32) ** 2.2
    linear += np.float32(light.haze**2)
    return np.asarray(255 * np.clip(linear, 0, 1) ** np.float32(1 / 2.2), np.float32)


def glare(rng: Generator, image: Image, reach: float) -> Image:
    """The image with the reflection of a lamp or a window on a sleeve."""
    height, width = image.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y = rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height
    turn = rng.uniform(0, np.pi)
    along = (columns - x) * np.cos(turn) + (rows - y) * np.sin(turn)
    across = (rows - y) * np.cos(turn) - (columns - x) * np.sin(turn)
    wide, long = rng.uniform(0.08, 0.3) * reach, rng.uniform(0.15, 1.0) * reach
    spot = np.exp(-(((along / long) ** 2 + (across / wide) ** 2) ** rng.uniform(1, 3)))
    strength = rng.uniform(0.15, 0.95)
    return np.asarray(image + strength * spot[..., None] * (255 - image), np.float32)


def developed(rng: Generator, image: Image, light: CardLight) -> Picture:
    """The image as the camera writes it: blurred, noisy, through JPEG."""
    if light.blur > 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), light.blur), np.float32)
    image = image + np.float32(light.noise) * rng.standard_normal(image.shape, np.float32)
    eight = np.clip(image, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, light.quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def rounded_mask(size: tuple[int, int], rounding: float) -> NDArray[np.float32]:
    """Where a card of this size (height, width) is, its corners rounded."""
    height, width = size
    radius = round(rounding * width)
    mask = np.zeros(size, np.uint8)
    if radius == 0:
        mask[:] = 255
    else:
        cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
        cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
        for x in (radius, width - 1 - radius):
            for y in (radius, height - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.asarray(mask / 255.0, np.float32)


def small(picture: Picture, width: float) -> Picture:
    """The picture no more than twice as wide as it will be seen."""
    factor = 2 * width / picture.shape[1]
    if factor >= 1:
        return picture
    size = max(8, round(picture.shape[1] * factor)), max(8, round(picture.shape[0] * factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def shot(
    rng: Generator, card: Picture, rounding: float, light: CardLight, width: float, side: int
) -> Picture:
    """A card cut out of its photo as a square, by corners that are not quite right.

    It is seen about this many pixels wide, less where it is tilted.
    """
    card = small(card, width)
    wide = width * rng.uniform(0.7, 1.0)
    high = width * rng.uniform(0.65, 1.0) * card.shape[0] / card.shape[1]
    size = max(12, round(wide)), max(12, round(high))
    off = rng.normal(0, 0.012, (4, 2)) * size + rng.normal(0, 0.4, (4, 2))
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    inset = rng.uniform(0.96, 1.12) if rng.random() < 0.15 else rng.normal(1.0, 0.015)
    corners = ((frame - 0.5) * inset + 0.5) * size + off - 0.5
    source = (frame * card.shape[1::-1] - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    mask = cv2.warpPerspective(rounded_mask(card.shape[:2], rounding), warp, size)[..., None]
    table = rng.uniform(20, 230, 3).astype(np.float32)
    image = mask * cv2.warpPerspective(card, warp, size).astype(np.float32) + (1 - mask) * table
    image = lit(rng, image, light)
    if rng.random() < 0.15:
        image = glare(rng, image, max(size))
    picture = developed(rng, image, light)
    whole = (frame * size - 0.5).astype(np.float64)
    return cut(picture, whole, (side, side))
