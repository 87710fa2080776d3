"""Dice in a picture: the middle of each top face, its edges, and whether the die leans.

A network sees the picture at most ``SIZE`` pixels long and says of every eighth pixel whether the
middle of a top face is there. The face's shape is told without saying which edge comes first, so
that nothing jumps when a die is turned: the ellipse inside the face (its size and stretch), and
four times the angle by which the edges are turned inside it.
Trained by ``lab.high_score.training.train_finding``.
"""

import threading
from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

SIZE = 512
"""Pixels on the long side that the network sees."""
STRIDE = 8
OUTPUTS = 9
"""Heat, way to the middle (2, cells), log size, stretch (2), angle (2), leaning."""
SIZE_UNIT = 16.0
"""Half edges of a face, in pixels, whose log size is 0."""
BELL = 0.7
"""Cells from the middle of a face at which its heat has fallen to 61 %."""
FAINTEST = 0.12
"""Lower peaks are no dice."""
_MODEL = resources.files("vision.high_score") / "data" / "finding.onnx"


@dataclass(frozen=True, eq=False)
class Found:
    """A die in a picture."""

    uv: Array
    """The middle of its top face."""
    edges: Array
    """Columns are half the edges of the top face; which edge comes first means nothing."""
    strength: float
    """How sure the network is that there is a die, 0 … 1."""
    leaning: float
    """How sure it is that the die leans."""

    @property
    def side(self) -> float:
        """Edge of the square of the same area, in pixels."""
        return float(2.0 * np.sqrt(abs(np.linalg.det(self.edges))))


def find_dice(picture: Picture) -> list[Found]:
    """The dice in a picture, most visible first."""
    height, width = picture.shape[:2]
    scale = min(1.0, SIZE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    shown = picture if scale == 1.0 else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    out = _seen(np.asarray(shown, np.uint8))
    found = [_die(out, int(row), int(column)) for row, column in _peaks(out[0])]
    inside = [die for die in found if (die.uv >= 0).all() and (die.uv < size).all()]
    apart = _apart(sorted(inside, key=lambda die: -die.strength))
    return [_scaled(die, width / size[0]) for die in apart]


def shape_of(edges: Array) -> Array:
    """Log size, stretch (2) and angle (2) of a face, as the network tells them."""
    moments = edges @ edges.T
    size = np.sqrt(np.sqrt(np.linalg.det(moments)))
    total = moments[0, 0] + moments[1, 1]
    stretch = np.array([moments[0, 0] - moments[1, 1], 2 * moments[0, 1]]) / total
    turned = np.linalg.inv(_root(moments)) @ edges
    angle = 4 * np.arctan2(turned[1, 0], turned[0, 0])
    return np.array([np.log(size / SIZE_UNIT), *stretch, np.cos(angle), np.sin(angle)])


def edges_of(shape: Array) -> Array:
    """Half edges (columns) of a face with this shape."""
    size = SIZE_UNIT * np.exp(np.clip(shape[0], -3, 3))
    stretch = shape[1:3] / max(1.0, float(np.hypot(*shape[1:3])) / 0.95)
    moments = np.array([[1 + stretch[0], stretch[1]], [stretch[1], 1 - stretch[0]]])
    moments *= size**2 / np.sqrt(np.linalg.det(moments))
    angle = np.arctan2(shape[4], shape[3]) / 4
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(_root(moments) @ turn)


def _root(matrix: Array) -> Array:
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 1e-9))) @ vectors.T)


def _seen(picture: Picture) -> Array:
    """The network's output for a picture, padded to whole cells of its coarsest layer."""
    height, width = picture.shape[:2]
    down, right = -height % (2 * STRIDE), -width % (2 * STRIDE)
    if down or right:
        kind = cv2.BORDER_REPLICATE
        picture = np.asarray(cv2.copyMakeBorder(picture, 0, down, 0, right, kind), np.uint8)
    blob = cv2.dnn.blobFromImage(picture, 1 / 127.5, mean=(127.5, 127.5, 127.5))
    network = _network(picture.shape[:2])
    network.setInput(blob)
    out: Array = np.asarray(network.forward(), dtype=np.float64)[0]
    out[0], out[8] = (1.0 / (1.0 + np.exp(-np.clip(out[i], -30, 30))) for i in (0, 8))
    return out


def _peaks(heat: Array) -> Array:
    highest = cv2.dilate(heat.astype(np.float32), np.ones((3, 3), np.uint8))
    return np.argwhere((heat.astype(np.float32) >= highest) & (heat > FAINTEST)).astype(np.float64)


def _die(out: Array, row: int, column: int) -> Found:
    cell = np.array([column, row]) + np.clip(out[1:3, row, column], -1.5, 1.5)
    uv = cell * STRIDE + (STRIDE - 1) / 2
    edges = edges_of(out[3:8, row, column])
    # a middle between cells leaves less heat on each of them: that is no doubt about the die
    off = float(np.hypot(*(cell - (column, row))))
    full = np.exp(-0.5 * (min(off, 0.75) / BELL) ** 2)
    strength = min(1.0, float(out[0, row, column]) / float(full))
    return Found(uv, edges, strength, float(out[8, row, column]))


def _apart(found: list[Found]) -> list[Found]:
    """Without those whose middle lies on the top face of one that is seen better."""
    kept: list[Found] = []
    for die in found:
        if all(np.hypot(*(die.uv - other.uv)) > 0.35 * (die.side + other.side) for other in kept):
            kept.append(die)
    return kept


def _scaled(die: Found, factor: float) -> Found:
    uv = (die.uv + 0.5) * factor - 0.5
    return Found(uv, die.edges * factor, die.strength, die.leaning)


_own = threading.local()  # a network holds the picture it works on: every thread needs its own


def _network(size: tuple[int, ...]) -> cv2.dnn.Net:
    """The network for pictures of this size. Each size has its own: changing sizes is slow."""
    networks: dict[tuple[int, ...], cv2.dnn.Net] = _own.__dict__.setdefault("networks", {})
    if size not in networks:
        if len(networks) >= 4:
            networks.clear()
        networks[size] = cv2.dnn.readNetFromONNX(np.frombuffer(_MODEL.read_bytes(), np.uint8))
    return networks[size]
