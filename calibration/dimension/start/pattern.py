"""Where the storage pattern may be among the round things of a picture.

Fifteen spheres in five slots look the same after a turn by a fifth about the tray's centre. That
is how they are found among candidates of which many are something else, without knowing the
tray's measures: for every tilt of the tray that is possible, the candidates are laid out on the
tilted plane (a sphere's apparent size tells how far away it is), and every pair of them votes for
the centre about which one turns into the other. All lengths are in sphere diameters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.marks import Mark
from rules.dimension.places import SLOTS, SPHERES

Array = NDArray[np.float64]

FIFTH = 2 * np.pi / SLOTS


@dataclass(frozen=True)
class PatternSearch:
    """The grid of the search. All bounds are generous readings of "a tray for fifteen spheres"."""

    marks: int = 70
    steepest_deg: float = 68.0
    spacing_deg: float = 8.0
    slot_radius: tuple[float, float] = (1.6, 4.2)
    slot_step: tuple[float, ...] = (1.0, 1.08, 1.18, 1.3)
    off_plane: float = 0.10
    """Candidates whose size is off by more than this share do not lie on the plane."""
    close: float = 0.22
    """How near, in sphere diameters, a candidate must be to a place to stand for it."""
    fewest_votes: float = 0.3
    """Planes with less than this share of the best one's votes are not worth a closer look."""
    planes_kept: int = 36
    planes_at_a_place: int = 14
    """Most planes that are kept for one place in the picture: there may be a second tray."""
    kept: int = 8
    kept_at_a_place: int = 4


SEARCH = PatternSearch()


@dataclass(frozen=True)
class Placement:
    """A possible tray in the picture: its plane, centre and turn in camera coordinates.

    ``rotation`` and ``centre`` take tray coordinates (with the middle of slot 0 at +y, on the
    plane of the sphere centres) to the camera's.
    """

    rotation: Array
    centre: Array
    slot_radius: float
    slot_step: float
    score: float


@dataclass(frozen=True)
class _Plane:
    """Candidates laid out on one plane: ``spots`` (n, 2) in the plane, with their weights."""

    normal: Array
    distance: float
    spots: Array
    weights: Array

    @property
    def axes(self) -> Array:
        """Two unit vectors (2, 3) along the plane; with the normal they are right-handed."""
        return _axes(self.normal)

    def to_camera(self, spot: Array) -> Array:
        """A spot of the plane (2,) in camera coordinates."""
        return np.asarray(spot @ self.axes - self.distance * self.normal, dtype=np.float64)


def find_pattern(
    marks: Sequence[Mark], size: tuple[int, int], focal_px: float, search: PatternSearch = SEARCH
) -> list[Placement]:
    """The likeliest placements of a start pattern, best first; none where nothing fits."""
    best = sorted(marks, key=lambda mark: -mark.score)[: search.marks]
    if len(best) < 5:
        return []
    rays, depths, weights = _sightings(best, size, focal_px)
    centred = [
        (*_turning_centre(plane, search), plane) for plane in _planes(rays, depths, weights, search)
    ]
    centred.sort(key=lambda entry: -entry[0])
    worth = search.fewest_votes * centred[0][0] if centred else 0.0
    centred = [entry for entry in centred if entry[0] >= worth]
    placements = [
        _place(plane, middle, search) for _, middle, plane in _spread_out(centred, search)
    ]
    placements.sort(key=lambda placement: -placement.score)
    return _varied(placements, search)


def pattern_places(slot_radius: float, slot_step: float) -> Array:
    """Places (15, 2) of the spheres in storage, slot 0 at +y, in the order S00 … S42."""
    angle = np.pi / 2 - FIFTH * np.arange(SLOTS)
    outward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    along = np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    shift = np.array([-1.0, 0.0, 1.0]) * slot_step
    places: Array = slot_radius * outward[:, None] + shift[:, None] * along[:, None]
    return places.reshape(SPHERES, 2)


def _sightings(
    marks: Sequence[Mark], size: tuple[int, int], focal_px: float
) -> tuple[Array, Array, Array]:
    """Rays (n, 3) through the candidates, their depths if they are spheres, and their scores."""
    uv = np.array([(mark.u, mark.v) for mark in marks])
    radius = np.array([mark.radius for mark in marks])
    flat = (uv - (np.array(size) - 1) / 2) / focal_px
    rays = np.column_stack([flat, np.ones(len(flat))])
    lengthened = np.linalg.norm(rays, axis=1) ** 0.5  # off the axis outlines are stretched
    return rays, 0.5 * focal_px * lengthened / radius, np.array([mark.score for mark in marks])


def _planes(rays: Array, depths: Array, weights: Array, search: PatternSearch) -> Iterator[_Plane]:
    """Planes on which several candidates lie, for every tilt on the grid."""
    places = rays * depths[:, None]
    for normal in _tilts(search):
        facing = -(rays @ normal)
        distances = -(places @ normal)
        usable = (facing > 0.2) & (distances > 0.5)
        if usable.sum() < 5:
            continue
        logs = np.log(np.where(usable, distances, 1.0))
        kernel = np.exp(-0.5 * ((logs[:, None] - logs[None]) / (search.off_plane / 2)) ** 2)
        support = (kernel * (weights * usable)[None]).sum(axis=1) * usable
        for _ in range(2):
            top = int(support.argmax())
            if support[top] <= 0:
                break
            on = usable & (np.abs(logs - logs[top]) < 2 * search.off_plane)
            lay = rays[on] * (distances[top] / facing[on])[:, None]
            near = np.exp(-0.5 * ((logs[on] - logs[top]) / search.off_plane) ** 2)
            yield _Plane(normal, float(distances[top]), lay @ _axes(normal).T, weights[on] * near)
            support = support * ~on


def _tilts(search: PatternSearch) -> Array:
    """Unit normals (n, 3) of planes facing the camera, evenly spread (a sunflower's seeds)."""
    cap = 1 - np.cos(np.radians(search.steepest_deg))
    count = int(np.ceil(2 * np.pi * cap / np.radians(search.spacing_deg) ** 2))
    towards = 1 - cap * (np.arange(count) + 0.5) / count
    turn = np.arange(count) * np.pi * (3 - np.sqrt(5))
    aside = np.sqrt(1 - towards**2)
    return np.stack([aside * np.cos(turn), aside * np.sin(turn), -towards], axis=1)


def _axes(normal: Array) -> Array:
    first = np.cross(np.array([0.0, 1.0, 0.0]), normal)
    first = first / np.linalg.norm(first)
    return np.stack([first, np.cross(normal, first)])


def _turning_centre(plane: _Plane, search: PatternSearch) -> tuple[float, Array]:
    """Votes for, and place of, the point about which most candidates turn into others."""
    spots = plane.spots[:, 0] + 1j * plane.spots[:, 1]
    weights = plane.weights[:, None] * plane.weights[None]
    low, high = search.slot_radius
    centres, votes = [], []
    for turn in (np.exp(1j * FIFTH), np.exp(2j * FIFTH)):
        centre = (spots[None] - turn * spots[:, None]) / (1 - turn)
        away = np.abs(spots[:, None] - centre)
        valid = (away > low) & (away < np.hypot(high, max(search.slot_step)))
        centres.append(centre[valid])
        votes.append(weights[valid])
    found, votes_for = np.concatenate(centres), np.concatenate(votes)
    if len(found) < 5:
        return 0.0, np.zeros(2)
    return _densest(found, votes_for, search.close)


def _densest(places: NDArray[np.complex128], weights: Array, width: float) -> tuple[float, Array]:
    """Weight and place of the densest spot of a cloud in the complex plane."""
    cells = np.round(np.stack([places.real, places.imag], axis=1) / width).astype(np.int64)
    low = cells.min(axis=0)
    shape = cells.max(axis=0) - low + 3
    flat = np.ravel_multi_index(tuple((cells - low + 1).T), tuple(shape))
    grid = np.bincount(flat, weights, minlength=int(shape.prod())).reshape(shape)
    around = sum(np.roll(grid, (i, j), axis=(0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
    top = np.unravel_index(int(np.argmax(around)), shape)
    middle = (np.array(top) - 1 + low) * width
    near = np.abs(places - complex(*middle)) < 1.5 * width
    centre = (places[near] * weights[near]).sum() / max(weights[near].sum(), 1e-12)
    return float(np.max(around)), np.array([centre.real, centre.imag])


def _spread_out(
    centred: Sequence[tuple[float, Array, _Plane]], search: PatternSearch
) -> list[tuple[float, Array, _Plane]]:
    """The planes with most votes, but not all at the same place of the picture."""
    kept: list[tuple[float, Array, _Plane]] = []
    seen: list[Array] = []
    for votes, middle, plane in centred:
        centre = plane.to_camera(middle)
        ray = centre[:2] / centre[2]
        near = sum(np.linalg.norm(ray - other) * plane.distance < 2.0 for other in seen)
        if near < search.planes_at_a_place:
            kept.append((votes, middle, plane))
            seen.append(ray)
        if len(kept) == search.planes_kept:
            break
    return kept


def _place(plane: _Plane, middle: Array, search: PatternSearch) -> Placement:
    """The turn and measures with which the pattern about this centre meets most candidates."""
    spots = (plane.spots - middle) @ np.array([1, 1j])
    turns = np.arange(0, FIFTH, np.radians(4.0))
    best = (-1.0, 0.0, 0.0, 0.0)
    for slot_radius in np.arange(*search.slot_radius, 0.12):
        for slot_step in search.slot_step:
            places = pattern_places(slot_radius, slot_step) @ np.array([1, 1j])
            turned = places * np.exp(1j * turns)[:, None]
            apart = np.abs(turned[:, :, None] - spots)
            near = plane.weights * np.maximum(0.0, 1 - (apart / (2 * search.close)) ** 2) ** 2
            scores = near.max(axis=2).sum(axis=1)
            top = int(scores.argmax())
            if scores[top] > best[0]:
                best = (float(scores[top]), float(turns[top]), float(slot_radius), slot_step)
    score, turn, slot_radius, slot_step = best
    first, second = plane.axes
    x_axis = np.cos(turn) * first + np.sin(turn) * second
    y_axis = -np.sin(turn) * first + np.cos(turn) * second
    return Placement(
        rotation=np.stack([x_axis, y_axis, plane.normal], axis=1),
        centre=plane.to_camera(middle),
        slot_radius=slot_radius,
        slot_step=slot_step,
        score=score,
    )


def _varied(placements: Sequence[Placement], search: PatternSearch) -> list[Placement]:
    """The best placements: none that only repeats a better one, not too many at one place."""
    kept: list[Placement] = []
    for placement in placements:
        near = [other for other in kept if _apart(placement, other) < placement.slot_radius]
        repeats = any(
            _apart(placement, other) < 0.7 and _lean(placement, other) < 12 for other in near
        )
        if not repeats and len(near) < search.kept_at_a_place:
            kept.append(placement)
    return kept[: search.kept]


def _apart(one: Placement, other: Placement) -> float:
    """How far apart the centres are seen, in sphere diameters at the first one's distance."""
    aside = one.centre[:2] / one.centre[2] - other.centre[:2] / other.centre[2]
    return float(np.linalg.norm(aside) * one.centre[2])


def _lean(one: Placement, other: Placement) -> float:
    """Degrees between the two planes."""
    cosine = float(one.rotation[:, 2] @ other.rotation[:, 2])
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
