"""The network that sees boards and cubes, run by OpenCV.

It sees the picture small, beside how alike every pixel is to each of the four colours of the
profile, and gives, at half that size, what every pixel shows (``SURFACES``), which of the four
colours it has if it is a cube, and where the corners of the field are. Sides of cubes are named as
seen by somebody before the board: the nearest side of the board is its front.
Trained by ``lab.cube.training.train``.
"""

import threading
from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cube.colors import Palette, likeness

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

SIZE = (192, 144)
"""Width and height of what the network sees of a picture that lies; of one that stands, turned."""
STRIDE = 2
SURFACES = ("other", "plate", "top", "front", "left", "right", "back")
COLORS = 4
CORNERS = 4
"""Far left, far right, near right, near left."""
INPUTS = 3 + 2 * COLORS
OUTPUTS = len(SURFACES) + COLORS + CORNERS
_MODEL = resources.files("vision.cube") / "data" / "see.onnx"


@dataclass(frozen=True, eq=False)
class Seen:
    """What the network saw: maps (channels, rows, columns) and how they lie on the picture."""

    surfaces: Floats
    """Log probabilities."""
    colors: Floats
    """Log probabilities, given that it is a cube."""
    corners: Floats
    """Probabilities."""
    scale: float
    """Cells of the maps per pixel of the picture."""
    shift: tuple[float, float]

    def to_picture(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (…, 2) of the picture at cells (…, 2) of the maps."""
        return np.asarray((cells - np.array(self.shift)) / self.scale, np.float64)

    def to_cells(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Cells (…, 2) of the maps at pixels (…, 2) of the picture."""
        return np.asarray(pixels * self.scale + np.array(self.shift), np.float64)


def network_input(picture: Picture, palette: Palette) -> Floats:
    """The channels (``INPUTS``, rows, columns) that the network takes of a small picture."""
    plain = picture.astype(np.float32).transpose(2, 0, 1) / 127.5 - 1.0
    return np.concatenate([plain, likeness(picture, palette)]).astype(np.float32)


def see(picture: Picture, palette: Palette) -> Seen:
    """What the network sees in a picture of cubes in these colours."""
    height, width = picture.shape[:2]
    size = SIZE if width >= height else SIZE[::-1]
    scale = min(size[0] / width, size[1] / height)
    inner = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, inner, interpolation=cv2.INTER_AREA)
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    mean = picture[::16, ::16].reshape(-1, 3).mean(axis=0)
    shown = np.empty((size[1], size[0], 3), np.uint8)
    shown[:] = mean.astype(np.uint8)
    shown[top : top + inner[1], left : left + inner[0]] = small
    out = _run(network_input(shown, palette)[None])
    surfaces, colors = out[: len(SURFACES)], out[len(SURFACES) : len(SURFACES) + COLORS]
    cells = scale / STRIDE
    shift = (
        (0.5 * scale + left) / STRIDE - 0.5,
        (0.5 * scale + top) / STRIDE - 0.5,
    )
    return Seen(
        _log_softmax(surfaces),
        _log_softmax(colors),
        np.asarray(1 / (1 + np.exp(-out[-CORNERS:])), np.float32),
        cells,
        shift,
    )


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(axis=0, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=0, keepdims=True)), np.float32)


_local = threading.local()


def _run(blob: Floats) -> Floats:
    """The network's answer; a network for every thread, for OpenCV's are not shared."""
    if not hasattr(_local, "network"):
        _local.network = cv2.dnn.readNetFromONNX(np.frombuffer(_MODEL.read_bytes(), np.uint8))
    _local.network.setInput(blob)
    return np.asarray(_local.network.forward()[0], np.float32)
