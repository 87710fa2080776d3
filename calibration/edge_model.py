"""How far edges are from the outlines of a view, and how that changes with the view.

The same residuals as ``calibration.refine.Edges`` gives for any model, but for a tray whose
measures are known, and with their slopes: this fit is made in every photo. An outline is told by
five numbers, centre and spread of its ellipse, which depend on the pose alone; focal length and
lens act on the edge pixels. So only the five numbers of some twenty outlines are differentiated,
and hundreds of edges combine them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.ellipses import VIEW_UNKNOWNS, Array, Eyes, Rounds, outlines, turns

POSE_UNKNOWNS = 6
STEP = 1e-6
"""Step for differences in radians and, times the distance, in mm."""


@dataclass(frozen=True)
class EdgeModel:
    """Edge pixels with the normals of the outlines they belong to, and their noise in pixels."""

    rounds: Rounds
    owner: NDArray[np.int64]
    pixels: Array
    normals: Array
    sigma: Array
    base: Array
    size: tuple[int, int]

    def slopes(self, unknowns: Array) -> tuple[Array, Array]:
        """The residuals of a view, and their slopes (edges, unknowns)."""
        ellipses = self._ellipses(unknowns, slopes=True)
        step = self._steps(unknowns)
        change = ((ellipses[1:] - ellipses[0]) / step[:, None, None]).transpose(1, 2, 0)
        off, extent, straight = self._off(unknowns, ellipses[0])
        focal = np.exp(unknowns[6])
        slopes = np.empty((len(self.sigma), VIEW_UNKNOWNS))
        parts = self._parts.copy()
        parts[:, 2:] /= 2 * extent[:, None]
        pose = (parts[:, None] @ change[self.owner])[:, 0]
        slopes[:, :POSE_UNKNOWNS] = -focal * pose
        along = (straight * self.normals).sum(axis=1)
        slopes[:, 6] = off - along
        slopes[:, 7] = along * self._bending(unknowns[7], straight)
        slopes /= self.sigma[:, None]
        return off / self.sigma, slopes

    @cached_property
    def _parts(self) -> Array:
        """How the five numbers of an ellipse make up its reach: (edges, 5)."""
        x, y = self.normals.T
        return np.stack([x, y, x * x, 2 * x * y, y * y], axis=1)

    @cached_property
    def _centred(self) -> Array:
        return self.pixels - (np.array(self.size, dtype=np.float64) - 1) / 2

    @property
    def _unit(self) -> float:
        """Pixels that the bend of the lens counts as one: half the long side."""
        return max(self.size) / 2

    def _off(self, unknowns: Array, ellipses: Array) -> tuple[Array, Array, Array]:
        """Pixels by which edges lie outside their outlines, reach of those, straightened pixels."""
        focal, straight = np.exp(unknowns[6]), self._straight(unknowns[7])
        parts = self._parts * ellipses[self.owner]
        extent = np.sqrt(np.maximum(parts[:, 2:].sum(axis=1), 1e-18))
        along = (straight * self.normals).sum(axis=1)
        off = along - focal * (parts[:, :2].sum(axis=1) + extent)
        return off, extent, straight

    def _straight(self, bend: float) -> Array:
        """Edge pixels, from the picture's middle, as a lens without bend would have them."""
        share = bend / self._unit**2
        straight = self._centred
        for _ in range(3):  # as Eyes.from_pixels
            square = (straight**2).sum(axis=1, keepdims=True)
            straight = self._centred / (1 + share * square)
        return straight

    def _bending(self, bend: float, straight: Array) -> Array:
        """Share by which a straightened pixel moves for a unit of bend."""
        square = (straight**2).sum(axis=1) / self._unit**2
        return np.asarray(-square / np.maximum(1 + 3 * bend * square, 0.1))

    def _steps(self, unknowns: Array) -> Array:
        far = np.linalg.norm(unknowns[3:6])
        return STEP * np.array([1.0, 1.0, 1.0, far, far, far])

    def _ellipses(self, unknowns: Array, slopes: bool = False) -> Array:
        """Centre and spread (…, n, 5) of the outlines; for slopes, of small steps as well."""
        batch = unknowns[None, :POSE_UNKNOWNS]
        if slopes:
            batch = np.concatenate([batch, batch + np.diag(self._steps(unknowns))])
        ones = np.ones(len(batch))
        eyes = Eyes(turns(batch[:, :3]) @ self.base, batch[:, 3:], ones, 0 * ones, np.zeros(2))
        middle, spread = outlines(eyes, self.rounds)
        flat = spread.reshape(*spread.shape[:2], 4)
        return np.concatenate([middle, flat[..., [0, 1, 3]]], axis=-1)
