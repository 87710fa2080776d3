"""The network that finds trays, run by OpenCV: picture → spheres, holes, slots, tray centres.

Trained by ``lab.dimension.training.train_locate``. It sees the picture at a fixed small size and
gives, at a quarter of that, four maps of probabilities (visible spheres, empty holes of trays,
slots, tray centres), the shape of the tray's face at its centre, and at slots the way to their
tray's centre. Here the maps become peaks, in pixels of the picture.
"""

import threading
from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

SIZE = (224, 160)
"""Width and height of what the network was trained to see."""
GLANCE = (160, 128)
"""Enough to find trays in a whole picture: centres of 98.9 % of 184 lab trays are seen, at twice
the time (``SIZE``) 99.5 %. Sides are multiples of 32."""
CLOSE = (160, 160)
"""Enough for a second look at one tray."""
STRIDE = 4
MAPS = 4
OUTPUTS = MAPS + 3 + 2
WAY_UNIT = 32.0
"""Pixels of the network's input that ways and shapes count as one."""

ENLARGED = 50.0
"""In a second look a tray is shown so large that its slots are this many pixels of the network's
input from its centre, and in the middle: the network knows trays best like this."""

COARSEST = 0.55
"""A picture that is to become smaller than this is halved first, here and in the lessons."""
FAINTEST = 0.15
"""Lower peaks are ignored. True peaks of partly hidden spheres go down to about this."""
_MODEL = resources.files("vision.dimension") / "data" / "locate.onnx"


@dataclass(frozen=True)
class Peaks:
    """Places where something seems to be: pixels (N, 2) and how much so (N,), 0 … 1."""

    uv: Array
    strength: Array

    def __len__(self) -> int:
        return len(self.strength)


@dataclass(frozen=True)
class Detections:
    """What the network saw in a picture, in the picture's pixels."""

    spheres: Peaks
    holes: Peaks
    slots: Peaks
    centres: Peaks
    ways: Array
    """(slots, 2): from each slot to its tray's centre."""
    faces: Array
    """(centres, 2, 2): the symmetric matrix that makes of a unit circle the ellipse on which the
    middles of that tray's slots lie."""


@dataclass(frozen=True)
class Window:
    """The part of a picture that is shown to the network, by its middle and its scale."""

    middle: tuple[float, float]
    scale: float
    """Pixels of the network's input a pixel of the picture."""
    size: tuple[int, int]
    """Width and height of the network's input."""

    @classmethod
    def whole(cls, picture: Picture, size: tuple[int, int] = GLANCE) -> "Window":
        """The window, lying or standing, that shows all of a picture as large as possible."""
        height, width = picture.shape[:2]
        across, down = size if width >= height else size[::-1]
        middle = ((width - 1) / 2, (height - 1) / 2)
        return cls(middle, min(across / width, down / height), (across, down))

    def warp(self) -> Array:
        """The 2 × 3 matrix from the picture's pixels to the network's."""
        shift = (np.array(self.size) - 1) / 2 - self.scale * np.array(self.middle)
        return np.column_stack([self.scale * np.eye(2), shift])


def look(picture: Picture, window: Window | None = None) -> Detections:
    """What the network sees in a window of a picture; without one, at a glance at all of it."""
    window = window or Window.whole(picture)
    warp = window.warp()
    blob = cv2.dnn.blobFromImage(_shown(picture, window), 1 / 127.5, mean=(127.5, 127.5, 127.5))
    network = _network(window.size)
    network.setInput(blob)
    out = np.asarray(network.forward(), dtype=np.float64)[0]
    cells = [_peaks(out[i]) for i in range(MAPS)]
    spheres, holes, slots, centres = (
        Peaks((at * STRIDE + (STRIDE - 1) / 2 - warp[:, 2]) / window.scale, strength)
        for at, strength, _ in cells
    )
    return Detections(
        spheres=spheres,
        holes=holes,
        slots=slots,
        centres=centres,
        ways=_ways(out, cells[2]) / window.scale,
        faces=_faces(out, cells[3]) / window.scale,
    )


def _shown(picture: Picture, window: Window) -> Picture:
    """The window's part of the picture at the network's size."""
    mean = picture[::16, ::16].reshape(-1, 3).mean(axis=0).tolist()
    warp = window.warp()
    while warp[0, 0] < COARSEST:  # warping samples four pixels: halve before, or detail is lost
        picture = np.asarray(
            cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
        )
        warp = np.column_stack([2 * warp[:, :2], warp[:, 2] + 0.5 * np.diag(warp)])
    return np.asarray(cv2.warpAffine(picture, warp, window.size, borderValue=mean), np.uint8)


Cells = tuple[Array, Array, tuple[NDArray[np.intp], NDArray[np.intp]]]


def _peaks(heat: Array) -> Cells:
    """Peaks of a map: places in cells (N, 2) between the grid, heights, and their grid cells."""
    highest = cv2.dilate(heat.astype(np.float32), np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest - 1e-9) & (heat > FAINTEST))
    last_row, last_column = heat.shape[0] - 1, heat.shape[1] - 1
    left, right = np.maximum(columns - 1, 0), np.minimum(columns + 1, last_column)
    above, below = np.maximum(rows - 1, 0), np.minimum(rows + 1, last_row)
    here = heat[rows, columns]
    shift_u = _vertex(heat[rows, left], here, heat[rows, right])
    shift_v = _vertex(heat[above, columns], here, heat[below, columns])
    at = np.stack([columns + shift_u, rows + shift_v], axis=1)
    return at, here, (rows, columns)


def _vertex(before: Array, here: Array, after: Array) -> Array:
    """Where between −½ and ½ the bell through three neighbours is highest."""
    before, here, after = (np.log(np.maximum(height, 1e-4)) for height in (before, here, after))
    bend = before - 2 * here + after
    shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0.0)
    return np.clip(shift, -0.5, 0.5)


def _ways(out: Array, slots: Cells) -> Array:
    """Way (N, 2) from each slot's peak to its tray's centre, in the network's pixels."""
    at, _, (rows, columns) = slots
    from_cell = out[MAPS + 3 : MAPS + 5, rows, columns].T * WAY_UNIT
    return np.asarray(from_cell - (at - np.stack([columns, rows], axis=1)) * STRIDE)


def _faces(out: Array, centres: Cells) -> Array:
    """Face of each tray (N, 2, 2) in the network's pixels: the exponential of what was given."""
    rows, columns = centres[2]
    size, stretch, skew = out[MAPS : MAPS + 3, rows, columns]
    log = np.stack([np.stack([size + stretch, skew], -1), np.stack([skew, size - stretch], -1)], -2)
    values, vectors = np.linalg.eigh(log)
    face = (vectors * np.exp(values)[:, None]) @ np.swapaxes(vectors, -1, -2) * WAY_UNIT
    return np.asarray(face)


_own = threading.local()  # a network holds the picture it works on: every thread needs its own


def _network(size: tuple[int, int]) -> cv2.dnn.Net:
    """The network for inputs of this size. Each size has its own: changing sizes is slow."""
    networks: dict[tuple[int, int], cv2.dnn.Net] = _own.__dict__.setdefault("networks", {})
    if size not in networks:
        networks[size] = cv2.dnn.readNetFromONNX(np.frombuffer(_MODEL.read_bytes(), np.uint8))
    return networks[size]
