"""How seats look: the picture sampled around the outline that a sphere on each seat would have.

Samples lie on rings about each outline, some inside it and two outside, counted from the side
where the tray's normal points to, so that the same places of the array always mean the same part
of a sphere, whatever its size in the picture and however the camera was held.
A sample is hidden by another sphere if that is nearer the camera and its outline covers it: equal
spheres that do not overlap hide each other in the order of their distance.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray, View
from calibration.color import to_linear

Picture = NDArray[np.uint8]
Flags = NDArray[np.bool_]

ANGLES = 16
RINGS = (0.2, 0.45, 0.65, 0.8, 0.92, 1.1, 1.28)
"""Radii of the rings in units of the outline's; the last two are outside it."""

INSIDE = sum(ring < 1.0 for ring in RINGS)


def _unit_samples() -> FloatArray:
    turn = np.linspace(0.0, 2 * np.pi, ANGLES, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    return np.asarray(circle[:, None] * np.array(RINGS)[:, None])


_SAMPLES = _unit_samples()  # (angles, rings, 2)


@dataclass(frozen=True)
class Looks:
    """Samples of the picture about places where spheres may be.

    ``colors``: linear red, green, blue (N, angles, rings, 3); ``cover[i, j]``: where on place i a
    sphere on place j would be in the way (N, N, angles, rings); ``inside``: which samples are in
    the picture at all.
    """

    outlines: FloatArray
    distance: FloatArray
    colors: FloatArray
    inside: Flags
    cover: Flags

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Places sorted by their distance from the camera, nearest first."""
        return np.argsort(self.distance)

    @cached_property
    def may_hide(self) -> tuple[int, ...]:
        """For each place, the set (a bit a place) of those that can be in its way."""
        behind, before = np.nonzero(self.cover.any(axis=(2, 3)))
        found = [0] * len(self.cover)
        for i, j in zip(behind.tolist(), before.tolist(), strict=True):
            found[i] |= 1 << j
        return tuple(found)

    def seen(self, place: int, hidden_by: int) -> Flags:
        """The samples (angles, rings) of a place that can be seen past these spheres."""
        hiding = hidden_by & self.may_hide[place]
        there = [j for j in range(len(self.cover)) if hiding >> j & 1]
        return np.asarray(self.inside[place] & ~self.cover[place, there].any(axis=0))


def look(
    picture: Picture, view: View, centres: FloatArray, radius: float, hiding: bool = True
) -> Looks:
    """The looks of places (N, 3) in tray mm, for spheres of this radius.

    Without ``hiding``, nothing is taken to be in the way of anything.
    """
    outlines = view.sphere_outlines(centres, radius)
    axes = _half_axes(outlines)
    turned = axes @ _turn(_up(view, centres) - outlines[:, 4])
    points = outlines[:, None, None, :2] + np.einsum("nij,arj->nari", turned, _SAMPLES)
    height, width = picture.shape[:2]
    inside = (points >= 0.0).all(axis=-1) & (points <= (width - 1, height - 1)).all(axis=-1)
    flat = np.nan_to_num(points, nan=-1.0).reshape(1, -1, 2).astype(np.float32)
    sampled = cv2.remap(
        picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    colors = to_linear(np.asarray(sampled, np.uint8)).reshape(*points.shape[:3], 3)
    distance = np.linalg.norm(centres - view.pose.eye, axis=1)
    count = len(centres)
    cover = np.zeros((count, count if hiding else 0, *points.shape[1:3]), bool)
    if hiding:
        _mark_covered(cover, points, outlines, axes, distance)
    return Looks(outlines, distance, colors, inside, cover)


def _up(view: View, centres: FloatArray) -> FloatArray:
    """The direction in the picture (radians) in which the tray's normal points at each place."""
    step = view.project(centres + np.array([0.0, 0.0, 1.0])) - view.project(centres)
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
    cover: Flags, points: FloatArray, outlines: FloatArray, axes: FloatArray, distance: FloatArray
) -> None:
    apart = np.linalg.norm(outlines[:, None, :2] - outlines[None, :, :2], axis=-1)
    reach = RINGS[-1] * outlines[:, 2]
    behind, before = np.nonzero(
        (apart < reach[:, None] + outlines[None, :, 2]) & (distance[:, None] > distance[None])
    )
    to_disc = np.linalg.inv(axes[before])
    off = points[behind] - outlines[before, None, None, :2]
    on_disc = np.einsum("pij,parj->pari", to_disc, off)
    cover[behind, before] = (on_disc**2).sum(axis=-1) < 1.0
