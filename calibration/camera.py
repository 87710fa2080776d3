"""Cameras and views: where a point or a sphere of the tray lies in a picture.

Conventions, as OpenCV's: camera axes x right, y down, z forward; the centre of the top-left pixel
is (0, 0); distortion is radial, ``x_d = x · (1 + k1 r² + k2 r⁴)`` with r in units of the focal
length. All lengths are mm, all image lengths pixels.

How the truth of the project's photos maps onto this (solved from the 178 photos of it that show
twelve spheres or more): ``u, v`` count from the corner of the picture, so they are ours + 0.5;
``fov_deg`` is the horizontal field of view; ``radius`` is focal · sphere radius / depth;
``lens_k1`` is the *inverse* model with the half width as unit,
``p_pinhole = p_photo · (1 + lens_k1 · (|p_photo| / (width/2))²)`` about the picture's centre.
``Camera.of_photo`` translates. Spheres there lie 0.1 mm (one standard deviation) beside their
seats, so a view fitted to ideal seats leaves 0.55 px (median); fitted to the places that u, v and
radius give, nothing.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
Triple = tuple[float, float, float]

_NEWTON_STEPS = 6  # converges quadratically; six leave < 1e-9 for any lens that does not fold
_CONVERGED = 1e-6  # the next step would change the square of this
_OUTLINE_SAMPLES = 16


class Ellipse(NamedTuple):
    """An ellipse in the picture: centre, half axes (major first), direction of the major one."""

    u: float
    v: float
    major: float
    minor: float
    angle: float
    """Radians from the picture's +x axis towards +y (down)."""

    @property
    def radius(self) -> float:
        """Radius of the circle of equal area."""
        return float(np.sqrt(self.major * self.minor))

    def points(self, count: int = 64, scale: float = 1.0) -> FloatArray:
        """``count`` points (N, 2) on the ellipse enlarged by ``scale``."""
        turn = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
        along, across = scale * self.major * np.cos(turn), scale * self.minor * np.sin(turn)
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.stack(
            [self.u + along * cos - across * sin, self.v + along * sin + across * cos], axis=1
        )


@dataclass(frozen=True)
class Camera:
    """The inside of a camera: picture size, focal length, principal point, distortion."""

    width: int
    height: int
    focal_px: float
    principal: tuple[float, float]
    k1: float = 0.0
    k2: float = 0.0

    @classmethod
    def of_fov(
        cls, size: tuple[int, int], fov_deg: float, k1: float = 0.0, k2: float = 0.0
    ) -> "Camera":
        """A camera with this horizontal field of view that looks through the picture's centre."""
        width, height = size
        focal = width / 2 / np.tan(np.radians(fov_deg) / 2)
        return cls(width, height, float(focal), ((width - 1) / 2, (height - 1) / 2), k1, k2)

    @classmethod
    def of_photo(cls, size: tuple[int, int], fov_deg: float, lens_k1: float) -> "Camera":
        """The camera of a photo whose truth gives these numbers (see the module's docstring).

        The inverse model's series is turned round: ``x_d = x (1 − k r² + 3 k² r⁴ − …)``; what is
        left out is below 0.1 px within the middle two thirds of any photo at hand.
        """
        k = lens_k1 / np.tan(np.radians(fov_deg) / 2) ** 2
        return cls.of_fov(size, fov_deg, float(-k), float(3 * k * k))

    @property
    def fov_deg(self) -> float:
        """The horizontal field of view, distortion left aside."""
        return float(2 * np.degrees(np.arctan(self.width / 2 / self.focal_px)))

    @cached_property
    def matrix(self) -> FloatArray:
        """The 3 × 3 matrix that OpenCV calls the camera matrix."""
        (cx, cy), focal = self.principal, self.focal_px
        return np.array([[focal, 0.0, cx], [0.0, focal, cy], [0.0, 0.0, 1.0]])

    @cached_property
    def distortion(self) -> FloatArray:
        """The coefficients in OpenCV's order: k1, k2, p1, p2."""
        return np.array([self.k1, self.k2, 0.0, 0.0])

    def resized(self, width: int, height: int) -> "Camera":
        """The same camera for the picture scaled to another size."""
        (cx, cy), sx, sy = self.principal, width / self.width, height / self.height
        principal = ((cx + 0.5) * sx - 0.5, (cy + 0.5) * sy - 0.5)
        return replace(
            self, width=width, height=height, focal_px=self.focal_px * sx, principal=principal
        )

    def cropped(self, left: int, top: int, width: int, height: int) -> "Camera":
        """The same camera for a part of its picture."""
        principal = (self.principal[0] - left, self.principal[1] - top)
        return replace(self, width=width, height=height, principal=principal)

    def to_pixels(self, plane: FloatArray) -> FloatArray:
        """Pixels (…, 2) of points (…, 2) given as x/z, y/z."""
        squared = np.sum(plane**2, axis=-1, keepdims=True)
        stretch = 1.0 + squared * (self.k1 + squared * self.k2)
        return np.asarray(self.focal_px * plane * stretch + self.principal, dtype=np.float64)

    def to_plane(self, pixels: FloatArray) -> FloatArray:
        """The inverse of ``to_pixels``: x/z, y/z (…, 2) of what is seen at these pixels."""
        distorted = (np.asarray(pixels, dtype=np.float64) - self.principal) / self.focal_px
        if self.k1 == 0.0 and self.k2 == 0.0:
            return distorted
        wanted = np.sqrt(distorted[..., 0] ** 2 + distorted[..., 1] ** 2)
        radius = wanted.copy()
        for _ in range(_NEWTON_STEPS):
            squared = radius**2
            value = radius * (1.0 + squared * (self.k1 + squared * self.k2)) - wanted
            slope = 1.0 + squared * (3 * self.k1 + 5 * squared * self.k2)
            change = value / np.maximum(slope, 0.1)  # a folding lens must not throw us away
            radius -= change
            if np.abs(change).max(initial=0.0) < _CONVERGED:
                break
        shrink = np.where(wanted > 0.0, radius / np.maximum(wanted, 1e-12), 1.0)
        return distorted * shrink[..., None]


@dataclass(frozen=True)
class Pose:
    """Where the tray is before the camera: ``x_camera = R(rvec) · x_tray + tvec``."""

    rvec: Triple
    tvec: Triple

    @classmethod
    def of(cls, rotation: ArrayLike, tvec: ArrayLike) -> "Pose":
        """The pose from a rotation, as a vector or a 3 × 3 matrix, and a translation."""
        turn = np.asarray(rotation, dtype=np.float64)
        return cls(_triple(cv2.Rodrigues(turn)[0] if turn.size == 9 else turn), _triple(tvec))

    @classmethod
    def looking_at(
        cls, eye: ArrayLike, target: ArrayLike = (0.0, 0.0, 0.0), roll_deg: float = 0.0
    ) -> "Pose":
        """The pose of a camera at ``eye`` that has ``target`` (both in tray mm) at its centre.

        Without roll the tray's +y points up in a picture taken from straight above, and away
        from the viewer's feet in any other.
        """
        eye_, target_ = np.asarray(eye, dtype=np.float64), np.asarray(target, dtype=np.float64)
        forward = (target_ - eye_) / np.linalg.norm(target_ - eye_)
        up = np.array([0.0, 0.0, 1.0]) if abs(forward[2]) < 0.999 else np.array([0.0, 1.0, 0.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        cos, sin = np.cos(np.radians(roll_deg)), np.sin(np.radians(roll_deg))
        rotation = np.stack([cos * right + sin * down, cos * down - sin * right, forward])
        return cls.of(rotation, -rotation @ eye_)

    @cached_property
    def rotation(self) -> FloatArray:
        """The 3 × 3 matrix that turns tray axes into camera axes."""
        return np.asarray(cv2.Rodrigues(np.array(self.rvec))[0], dtype=np.float64)

    @cached_property
    def eye(self) -> FloatArray:
        """The camera's place in tray mm."""
        return np.asarray(-self.rotation.T @ np.array(self.tvec), dtype=np.float64)

    @property
    def tilt_deg(self) -> float:
        """Angle between the tray's normal and the line of sight to its centre; 0 is from above."""
        return float(np.degrees(np.arccos(self.eye[2] / np.linalg.norm(self.eye))))

    def to_camera(self, points: FloatArray) -> FloatArray:
        """Tray points (…, 3) in camera coordinates."""
        return np.asarray(points @ self.rotation.T + np.array(self.tvec), dtype=np.float64)


@dataclass(frozen=True)
class View:
    """One picture of one tray: a camera and the tray's pose before it."""

    camera: Camera
    pose: Pose

    def project(self, points: ArrayLike) -> FloatArray:
        """Pixels (N, 2) of tray points (N, 3); NaN for what is not before the camera."""
        seen = self.pose.to_camera(np.atleast_2d(np.asarray(points, dtype=np.float64)))
        depth = np.where(seen[:, 2:] > 0.0, seen[:, 2:], np.nan)
        return self.camera.to_pixels(seen[:, :2] / depth)

    def depth(self, points: ArrayLike) -> FloatArray:
        """Distance (N,) of tray points along the camera's axis, in mm."""
        return self.pose.to_camera(np.atleast_2d(np.asarray(points, dtype=np.float64)))[:, 2]

    def pixels_per_mm(self, points: ArrayLike) -> FloatArray:
        """The picture's scale (N,) at tray points."""
        return np.asarray(self.camera.focal_px / self.depth(points), dtype=np.float64)

    def rays(self, pixels: FloatArray) -> FloatArray:
        """Directions (…, 3) of unit length, in tray axes, from the eye through pixels (…, 2)."""
        plane = self.camera.to_plane(pixels)
        forward = np.ones((*plane.shape[:-1], 1))
        direction = np.concatenate([plane, forward], axis=-1) @ self.pose.rotation
        return np.asarray(
            direction / np.linalg.norm(direction, axis=-1, keepdims=True), dtype=np.float64
        )

    def on_plane(self, pixels: ArrayLike, z: float = 0.0) -> FloatArray:
        """Tray points (N, 3) at height ``z`` seen at pixels (N, 2); NaN above the horizon."""
        direction = self.rays(np.atleast_2d(np.asarray(pixels, dtype=np.float64)))
        down = np.where(direction[:, 2] < 0.0, direction[:, 2], np.nan)
        return np.asarray(
            self.pose.eye + direction * ((z - self.pose.eye[2]) / down)[:, None], dtype=np.float64
        )

    def sphere_outline(self, centre: ArrayLike, radius: float) -> Ellipse:
        """The outline of a sphere; raises ``ValueError`` if it is not wholly before the camera."""
        row = self.sphere_outlines(np.atleast_2d(np.asarray(centre, dtype=np.float64)), radius)[0]
        if np.isnan(row).any():
            raise ValueError(f"The sphere at {centre!r} is not before the camera.")
        return Ellipse(*map(float, row))

    def sphere_outlines(self, centres: ArrayLike, radius: float) -> FloatArray:
        """Outlines (N, 5) of spheres as rows of ``Ellipse``; NaN for one not before the camera.

        Exact for a pinhole. Distortion bends the ellipse a little; the one returned is the first
        harmonic of the distorted outline, within 1 % of its radius even in the picture's corner
        and under the strongest lens among the photos; within 0.1 % in its middle third.
        """
        middle, major, minor = plane_outlines(self, centres, radius)
        turn = np.linspace(0.0, 2 * np.pi, _OUTLINE_SAMPLES, endpoint=False)[:, None, None]
        curve = self.camera.to_pixels(middle + major * np.cos(turn) + minor * np.sin(turn))
        centre = curve.mean(axis=0)
        half_axes = np.stack(
            [2 * (curve * np.cos(turn)).mean(axis=0), 2 * (curve * np.sin(turn)).mean(axis=0)],
            axis=-1,
        )
        return np.concatenate([centre, _principal_axes(half_axes)], axis=-1)


def plane_outlines(
    view: View, centres: ArrayLike, radius: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Middle, half major axis and half minor axis, each (N, 2), of sphere outlines as x/z, y/z.

    The rays that graze a sphere at c (camera axes) satisfy (v·c)² = (|c|² − r²)|v|²: a conic whose
    major axis points away from the picture's centre, because perspective stretches what lies off
    the axis; its centre is not the projection of the sphere's.
    """
    c = view.pose.to_camera(np.atleast_2d(np.asarray(centres, dtype=np.float64)))
    side, z = c[:, :2], c[:, 2:]
    before = np.where(z > radius, z**2 - radius**2, np.nan)
    off_axis = np.linalg.norm(side, axis=1, keepdims=True)
    outward = np.where(off_axis > 1e-9, side / np.maximum(off_axis, 1e-9), (1.0, 0.0))
    tangent = np.sqrt(before + off_axis**2)
    major = outward * radius * tangent / before
    minor = outward[:, ::-1] * (-1.0, 1.0) * radius / np.sqrt(before)
    return side * z / before, major, minor


def _principal_axes(half_axes: FloatArray) -> FloatArray:
    """Major, minor and angle (N, 3) of ellipses given by conjugate half axes (N, 2, 2)."""
    gram = half_axes @ np.swapaxes(half_axes, -1, -2)
    xx, yy, xy = gram[:, 0, 0], gram[:, 1, 1], gram[:, 0, 1]
    mean, spread = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy)
    major, minor = np.sqrt(mean + spread), np.sqrt(np.maximum(mean - spread, 0.0))
    return np.stack([major, minor, np.arctan2(2 * xy, xx - yy) / 2], axis=-1)


def _triple(values: ArrayLike) -> Triple:
    x, y, z = np.asarray(values, dtype=np.float64).ravel().tolist()
    return x, y, z
