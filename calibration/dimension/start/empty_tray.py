"""A photo of the empty tray, found by its seven holes once a start photo gave the geometry.

Seven equal ellipses, six of them around one: made circles by the shape of the middle one, they
are a regular hexagon at a known distance. That gives the view but for sixths of a turn, and the
sides of the slots tell those.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Pose, View
from calibration.dimension.start.model import (
    FIFTH,
    GEOMETRY_UNKNOWNS,
    SIXTH,
    START_UNKNOWNS,
    Geometry,
    start_rounds,
)
from calibration.edges import Array, Floats, Picture, changes_along, smooth, strongest
from calibration.ellipses import Rounds, turns
from calibration.pose import DegenerateMatchesError, Match, fit_pose
from calibration.refine import SEARCH, find_edges, outline_support, refine_view
from rules.dimension.places import RING, SLOTS, SPHERES

LONGEST_SIDE = 1024
FEWEST_POINTS = 25
ROUNDEST_ERROR = 0.06
"""Points of an ellipse are off it by less than this share of its radius."""
HEXAGON_ERROR = 0.15
FEWEST_SUPPORT = 0.5


@dataclass(frozen=True)
class EmptyReading:
    """The view of an empty tray, and how large its holes look there, in sphere diameters."""

    view: View
    hole: float
    spread: float


def read_empty(
    picture: Picture, geometry: Geometry, focal_px: float | None = None
) -> EmptyReading | None:
    """The empty tray of this geometry in the picture; None if it cannot be found."""
    height, width = picture.shape[:2]
    rims = _rims(geometry)
    smoothed = smooth(picture)
    spots = _hexagon(_ellipses(picture), 2 * geometry.pitch / geometry.hole)
    if spots is None:
        return None
    matches = [
        Match((x, y, z), (u, v), geometry.hole / 2, flat=True)
        for (x, y, z), (u, v) in zip(rims.centres.tolist(), spots.tolist(), strict=True)
    ]
    try:
        view = fit_pose(matches, (width, height), focal_px=focal_px).view
    except DegenerateMatchesError:
        return None
    view = refine_view(picture, view, rims, focal_px=focal_px).view
    support = outline_support(smoothed, view, rims)
    if np.isnan(support).any() or np.median(support) < FEWEST_SUPPORT:
        return None
    sixths = [_turned(view, sixth) for sixth in range(RING)]
    view = max(sixths, key=lambda turned: _slot_support(smoothed, turned, geometry))
    edges = find_edges(smoothed, view, rims, SEARCH.support_spread)
    off = float(np.median(edges.offset))
    return EmptyReading(view, geometry.hole * (1 + off), 0.01 * geometry.hole)


def _rims(geometry: Geometry) -> Rounds:
    unknowns = np.zeros(START_UNKNOWNS)
    unknowns[:GEOMETRY_UNKNOWNS] = geometry.unknowns
    every = start_rounds(unknowns[None])
    return Rounds(every.centres[0, SPHERES:], every.radii[0, SPHERES:], every.flat[SPHERES:])


def _ellipses(picture: Picture) -> list[tuple[Array, Array]]:
    """Ellipses in the picture: centres (2,) and the matrices that make their edges unit circles."""
    scale = min(1.0, LONGEST_SIDE / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = []
    for channel in cv2.split(cv2.GaussianBlur(small, (0, 0), 1.2)):
        high = 0.5 * float(cv2.threshold(channel, 0, 255, cv2.THRESH_OTSU)[0])
        edges = cv2.Canny(channel, 0.3 * high, high)
        contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        found += [ellipse for line in contours if (ellipse := _ellipse(line / scale)) is not None]
    return found


def _ellipse(contour: Array) -> tuple[Array, Array] | None:
    points = contour.reshape(-1, 2).astype(np.float32)
    if len(points) < FEWEST_POINTS:
        return None
    (u, v), (first, second), degrees = cv2.fitEllipse(points)
    if not (min(first, second) > 0.35 * max(first, second) > 2):
        return None
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    axes = np.array([[cos, sin], [-sin, cos]])
    unit = axes.T @ np.diag([2 / first, 2 / second]) @ axes
    radii = np.linalg.norm((points - (u, v)) @ unit.T, axis=1)
    around = np.unique(np.round(np.arctan2(*(points - (u, v)).T) * 4))
    if np.abs(radii - 1).mean() > ROUNDEST_ERROR or len(around) < 18:
        return None
    return np.array([u, v]), unit


def _hexagon(ellipses: list[tuple[Array, Array]], ratio: float) -> Array | None:
    """Centres (7, 2) of the middle hole and the six around it, clockwise; None if there are none.

    ``ratio`` is the distance of neighbouring holes in hole radii.
    """
    centres = np.array([centre for centre, _ in ellipses]).reshape(-1, 2)
    best: tuple[float, Array] | None = None
    for centre, unit in ellipses:
        apart = (centres - centre) @ unit.T
        near = np.abs(np.linalg.norm(apart, axis=1) / ratio - 1) < HEXAGON_ERROR
        ring = _corners(apart[near] / ratio)
        if ring is None or (best is not None and ring[0] >= best[0]):
            continue
        around = centres[near][ring[1]]
        best = (ring[0], np.concatenate([centre[None], around]))
    return None if best is None else best[1]


def _corners(spots: Array) -> tuple[float, list[int]] | None:
    """How far off, and which, the six spots are that make the regular hexagon about the origin."""
    if len(spots) < 6:
        return None
    plane = spots @ np.array([1, 1j])
    phase = np.angle((plane**6).sum()) / 6
    corners = np.exp(1j * (phase + SIXTH * np.arange(RING)))
    apart = np.abs(corners[:, None] - plane)
    chosen = apart.argmin(axis=1)
    if apart.min(axis=1).max() > HEXAGON_ERROR or len(set(chosen.tolist())) < 6:
        return None
    return float(apart.min(axis=1).mean()), chosen.tolist()


def _turned(view: View, sixth: int) -> View:
    turn = turns(np.array([[0.0, 0.0, SIXTH * sixth]]))[0]
    return View(view.camera, Pose.of(view.pose.rotation @ turn, view.pose.tvec))


def _slot_support(smoothed: Floats, view: View, geometry: Geometry) -> float:
    """Share of the slots' sides at which the picture has an edge."""
    along = np.linspace(-1, 1, 24)[:, None] * geometry.slot_step
    ends = []
    for slot in range(SLOTS):
        angle = np.pi / 2 - FIFTH * slot
        outward = np.array([np.cos(angle), np.sin(angle), 0.0])
        way = np.array([np.sin(angle), -np.cos(angle), 0.0])
        for side in (-0.5, 0.5):
            line = (geometry.slot_radius + side * geometry.hole) * outward + along * way
            ends.append((line, outward))
    pixels = np.concatenate([view.project(line) for line, _ in ends])
    beyond = np.concatenate([view.project(line + 0.02 * outward) for line, outward in ends])
    normals = beyond - pixels
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    found = changes_along(smoothed, pixels, normals, reach=4.0)
    _, strength = strongest(found, 2.0)
    return float((strength / (strength + 2 * SEARCH.edge_floor)).mean())
