"""How seats look: the picture sampled around the outline that a sphere on each seat would have.

Samples lie on rings about each outline, some inside it and two outside, counted from the side
where the tray's normal points to, so that the same places of the array always mean the same part
of a sphere, whatever its size in the picture and however the camera was held. Of a sphere that is
all but hidden the rings meet little: grains, spread evenly and far denser, tell its colour.
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
"""Sets of places, one bit per place."""

MOST_PLACES = 64

ANGLES = 16
RINGS = (0.2, 0.45, 0.65, 0.8, 0.92, 1.1, 1.28)
"""Radii of the rings in units of the outline's; the last two are outside it."""

INSIDE = sum(ring < 1.0 for ring in RINGS)

GRAINS = 256
GRAIN_REACH = 0.97
"""How far from the middle grains lie, in units of the outline."""

CLEAR_RIM = 0.9
CLEARANCE = 1.08
"""A view is never quite right: grains within the one, and outside the other times each outline
that is in the way, are clear of what lies beside."""

NEAR = 0.2
"""Width, in radii of a sphere, of the square around a sample in which highlights are looked for."""

BLUR = 0.03
"""Spread, in radii, of the blur before that: the brightest of noisy pixels is noise."""

TONES = np.cbrt(to_linear(np.arange(256, dtype=np.uint8)[:, None])[:, 0]).astype(np.float32)
"""The tone of each stored value: the third root of its linear light."""


ON_RINGS = ANGLES * len(RINGS)


def _unit_samples() -> FloatArray:
    """Those on the rings, then the grains: (2, samples)."""
    turn = np.linspace(0.0, 2 * np.pi, ANGLES, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    rings = np.asarray(circle[:, :, None] * np.array(RINGS)).reshape(2, -1)
    rank = np.arange(GRAINS) + 0.5
    golden = rank * np.pi * (3 - np.sqrt(5))  # as the seeds of a sunflower
    reach = GRAIN_REACH * np.sqrt(rank / GRAINS)
    grains = reach * np.stack([np.cos(golden), np.sin(golden)])
    return np.concatenate([rings, grains], axis=1)


_SAMPLES = _unit_samples()
_WITHIN = np.hypot(*_SAMPLES[:, ON_RINGS:]) < CLEAR_RIM  # grains clear of the own outline


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
        if BLUR * size > LEAST_BLUR:
            grey = cv2.GaussianBlur(grey, (0, 0), BLUR * size)
        width = int(np.clip(round(NEAR * size), 1, MOST_NEAR)) | 1
        near = cv2.getStructuringElement(cv2.MORPH_RECT, (width, width))
        return cls(
            picture,
            np.asarray(cv2.dilate(grey, near), np.uint8),
            np.asarray(cv2.erode(grey, near), np.uint8),
        )


LEAST_BLUR, MOST_NEAR = 0.3, 63
"""In pixels: what changes nothing is left out; nothing is looked for farther than any sphere."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The samples of some places that can be seen.

    On the rings (n, angles, rings); of the grains (n, grains) all, and those that are clear of
    anything else even if the view is a little off.
    """

    rings: Flags
    grains: Flags
    clear: Flags

    @property
    def visible(self) -> FloatArray:
        """The share of each place's outline that can be seen."""
        return np.asarray(self.grains.mean(axis=1))


@dataclass(frozen=True, eq=False)
class Grains:
    """Dense samples inside the outlines of places.

    ``tones`` (N, grains, 3); ``inside``: which are in the picture; ``covered_by`` and
    ``grazed_by``: for each, the places whose spheres would be in its way, or would all but be.
    """

    tones: NDArray[np.float32]
    inside: Flags
    covered_by: Sets
    grazed_by: Sets

    def only(self, places: slice) -> "Grains":
        """Some of the places, as if nothing hid them."""
        none = np.zeros_like(self.covered_by[places])
        return Grains(self.tones[places], self.inside[places], none, none)


@dataclass(frozen=True)
class PlaceSamples:
    """Samples of the picture about places where spheres may be.

    ``tones``: third roots of linear red, green, blue (N, angles, rings, 3); ``highs`` and ``lows``:
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
    grains: Grains

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Places sorted by their distance from the camera, nearest first."""
        return np.argsort(self.distance)

    @cached_property
    def may_hide(self) -> tuple[int, ...]:
        """For each place, the set (one bit per place) of those that can hide it."""
        rings = np.bitwise_or.reduce(self.covered_by, axis=(1, 2))
        grains = np.bitwise_or.reduce(self.grains.grazed_by, axis=1)
        return tuple((rings | grains).tolist())

    def seen(self, places: Sequence[int], hidden_by: Sequence[int]) -> Shown:
        """The visible samples of places, each past its own set of spheres."""
        hiding, chosen = np.array(hidden_by, dtype=np.uint64)[:, None], list(places)
        fine = self.grains
        return Shown(
            rings=self.inside[chosen] & (self.covered_by[chosen] & hiding[..., None] == 0),
            grains=fine.inside[chosen] & (fine.covered_by[chosen] & hiding == 0),
            clear=fine.inside[chosen] & _WITHIN & (fine.grazed_by[chosen] & hiding == 0),
        )

    def only(self, places: slice) -> "PlaceSamples":
        """Some of the places, as if nothing hid them."""
        return replace(
            self,
            outlines=self.outlines[places],
            distance=self.distance[places],
            tones=self.tones[places],
            highs=self.highs[places],
            lows=self.lows[places],
            inside=self.inside[places],
            covered_by=np.zeros_like(self.covered_by[places]),
            grains=self.grains.only(places),
        )


def look(
    plate: Plate, view: View, centres: FloatArray, radius: float, hiders: int | None = None
) -> PlaceSamples:
    """Samples about places (N, 3) in tray mm, for spheres of this radius.

    The first ``hiders`` of them may be in the way of others, by default all: ``MOST_PLACES`` at
    most.
    """
    outlines = view.sphere_outlines(centres, radius)
    turned = _half_axes(outlines) @ _turn(_up(view, centres) - outlines[:, 4])
    points = outlines[:, :2, None] + turned @ _SAMPLES  # (N, 2, samples)
    height, width = plate.picture.shape[:2]
    size = np.array([[width - 1.0], [height - 1.0]])
    inside = np.asarray(((points >= 0.0) & (points <= size)).all(axis=1))
    at = np.nan_to_num(points, nan=-1.0).astype(np.float32)
    tones = _sampled(plate.picture, at)[..., ::-1]
    on_rings, fine = at[..., :ON_RINGS], slice(ON_RINGS, None)
    shape = (len(centres), ANGLES, len(RINGS))
    distance = np.linalg.norm(centres - view.pose.eye, axis=1)
    covered_by, grazed_by = _covered(
        points, outlines, distance, len(centres) if hiders is None else hiders
    )
    return PlaceSamples(
        outlines=outlines,
        distance=distance,
        tones=tones[:, :ON_RINGS].reshape(*shape, 3),
        highs=_sampled(plate.brightest, on_rings).reshape(shape),
        lows=_sampled(plate.darkest, on_rings).reshape(shape),
        inside=inside[:, :ON_RINGS].reshape(shape),
        covered_by=covered_by[:, :ON_RINGS].reshape(shape),
        grains=Grains(tones[:, fine], inside[:, fine], covered_by[:, fine], grazed_by),
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


def _covered(
    points: FloatArray, outlines: FloatArray, distance: FloatArray, hiders: int
) -> tuple[Sets, Sets]:
    """For each sample the places whose outline covers it; for each grain those that graze it."""
    if hiders > MOST_PLACES:
        raise ValueError(f"At most {MOST_PLACES} places can hide others, not {hiders}.")
    samples = points.shape[-1]
    covered_by = np.zeros((len(points), samples), np.uint64)
    grazed_by = np.zeros((len(points), samples - ON_RINGS), np.uint64)
    middle = outlines[:, :2]
    apart = np.linalg.norm(middle[:, None] - middle[None, :hiders], axis=-1)
    reach = RINGS[-1] * outlines[:, 2]
    behind, before = np.nonzero(
        (apart < reach[:, None] + CLEARANCE * outlines[None, :hiders, 2])
        & (distance[:, None] > distance[None, :hiders])
    )
    if not len(behind):
        return covered_by, grazed_by
    x, y = np.moveaxis(points[behind] - middle[before, :, None], 1, 0)
    major, minor, angle = outlines[before, 2:].T[..., None]
    cos, sin = np.cos(angle), np.sin(angle)
    away = ((x * cos + y * sin) / major) ** 2 + ((y * cos - x * sin) / minor) ** 2
    bits = np.left_shift(np.uint64(1), before.astype(np.uint64))[:, None]
    hidden, first = np.unique(behind, return_index=True)

    def together(covers: Flags) -> Sets:
        return np.asarray(np.bitwise_or.reduceat(np.where(covers, bits, np.uint64(0)), first))

    covered_by[hidden] = together(away < 1.0)
    grazed_by[hidden] = together(away[:, ON_RINGS:] < CLEARANCE**2)
    return covered_by, grazed_by
