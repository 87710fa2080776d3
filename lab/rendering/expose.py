"""Taking the picture: rays through every pixel, more of them where the picture changes."""

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.rendering.film import Picture, develop
from lab.rendering.scene import Floats, Scene
from lab.rendering.shade import radiance

_CONTRAST = 0.4  # pixels that differ from a neighbour by more (of full scale) are looked at again
_CHUNK = 1 << 18  # rays at a time, for the memory's sake
_SUBPIXELS = np.array([[-0.375, -0.125], [0.125, -0.375], [0.375, 0.125], [-0.125, 0.375]])
_BRIGHTEST = 40.0  # a glint in one of four samples must not outshine the other three


def photograph(scene: Scene, rng: np.random.Generator) -> Picture:
    """The finished picture (rows, columns, 3), BGR."""
    return develop(expose(scene), scene.film, rng)


def expose(scene: Scene) -> Floats:
    """Linear radiance (rows, columns, 3) on the film."""
    width, height = scene.view.camera.width, scene.view.camera.height
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    flat, label = _look(scene, grid.astype(np.float64))
    seen = flat.reshape(height, width, 3)
    rough = _changing(seen, label.reshape(height, width))
    again = grid[rough.ravel()].astype(np.float64)
    if len(again):
        samples = _look(scene, (again + _SUBPIXELS[:, None]).reshape(-1, 2))[0]
        seen[rough] = np.minimum(samples, _BRIGHTEST).reshape(-1, len(again), 3).mean(axis=0)
    return seen


def _look(scene: Scene, pixels: NDArray[np.float64]) -> tuple[Floats, NDArray[np.int32]]:
    """Radiance (N, 3) at pixels, and a number (N,) for each thing that is seen there."""
    eye = scene.view.pose.eye.astype(np.float32)
    seen = np.empty((len(pixels), 3), dtype=np.float32)
    label = np.empty(len(pixels), dtype=np.int32)
    for start in range(0, len(pixels), _CHUNK):
        part = slice(start, start + _CHUNK)
        rays = scene.view.rays(pixels[part]).astype(np.float32)
        seen[part], hits = radiance(scene, eye, rays)
        label[part] = hits.label
    return seen, label


def _changing(seen: Floats, label: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Pixels (rows, columns) at the edge of things, or where a screen would show a sharp change."""
    scale = 0.5 / max(float(np.median(seen)), 1e-4)
    screen = np.sqrt(np.clip(seen * scale, 0.0, 1.5))
    kernel = np.ones((3, 3), dtype=np.uint8)
    spread = (cv2.dilate(screen, kernel) - cv2.erode(screen, kernel)).max(axis=2)
    numbers = label.astype(np.float32)
    edge = cv2.dilate(numbers, kernel) != cv2.erode(numbers, kernel)
    return np.asarray((spread > _CONTRAST) | edge, dtype=np.bool_)
