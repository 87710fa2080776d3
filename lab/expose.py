"""Taking the picture: rays through every pixel, more of them where the picture changes."""

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.film import Picture, develop
from lab.scene import Floats, Scene
from lab.shade import radiance

_CONTRAST = 0.1  # pixels that differ from a neighbour by more (of full scale) are looked at again
_SUBPIXELS = np.array([[-0.375, -0.125], [0.125, -0.375], [0.375, 0.125], [-0.125, 0.375]])


def photograph(scene: Scene, rng: np.random.Generator) -> Picture:
    """The finished picture (rows, columns, 3), BGR."""
    return develop(expose(scene), scene.film, rng)


def expose(scene: Scene) -> Floats:
    """Linear radiance (rows, columns, 3) on the film."""
    width, height = scene.view.camera.width, scene.view.camera.height
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    seen = _look(scene, grid.astype(np.float64)).reshape(height, width, 3)
    rough = _changing(seen)
    again = grid[rough.ravel()].astype(np.float64)
    if len(again):
        samples = [_look(scene, again + shift) for shift in _SUBPIXELS]
        seen[rough] = np.mean([np.minimum(sample, 40.0) for sample in samples], axis=0)
    return seen


def _look(scene: Scene, pixels: NDArray[np.float64]) -> Floats:
    rays = scene.view.rays(pixels).astype(np.float32)
    eye = scene.view.pose.eye.astype(np.float32)
    return radiance(scene, eye, rays)[0]


def _changing(seen: Floats) -> NDArray[np.bool_]:
    """Pixels (rows, columns) whose neighbourhood is not all alike, as a screen would show it."""
    scale = 0.5 / max(float(np.median(seen)), 1e-4)
    screen = np.sqrt(np.clip(seen * scale, 0.0, 1.5))
    kernel = np.ones((3, 3), dtype=np.uint8)
    spread = cv2.dilate(screen, kernel) - cv2.erode(screen, kernel)
    return np.asarray(spread.max(axis=2) > _CONTRAST, dtype=np.bool_)
