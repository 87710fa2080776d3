"""Top faces: cut out of the picture upright, and what a network sees on them.

The network says which of the kinds that need no set-up a face shows (pips or a vortex), and
describes any face by a point such that pictures of one face are close together however the die is
turned and lit. Trained by ``lab.high_score.training.train_faces``.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.high_score.profile import FACE_SIZE
from vision.high_score.finding import Array, Found, Picture

KINDS = ("1", "2", "3", "4", "5", "6", "vortex", "other", "none")
"""Pips, a vortex, anything else on a die, and what is no face of a die."""
POINT = 32
"""Numbers that describe a face."""
FILLED = 0.8
"""Share of the cut-out's side that the face fills."""
TURNS = 4
"""A face has four ways up; the network looks at all, so that the way up does not matter."""

_MODEL = resources.files("vision.high_score") / "data" / "faces.onnx"
_SHARPEST = 1.5
"""Pixels of the picture a pixel of the cut-out, above which the picture is reduced first."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What faces show, one row each."""

    kinds: Array
    """Log probabilities (faces, ``KINDS``)."""
    points: Array
    """(faces, ``POINT``), each of length 1."""


def cut_out(picture: Picture, die: Found) -> Picture:
    """The top face, ``FACE_SIZE`` square, with a margin."""
    half = FACE_SIZE / 2
    to_picture = np.column_stack([die.edges / (FILLED * half), die.uv])
    to_picture[:, 2] -= to_picture[:, :2] @ np.array([half - 0.5, half - 0.5])
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (FACE_SIZE - 1)
    spots = corners @ to_picture[:, :2].T + to_picture[:, 2]
    low = np.floor(spots.min(axis=0)).astype(int) - 2
    high = np.ceil(spots.max(axis=0)).astype(int) + 3
    size = np.array(picture.shape[1::-1])
    low, high = np.clip(low, 0, size - 2), np.clip(high, 1, size)
    high = np.maximum(high, low + 1)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    to_picture[:, 2] -= low
    ratio = float(np.sqrt(abs(np.linalg.det(to_picture[:, :2]))))
    if ratio > _SHARPEST:
        wide, tall = (max(1, round(side / ratio)) for side in patch.shape[1::-1])
        reduced = np.array([wide / patch.shape[1], tall / patch.shape[0]])
        patch = np.asarray(cv2.resize(patch, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
        to_picture[:, 2] = (to_picture[:, 2] + 0.5) * reduced - 0.5
        to_picture[:, :2] *= reduced[:, None]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    found = cv2.warpAffine(
        patch, to_picture, (FACE_SIZE, FACE_SIZE), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(found, np.uint8)


def normalized(faces: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Faces (N, side, side, 3) as the network takes them: free of brightness and contrast."""
    values = faces.astype(np.float32)
    mean = values.mean(axis=(1, 2), keepdims=True)
    spread = (values - mean).std(axis=(1, 2, 3), keepdims=True)
    grey = values.mean(axis=(1, 2, 3), keepdims=True)
    # half of a face's tint stays: it tells inks apart
    scaled = (values - 0.5 * (mean + grey)) / (spread + 6.0)
    return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2), dtype=np.float32)


def look_at(faces: Sequence[Picture]) -> Seen:
    """What faces that were cut out show."""
    if not faces:
        return Seen(np.zeros((0, len(KINDS))), np.zeros((0, POINT)))
    upright = normalized(np.stack(faces))
    turned = np.concatenate([np.rot90(upright, turn, axes=(2, 3)) for turn in range(TURNS)])
    network = _network()
    network.setInput(np.ascontiguousarray(turned))
    out = np.asarray(network.forward(), np.float64).reshape(TURNS, len(faces), -1).mean(axis=0)
    kinds, points = out[:, : len(KINDS)], out[:, len(KINDS) :]
    kinds = kinds - kinds.max(axis=1, keepdims=True)
    kinds -= np.log(np.exp(kinds).sum(axis=1, keepdims=True))
    length = np.linalg.norm(points, axis=1, keepdims=True)
    return Seen(kinds, points / np.maximum(length, 1e-9))


_own = threading.local()  # a network holds what it works on: every thread needs its own


def _network() -> cv2.dnn.Net:
    if not hasattr(_own, "network"):
        _own.network = cv2.dnn.readNetFromONNX(np.frombuffer(_MODEL.read_bytes(), np.uint8))
    network: cv2.dnn.Net = _own.network
    return network
