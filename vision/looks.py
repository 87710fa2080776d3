"""How seats look: the picture sampled around the outline that a sphere on each seat would have.

Samples lie on rings about each outline, some inside it and two outside, counted from the side
where the tray's normal points to, so that the same places of the array always mean the same part
of a sphere, whatever its size in the picture and however the camera was held.
A sample is hidden by another sphere if that is nearer the camera and its outline covers it: equal
spheres that do not overlap hide each other in the order of their distance.
Highlights are smaller than the gaps between samples, and are what tells a black sphere from a dark
hole: so each sample also knows the brightest and the darkest that is near it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray, View
from calibration.color import to_linear

Picture = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Sets = NDArray[np.uint64]
"""Sets of places, a bit a place."""

MOST_PLACES = 64

ANGLES = 16
RINGS = (0.2, 0.45, 0.65, 0.8, 0.92, 1.1, 1.28)
"""Radii of the rings in units of the outline's; the last two are outside it."""

INSIDE = sum(ring < 1.0 for ring in RINGS)

NEAR = 0.2
"""Width, in radii of a sphere, of the square around a sample in which highlights are looked for."""

GRAIN = 0.03
"""Spread, in radii, of the blur before that: the brightest of noisy pixels is noise."""

TONES = np.cbrt(to_linear(np.arange(256, dtype=np.uint8)[:, None])[:, 0]).astype(np.float32)
"""The tone of each stored value: the cube root of its linear light."""


def _unit_samples() -> FloatArray:
    turn = np.linspace(0.0, 2 * np.pi, ANGLES, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    return np.asarray(circle[:, :, None] * np.array(RINGS)).reshape(2, -1)


_SAMPLES = _unit_samples()  # (2, angles · rings)


@dataclass(frozen=True, eq=False)
class Plate:
    """A picture, and beside each of its pixels the brightest and the darkest grey that is near."""

    picture: Picture
    brightest: Picture
    darkest: Picture

    @classmethod
    def of(cls, picture: Picture, view: View, radius: float) -> "Plate":
        """The plate of a picture in which spheres of this radius lie on a tray."""
        size = float(np.nan_to_num(view.sphere_outline(np.zeros(3), radius).radius))
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if GRAIN * size > LEAST_BLUR:
            grey = cv2.GaussianBlur(grey, (0, 0), GRAIN * size)
        width = int(np.clip(round(NEAR * size), 1, MOST_NEAR)) | 1
        near = cv2.getStructuringElement(cv2.MORPH_RECT, (width, width))
        return cls(
            picture,
            np.asarray(cv2.dilate(grey, near), np.uint8),
            np.asarray(cv2.erode(grey, near), np.uint8),
        )


LEAST_BLUR, MOST_NEAR = 0.3, 63
"""In pixels: what changes nothing is left out; nothing is looked for farther than any sphere."""


@dataclass(frozen=True)
class Looks:
    """Samples of the picture about places where spheres may be.

    ``tones``: cube roots of linear red, green, blue (N, angles, rings, 3); ``highs`` and ``lows``:
    tones of the brightest and the darkest grey near each sample (N, angles, rings);
    ``covered_by``: the set of places whose spheres would be in the way of a sample (N, angles,
    rings); ``inside``: which samples are in the picture at all.
    """

    outlines: FloatArray
    distance: FloatArray
    tones: NDArray[np.float32]
    highs: NDArray[np.float32]
    lows: NDArray[np.float32]
    inside: Flags
    covered_by: Sets

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Places sorted by their distance from the camera, nearest first."""
        return np.argsort(self.distance)

    @cached_property
    def may_hide(self) -> tuple[int, ...]:
        """For each place, the set (a bit a place) of those that can be in its way."""
        flat = self.covered_by.reshape(len(self.covered_by), -1)
        return tuple(np.bitwise_or.reduce(flat, axis=1).tolist())

    def seen(self, places: Sequence[int], hidden_by: Sequence[int]) -> Flags:
        """The samples (n, angles, rings) of places that can be seen past each one's spheres."""
        hiding = np.array(hidden_by, dtype=np.uint64)[:, None, None]
        chosen = list(places)
        return np.asarray(self.inside[chosen] & (self.covered_by[chosen] & hiding == 0))

    def only(self, places: slice) -> "Looks":
        """Some of the places, as if nothing were in the way of anything."""
        return replace(
            self,
            outlines=self.outlines[places],
            distance=self.distance[places],
            tones=self.tones[places],
            highs=self.highs[places],
            lows=self.lows[places],
            inside=self.inside[places],
            covered_by=np.zeros_like(self.covered_by[places]),
        )


def look(
    plate: Plate, view: View, centres: FloatArray, radius: float, hiders: int | None = None
) -> Looks:
    """The looks of places (N, 3) in tray mm, for spheres of this radius.

    The first ``hiders`` of them may be in the way of others, by default all: ``MOST_PLACES`` at
    most.
    """
    outlines = view.sphere_outlines(centres, radius)
    turned = _half_axes(outlines) @ _turn(_up(view, centres) - outlines[:, 4])
    points = outlines[:, :2, None] + turned @ _SAMPLES  # (N, 2, samples)
    height, width = plate.picture.shape[:2]
    size = np.array([[width - 1.0], [height - 1.0]])
    inside = ((points >= 0.0) & (points <= size)).all(axis=1)
    at = np.nan_to_num(points, nan=-1.0).astype(np.float32)
    shape = (len(centres), ANGLES, len(RINGS))
    distance = np.linalg.norm(centres - view.pose.eye, axis=1)
    covered_by = np.zeros(inside.shape, np.uint64)
    _mark_covered(
        covered_by, points, outlines, distance, len(centres) if hiders is None else hiders
    )
    return Looks(
        outlines=outlines,
        distance=distance,
        tones=_sampled(plate.picture, at)[..., ::-1].reshape(*shape, 3),
        highs=_sampled(plate.brightest, at).reshape(shape),
        lows=_sampled(plate.darkest, at).reshape(shape),
        inside=inside.reshape(shape),
        covered_by=covered_by.reshape(shape),
    )


def _sampled(picture: Picture, at: NDArray[np.float32]) -> NDArray[np.float32]:
    """Tones of a picture at places (N, 2, samples)."""
    border = cv2.BORDER_REPLICATE
    found = cv2.remap(picture, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=border)
    return TONES[np.asarray(found, np.uint8)]


def _up(view: View, centres: FloatArray) -> FloatArray:
    """The direction in the picture (radians) in which the tray's normal points at each place."""
    above = centres + np.array([0.0, 0.0, 1.0])
    end, start = np.split(view.project(np.concatenate([above, centres])), 2)
    step = end - start
    return np.asarray(np.arctan2(step[:, 1], step[:, 0]))


def _turn(angles: FloatArray) -> FloatArray:
    cos, sin = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=1)


def _half_axes(outlines: FloatArray) -> FloatArray:
    """For each outline, the matrix that maps the unit circle onto it, about its centre."""
    major, minor, angle = outlines[:, 2], outlines[:, 3], outlines[:, 4]
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack(
        [
            np.stack([major * cos, -minor * sin], axis=-1),
            np.stack([major * sin, minor * cos], axis=-1),
        ],
        axis=1,
    )


def _mark_covered(
    covered_by: Sets, points: FloatArray, outlines: FloatArray, distance: FloatArray, hiders: int
) -> None:
    if hiders > MOST_PLACES:
        raise ValueError(f"At most {MOST_PLACES} places can hide others, not {hiders}.")
    middle = outlines[:, :2]
    apart = np.linalg.norm(middle[:, None] - middle[None, :hiders], axis=-1)
    reach = RINGS[-1] * outlines[:, 2]
    behind, before = np.nonzero(
        (apart < reach[:, None] + outlines[None, :hiders, 2])
        & (distance[:, None] > distance[None, :hiders])
    )
    if not len(behind):
        return
    x, y = np.moveaxis(points[behind] - middle[before, :, None], 1, 0)
    major, minor, angle = outlines[before, 2:].T[..., None]
    cos, sin = np.cos(angle), np.sin(angle)
    along, across = (x * cos + y * sin) / major, (y * cos - x * sin) / minor
    covers = along**2 + across**2 < 1.0
    bits = np.left_shift(np.uint64(1), before.astype(np.uint64))[:, None]
    hidden, first = np.unique(behind, return_index=True)
    covered_by[hidden] = np.bitwise_or.reduceat(np.where(covers, bits, np.uint64(0)), first)
