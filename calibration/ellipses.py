"""Round things of a tray – hole rims and spheres – and the ellipses they make in a picture.

A sphere and a flat circle have the same kind of shadow: with centre c in camera coordinates,
radius r and, for the circle, unit normal n, their outline's dual conic is

    c cᵀ − r² I   (sphere)        c cᵀ − r² (I − n nᵀ)   (flat circle)

so that one formula gives centre and extent of both ellipses. The ellipse's centre is *not* the
projection of c: at a tilt of 55° they are several percent of a sphere's diameter apart.

Everything takes a batch of trial views at once, for the differences of ``calibration.solve``.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Pose, View

Array = NDArray[np.float64]

VIEW_UNKNOWNS = 8
"""Turn from the base rotation (3), translation (3), log of the focal length, edge bend.

The edge bend is k1 with half the picture's long side as the unit of length instead of the focal
length: by how much the lens moves what is seen there. Lenses are alike in this number, and it
does not change when a fit changes its mind about the focal length."""


@dataclass(frozen=True)
class Rounds:
    """Round things in tray coordinates; arrays may have a batch axis in front.

    ``flat`` is 1 for a circle lying in the tray's face and 0 for a sphere. A plain point is a
    sphere of radius 0.
    """

    centres: Array
    radii: Array
    flat: Array


@dataclass(frozen=True)
class Eyes:
    """A batch of views: rotations and translations tray → camera, focal lengths in pixels, k1."""

    rotation: Array
    translation: Array
    focal: Array
    k1: Array
    principal: Array

    @classmethod
    def from_unknowns(cls, unknowns: Array, base: Array, size: tuple[int, int]) -> "Eyes":
        """The views that a batch of unknowns ``(batch, 8)`` stands for, turning from ``base``."""
        focal = np.exp(unknowns[:, 6])
        return cls(
            rotation=turns(unknowns[:, :3]) @ base,
            translation=unknowns[:, 3:6],
            focal=focal,
            k1=unknowns[:, 7] * (2 * focal / max(size)) ** 2,
            principal=(np.array(size, dtype=np.float64) - 1) / 2,
        )

    @classmethod
    def of(cls, view: View) -> "Eyes":
        """A batch of this one view (whose k2 is left aside)."""
        camera, pose = view.camera, view.pose
        return cls(
            rotation=pose.rotation[None],
            translation=np.array([pose.tvec]),
            focal=np.array([camera.focal_px]),
            k1=np.array([camera.k1]),
            principal=(np.array([camera.width, camera.height], dtype=np.float64) - 1) / 2,
        )

    def view(self, size: tuple[int, int]) -> View:
        """The first view of the batch."""
        x, y = self.principal.tolist()
        camera = Camera(*size, float(self.focal[0]), (x, y), float(self.k1[0]))
        return View(camera, Pose.of(self.rotation[0], self.translation[0]))

    def to_camera(self, points: Array) -> Array:
        """Points of the tray ``([batch,] n, 3)`` in camera coordinates ``(batch, n, 3)``."""
        turned: Array = points @ np.swapaxes(self.rotation, -1, -2) + self.translation[:, None]
        return turned

    def to_pixels(self, flat: Array) -> Array:
        """Pixels of points in the undistorted image plane at distance one."""
        bent = 1 + self.k1[:, None, None] * (flat**2).sum(-1, keepdims=True)
        pixels: Array = self.focal[:, None, None] * flat * bent + self.principal
        return pixels

    def from_pixels(self, pixels: Array) -> Array:
        """Where pixels lie in the undistorted image plane at distance one."""
        bent = (pixels - self.principal) / self.focal[:, None, None]
        flat = bent
        for _ in range(3):  # k1 r² is a few percent: three rounds leave less than 1e-4 pixels
            flat = bent / (1 + self.k1[:, None, None] * (flat**2).sum(-1, keepdims=True))
        return flat


def unknowns_of(view: View) -> tuple[Array, Array]:
    """Base rotation and unknowns that stand for a view (whose k2 is left aside)."""
    camera = view.camera
    edge_bend = camera.k1 * (max(camera.width, camera.height) / 2 / camera.focal_px) ** 2
    lens = [np.log(camera.focal_px), edge_bend]
    return view.pose.rotation, np.array([0.0, 0.0, 0.0, *view.pose.tvec, *lens])


def turns(vectors: Array) -> Array:
    """Rotation matrices ``(batch, 3, 3)`` of rotation vectors ``(batch, 3)``."""
    angle = np.sqrt((vectors * vectors).sum(axis=1))
    bend = 0.5 * np.sinc(angle / (2 * np.pi)) ** 2  # one minus the cosine, by angle²
    rotation: Array = bend[:, None, None] * (vectors[:, :, None] * vectors[:, None, :])
    rotation.reshape(-1, 9)[:, ::4] += np.cos(angle)[:, None]
    x, y, z = (np.sinc(angle / np.pi)[:, None] * vectors).T
    for row, column, part in ((2, 1, x), (0, 2, y), (1, 0, z)):
        rotation[:, row, column] += part
        rotation[:, column, row] -= part
    return rotation


def outlines(eyes: Eyes, rounds: Rounds) -> tuple[Array, Array]:
    """Ellipses in the undistorted image plane: centres ``(batch, n, 2)``, spreads ``(…, 2, 2)``.

    A point q is on the ellipse when (q − centre)ᵀ spread⁻¹ (q − centre) = 1.
    """
    centre = eyes.to_camera(rounds.centres)
    normal = eyes.rotation[:, None, :, 2]
    square = (rounds.radii**2)[..., None, None]
    tilted = rounds.flat[..., None, None] * (normal[..., :, None] * normal[..., None, :])
    dual = centre[..., :, None] * centre[..., None, :] - square * (np.eye(3) - tilted)
    # Behind or within reach of the camera there is no ellipse; keep the numbers finite, so that
    # a fit's trial step there is just a very bad one.
    depth = np.maximum(dual[..., 2:, 2:], 1e-9)
    middle = dual[..., :2, 2] / depth[..., 0]
    spread = middle[..., :, None] * middle[..., None, :] - dual[..., :2, :2] / depth
    return middle, spread


def reach(spread: Array, normals: Array) -> Array:
    """How far ellipses extend from their centres in the direction of unit normals ``(…, 2)``."""
    square = np.einsum("...i,...ij,...j->...", normals, spread, normals)
    extent: Array = np.sqrt(np.maximum(square, 1e-18))
    return extent
