"""What a cut-out card looks like, as a vector that hardly knows the light it was seen in.

The light is taken out by the card's own ground: every pixel is the logarithm of its ratio to the
card's median color. What is left, a small network turns into a map of what is where on the card.
``lab.cards.training.train_describe`` trains it on decks of many random designs.
"""

import threading
from collections.abc import Sequence
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials import Picture

SIDE = 64
"""Cards of any shape are looked at as squares of this many pixels."""

Vectors = NDArray[np.float32]

_LIFT = 12.0
"""Added to grey levels before their logarithm: what is darker is noise."""
_MOST = 3.0
"""Logarithms to the base of two beyond this are cut."""

_MODEL = files("vision.cards") / "data" / "describe.onnx"


def without_light(card: Picture) -> NDArray[np.float32]:
    """The card (3, ``SIDE``, ``SIDE``) as logarithms of its pixels' ratios to its median color."""
    median = np.median(card.reshape(-1, 3), axis=0)
    ratio = np.log2((card + _LIFT) / (median + _LIFT))
    return np.asarray(np.clip(ratio, -_MOST, _MOST).transpose(2, 0, 1) / 1.5, np.float32)


def describe(cards: Sequence[Picture]) -> Vectors:
    """A vector of length one (N, …) for each cut-out card of ``SIDE`` × ``SIDE`` pixels."""
    network = _network()
    network.setInput(np.stack([without_light(card) for card in cards]))
    return np.asarray(network.forward(), np.float32).reshape(len(cards), -1)


_own = threading.local()  # a network holds the pictures it works on: every thread needs its own


def _network() -> cv2.dnn.Net:
    if not hasattr(_own, "network"):
        _own.network = cv2.dnn.readNetFromONNX(np.frombuffer(_MODEL.read_bytes(), np.uint8))
    network: cv2.dnn.Net = _own.network
    return network
