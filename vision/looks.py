"""How seats look: the picture sampled around the outline that a sphere on each seat would have.

Samples lie on rings about each outline, some inside it and two outside, counted from the side
where the tray's normal points to, so that the same places of the array always mean the same part
of a sphere, whatever its size in the picture and however the camera was held.
A sample is hidden by another sphere if that is nearer the camera and its outline covers it: equal
spheres that do not overlap hide each other in the order of their distance.
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

TONES = np.cbrt(to_linear(np.arange(256, dtype=np.uint8)[:, None])[:, 0]).astype(np.float32)
"""The tone of each stored value: the cube root of its linear light."""


def _unit_samples() -> FloatArray:
    turn = np.linspace(0.0, 2 * np.pi, ANGLES, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    return np.asarray(circle[:, :, None] * np.array(RINGS)).reshape(2, -1)


_SAMPLES = _unit_samples()  # (2, angles · rings)


@dataclass(frozen=True)
class Looks:
    """Samples of the picture about places where spheres may be.

    ``tones``: cube roots of linear red, green, blue (N, angles, rings, 3); ``covered_by``: the set
    of places whose spheres would be in the way of a sample (N, angles, rings); ``inside``: which
    samples are in the picture at all.
    """

    outlines: FloatArray
    distance: FloatArray
    tones: NDArray[np.float32]
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
            inside=self.inside[places],
            covered_by=np.zeros_like(self.covered_by[places]),
        )


def look(
    picture: Picture, view: View, centres: FloatArray, radius: float, hiding: bool = True
) -> Looks:
    """The looks of places (N, 3) in tray mm, for spheres of this radius.

    Without ``hiding``, nothing is taken to be in the way of anything; with it, there may be
    ``MOST_PLACES``.
    """
    outlines = view.sphere_outlines(centres, radius)
    turned = _half_axes(outlines) @ _turn(_up(view, centres) - outlines[:, 4])
    points = outlines[:, :2, None] + turned @ _SAMPLES  # (N, 2, samples)
    height, width = picture.shape[:2]
    size = np.array([[width - 1.0], [height - 1.0]])
    inside = ((points >= 0.0) & (points <= size)).all(axis=1)
    at = np.nan_to_num(points, nan=-1.0).astype(np.float32)
    sampled = cv2.remap(
        picture, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    tones = TONES[np.asarray(sampled, np.uint8)[..., ::-1]]
    distance = np.linalg.norm(centres - view.pose.eye, axis=1)
    covered_by = np.zeros(inside.shape, np.uint64)
    if hiding:
        _mark_covered(covered_by, points, outlines, distance)
    shape = (len(centres), ANGLES, len(RINGS))
    return Looks(
        outlines=outlines,
        distance=distance,
        tones=tones.reshape(*shape, 3),
        inside=inside.reshape(shape),
        covered_by=covered_by.reshape(shape),
    )


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
    covered_by: Sets, points: FloatArray, outlines: FloatArray, distance: FloatArray
) -> None:
    if len(points) > MOST_PLACES:
        raise ValueError(f"At most {MOST_PLACES} places can hide each other, not {len(points)}.")
    middle = outlines[:, :2]
    apart = np.linalg.norm(middle[:, None] - middle[None], axis=-1)
    reach = RINGS[-1] * outlines[:, 2]
    behind, before = np.nonzero(
        (apart < reach[:, None] + outlines[None, :, 2]) & (distance[:, None] > distance[None])
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
