"""Follows a tray from one frame to the next.

Spheres and holes are followed by their pixels (optical flow, which copes with large movements),
the pose is fitted to where they went, and then drawn to the edges in the new frame, so that
errors do not add up. The lens stays what it was. What the edges bear out of the result is its
``support``: little of it, and the tray is lost.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray, Pose, View
from calibration.dimension.profile import TrayProfile
from calibration.edge_model import POSE_UNKNOWNS, EdgeModel
from calibration.edges import Floats
from calibration.ellipses import Eyes, Rounds, unknowns_of
from calibration.refine import EDGES_ARE_ALIKE, EdgeSearch, find_edges
from calibration.solve import GaussianPrior, solve_with_slopes
from rules.dimension.places import PLAY
from vision.dimension.locating.matching import hole_places
from vision.dimension.observing.seat_evidence import HIDDEN
from vision.photo import Photo

EDGES = EdgeSearch(spreads=(0.1,), per_round=14, steps=4, enough=1e-3)
"""A quarter of the effort of a cold reading: the view is nearly right already."""
FLOW_LEVELS = 3
FLOW_WINDOW = 21
FLOW_ERROR = 24.0
"""Mean difference of levels, of 255, beyond which a patch is not the one that was looked for."""
FEWEST_POINTS = 6
FLOW_STEPS = 5
AGREEING = 0.12
"""Radii of a sphere by which the flow of a point may miss the common movement by half a weight."""
AGREEING_SHARE = 0.4
"""With less of the flow in agreement, the points do not move as one tray."""
CLEAR = 0.35
"""Visible share of a sphere from which it is worth following."""

Grey = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame of a film; what is derived from it is computed on demand."""

    photo: Photo

    @cached_property
    def grey(self) -> Grey:
        """Brightness alone."""
        return np.asarray(cv2.cvtColor(self.photo.picture, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def smoothed(self) -> Floats:
        """Freed of the finest noise, as edges are looked for."""
        return np.asarray(cv2.GaussianBlur(self.photo.picture, (0, 0), 1.0), np.float32)


@dataclass(frozen=True, eq=False)
class Landmarks:
    """What of a tray is followed: clear spheres, and the rims of empty holes."""

    rounds: Rounds
    radius_mm: float

    @classmethod
    def of(
        cls, profile: TrayProfile, centres: FloatArray, filled: NDArray[np.bool_], seen: FloatArray
    ) -> "Landmarks":
        """The landmarks of a tray, given its seats, which are filled, and how visible each is."""
        spheres = centres[filled & (seen > CLEAR)]
        open_holes = ~filled[:PLAY][: len(hole_places(profile))]
        open_holes &= seen[: len(open_holes)] > max(CLEAR, HIDDEN)
        holes = hole_places(profile)[open_holes]
        radii = [profile.sphere_radius_mm] * len(spheres) + [profile.hole_mm / 2] * len(holes)
        flat = [0.0] * len(spheres) + [1.0] * len(holes)
        rounds = Rounds(np.concatenate([spheres, holes]), np.array(radii), np.array(flat))
        return cls(rounds, profile.sphere_radius_mm)

    @property
    def points(self) -> FloatArray:
        """Their middles (n, 3) in tray mm."""
        return self.rounds.centres

    def radius_px(self, view: View) -> float:
        """A sphere's radius in the middle of the tray."""
        return float(view.pixels_per_mm(np.zeros(3))[0]) * self.radius_mm


@dataclass(frozen=True, eq=False)
class Moved:
    """The view in a new frame."""

    view: View
    support: float
    """Share of the outlines, 0 … 1, that the frame has edges for."""
    blur_px: float
    distance: float
    """How far the tray's landmarks moved in the picture, in radii of a sphere (median)."""


def follow(before: Frame, now: Frame, view: View, marks: Landmarks) -> Moved | None:
    """How the tray has moved since the frame before; None if its pixels are not found again."""
    flowed = _flowed(before.grey, now.grey, view, marks)
    if flowed is None:
        return None
    drawn = draw(now, flowed, marks)
    apart = np.linalg.norm(drawn.view.project(marks.points) - view.project(marks.points), axis=1)
    return Moved(
        view=drawn.view,
        support=drawn.support,
        blur_px=drawn.blur_px,
        distance=float(np.median(apart)) / marks.radius_px(drawn.view),
    )


@dataclass(frozen=True, eq=False)
class Drawn:
    """A view drawn to the edges of a frame; ``support`` and ``blur_px`` as in ``Moved``."""

    view: View
    support: float
    blur_px: float


def draw(frame: Frame, view: View, marks: Landmarks) -> Drawn:
    """The view drawn to a frame's edges.

    The lens was fitted when the tray was found: from now on it is known.
    """
    size = (view.camera.width, view.camera.height)
    base, unknowns = unknowns_of(view)
    lens_known = np.where(np.arange(len(unknowns)) >= POSE_UNKNOWNS, 1e-3, np.inf)
    edges = find_edges(frame.smoothed, view, marks.rounds, EDGES.spreads[0], EDGES)
    if not len(edges.owner):
        return Drawn(view, 0.0, edges.blur_px)
    model = EdgeModel(
        marks.rounds, edges.owner, edges.pixels, edges.normals, edges.sigma, base, size
    )
    solution = solve_with_slopes(
        model.slopes,
        unknowns,
        GaussianPrior(unknowns, lens_known),
        bend=2.0,
        alike=EDGES_ARE_ALIKE,
        steps=EDGES.steps,
        enough=EDGES.enough,
    )
    there = edges.strength / (edges.strength + 2 * EDGES.edge_floor)
    off = solution.residuals * edges.sigma / marks.radius_px(view)
    support = float((there * np.exp(-0.5 * (off / EDGES.support_spread) ** 2)).mean())
    drawn = Eyes.from_unknowns(solution.values[None], base, size).view(size)
    return Drawn(drawn, support, edges.blur_px)


def _flowed(before: Grey, now: Grey, view: View, marks: Landmarks) -> View | None:
    """The view that fits where the pixels of the landmarks went; None if too few agree."""
    start = view.project(marks.points)
    size = np.array([view.camera.width, view.camera.height]) - 1
    inside = ((start >= 0) & (start <= size)).all(axis=1)
    if inside.sum() < FEWEST_POINTS:
        return None
    seen = start[inside].astype(np.float32)[:, None]
    went, found, error = cv2.calcOpticalFlowPyrLK(
        before,
        now,
        seen,
        seen.copy(),
        winSize=(FLOW_WINDOW, FLOW_WINDOW),
        maxLevel=FLOW_LEVELS,
    )
    kept = (found[:, 0] == 1) & (error[:, 0] < FLOW_ERROR)
    if kept.sum() < FEWEST_POINTS:
        return None
    points, pixels = marks.points[inside][kept], went[kept, 0].astype(np.float64)
    return _posed(view, points, pixels, AGREEING * marks.radius_px(view))


def _posed(view: View, points: FloatArray, pixels: FloatArray, agreeing: float) -> View | None:
    """The view whose pose puts points where they were seen, those left aside that disagree.

    It starts from the common shift of all points, so that far jumps are no trouble.
    """
    camera = view.camera
    shift = np.median(pixels - view.project(points), axis=0)
    depth = float(np.median(view.depth(points)))
    ahead = np.array([*shift, 0.0]) * depth / camera.focal_px
    pose = np.concatenate([view.pose.rvec, np.array(view.pose.tvec) + ahead])
    for _ in range(FLOW_STEPS):
        seen, slopes = cv2.projectPoints(
            points, pose[:3], pose[3:], camera.matrix, camera.distortion
        )
        off = pixels - seen[:, 0]
        apart = np.linalg.norm(off, axis=1)
        weight = np.repeat(1 / (1 + (apart / agreeing) ** 2), 2)
        slope = slopes[:, :6]
        normal = slope.T @ (slope * weight[:, None])
        normal.flat[::7] *= 1 + 1e-6
        pose = pose + np.linalg.lstsq(normal, slope.T @ (weight * off.ravel()), rcond=None)[0]
    if np.mean(apart < 2 * agreeing) < AGREEING_SHARE or not np.isfinite(pose).all():
        return None
    return replace(view, pose=Pose.of(pose[:3], pose[3:]))
