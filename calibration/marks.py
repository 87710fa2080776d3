"""Round things found in a picture without knowing where the tray is.

``find`` gives the discs that the picture's edges speak for, best first: spheres of any colour,
and whatever else is round. It promises generosity, not truth: of the spheres in plain view most
are among the first few dozen; what belongs to a tray is decided by those who know the pattern.

Every edge pixel votes for the centres of the circles it may belong to, in the direction in which
the picture changes there and in the opposite one, so that bright and dark spheres are found
alike. Then every candidate is fitted to the edges around it and judged by how much of its
circumference is really there.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import Floats, Picture, changes_along, smooth, strongest

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MarkSearch:
    """The numbers of the search, in pixels of the working copy unless said otherwise."""

    working_width: int = 512
    smallest_radius: float = 6.0
    largest_radius: float = 48.0
    radius_ratio: float = 1.08
    edge_floor: float = 2.0
    """An edge changes by at least this much a pixel (of 255)."""
    edge_share: float = 0.12
    """No more than this share of the pixels are edges: texture does not drown the rest."""
    candidates: int = 160
    angles: int = 40


SEARCH = MarkSearch()


@dataclass(frozen=True)
class Mark:
    """A disc in the picture, in pixels; ``score`` is the share of its outline that is there."""

    u: float
    v: float
    radius: float
    score: float


def find(picture: Picture, search: MarkSearch = SEARCH) -> list[Mark]:
    """Discs in the picture, best first."""
    height, width = picture.shape[:2]
    scale = min(1.0, search.working_width / max(height, width))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smoothed = smooth(np.asarray(small, dtype=np.uint8))
    places = _candidates(_votes(smoothed, search), search)
    if not len(places):  # a blank picture
        return []
    fitted = _fit(smoothed, places, search)
    shift = 0.5 / scale - 0.5  # pixel centres are at whole numbers in both copies
    marks = [Mark(u / scale + shift, v / scale + shift, r / scale, s) for u, v, r, s in fitted]
    return _without_twins(sorted(marks, key=lambda mark: -mark.score))


def _radii(search: MarkSearch) -> Array:
    count = np.log(search.largest_radius / search.smallest_radius) / np.log(search.radius_ratio)
    return np.asarray(search.smallest_radius * search.radius_ratio ** np.arange(int(count) + 2))


def _votes(smoothed: Floats, search: MarkSearch) -> Floats:
    """Share of a circle's outline that speaks for each radius and centre ``(radii, h, w)``."""
    x, y, towards = _edge_pixels(smoothed, search)
    height, width = smoothed.shape[:2]
    radii = _radii(search)
    votes = np.empty((len(radii), height, width), dtype=np.float32)
    for row, radius in zip(votes, radii, strict=True):
        u = np.rint(np.concatenate([x + radius * towards[0], x - radius * towards[0]]))
        v = np.rint(np.concatenate([y + radius * towards[1], y - radius * towards[1]]))
        inside = (u >= 0) & (u < width) & (v >= 0) & (v < height)
        index = (v[inside] * width + u[inside]).astype(np.int64)
        counts = np.bincount(index, minlength=height * width).reshape(height, width)
        blur = max(1.0, 0.07 * radius)
        gathered = cv2.GaussianBlur(counts.astype(np.float32), (0, 0), blur)
        row[:] = gathered * (blur**2 / radius)
    return votes


def _edge_pixels(
    smoothed: Floats, search: MarkSearch
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Columns and rows of the edge pixels, and the direction ``(2, n)`` of change at each."""
    gx = cv2.Sobel(smoothed, cv2.CV_32F, 1, 0, ksize=3) / 8
    gy = cv2.Sobel(smoothed, cv2.CV_32F, 0, 1, ksize=3) / 8
    xx, xy, yy = (gx * gx).sum(2), (gx * gy).sum(2), (gy * gy).sum(2)
    strength = np.sqrt((xx + yy) / 2 + np.hypot((xx - yy) / 2, xy))
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    towards = np.stack([np.cos(angle), np.sin(angle)])
    height, width = strength.shape
    v, u = np.mgrid[0:height, 0:width].astype(np.float32)
    ahead = cv2.remap(strength, u + towards[0], v + towards[1], cv2.INTER_LINEAR)
    behind = cv2.remap(strength, u - towards[0], v - towards[1], cv2.INTER_LINEAR)
    floor = max(search.edge_floor, float(np.quantile(strength, 1 - 3 * search.edge_share)))
    crest = (strength >= ahead) & (strength >= behind) & (strength > floor)
    y, x = np.nonzero(crest)
    most = int(search.edge_share * strength.size)
    if len(x) > most:
        keep = np.argpartition(-strength[y, x], most)[:most]
        y, x = y[keep], x[keep]
    return x, y, towards[:, y, x]


def _candidates(votes: Floats, search: MarkSearch) -> Array:
    """Peaks of the votes as rows (u, v, radius), best first."""
    radii = _radii(search)
    peaks = []
    for i, row in enumerate(votes):
        highest = cv2.dilate(row, np.ones((5, 5), np.uint8))
        for j in (i - 1, i + 1):
            if 0 <= j < len(votes):
                highest = np.maximum(highest, cv2.dilate(votes[j], np.ones((3, 3), np.uint8)))
        v, u = np.nonzero((row >= highest) & (row > 0.15))
        peaks.append(np.stack([u, v, np.full(len(u), radii[i]), row[v, u]], axis=1))
    found = np.concatenate(peaks)
    order = np.argsort(-found[:, 3])[: search.candidates]
    best: Array = found[order, :3].astype(np.float64)
    return best


def _fit(smoothed: Floats, places: Array, search: MarkSearch) -> Array:
    """Rows (u, v, radius, score): circles fitted to the edges around each place."""
    turn = np.linspace(0, 2 * np.pi, search.angles, endpoint=False)
    normals = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    fitted = places.copy()
    support = np.zeros(len(places))
    for share in (0.2, 0.12, 0.12):
        window = np.maximum(share * fitted[:, 2], 1.5)
        rims = fitted[:, None, :2] + fitted[:, 2, None, None] * normals
        reach = float(window.max())
        found = changes_along(
            smoothed, rims.reshape(-1, 2), np.tile(normals, (len(places), 1)), reach
        )
        off, strength = strongest(found, np.repeat(window / 2, len(normals)))
        off, strength = off.reshape(len(places), -1), strength.reshape(len(places), -1)
        weight = strength / (strength + 2 * search.edge_floor)
        fitted = _circle_step(fitted, off, weight, window)
        support = (weight * np.exp(-0.5 * (off / (0.5 * window[:, None])) ** 2)).mean(axis=1)
    return np.column_stack([fitted, support])


def _circle_step(fitted: Array, off: Array, weight: Array, window: Array) -> Array:
    """Circles moved by weighted least squares on the offsets found at their outlines."""
    turn = np.linspace(0, 2 * np.pi, off.shape[1], endpoint=False)
    design = np.stack([np.cos(turn), np.sin(turn), np.ones_like(turn)], axis=1)
    step = np.zeros((len(fitted), 3))
    for _ in range(3):  # reweighted: an edge far from where the others agree is another's
        left = off - step @ design.T
        robust = weight / (1 + (left / (0.3 * window[:, None])) ** 2)
        information = np.einsum("nk,ki,kj->nij", robust, design, design) + 0.1 * np.eye(3)
        right = np.einsum("nk,nk,ki->ni", robust, off, design)
        step = np.linalg.solve(information, right[..., None])[..., 0]
    return fitted + step


def _without_twins(marks: list[Mark]) -> list[Mark]:
    """The marks without those that are nearly the same disc as a better one."""
    kept: list[Mark] = []
    for mark in marks:
        if not any(_same(mark, other) for other in kept):
            kept.append(mark)
    return kept


def _same(one: Mark, other: Mark) -> bool:
    apart = float(np.hypot(one.u - other.u, one.v - other.v))
    larger, smaller = max(one.radius, other.radius), min(one.radius, other.radius)
    return apart < 0.2 * larger and larger < 1.2 * smaller
