"""Numbers that describe how places look, for the model that says what lies there.

Colours are taken as the cube root of linear light, in units of the bright parts of the same tray,
so that exposure drops out; what is left of the light's colour the model sees in the context, which
describes all places of the tray together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray
from vision.looks import ANGLES, INSIDE, RINGS, Flags, Looks

SECTORS = 8
KINDS = "CRTAS"
"""Kinds of seats, by the first letter of their names."""

Rows = NDArray[np.float32]

_BRIGHT = 95.0  # percentile of luminance that counts as the bright parts
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
_QUANTILES = (0.1, 0.5, 0.9)
BODY = slice(SECTORS * len(RINGS) * 4, SECTORS * len(RINGS) * 4 + 3)
"""Where among the features the mean colour inside the outline is."""


@dataclass(frozen=True)
class Context:
    """What a tray's places look like together: how bright, and in which colours."""

    bright: float
    levels: FloatArray
    """Quantiles of the colours of all samples, per channel."""


def context(looks: Looks) -> Context:
    """The context of all places of a tray."""
    seen = looks.colors[looks.inside]
    if not len(seen):
        return Context(1.0, np.zeros(len(_QUANTILES) * 3))
    bright = max(float(np.percentile(seen @ _LUMINANCE, _BRIGHT)), 1e-3)
    levels = np.quantile(np.cbrt(seen / bright), _QUANTILES, axis=0)
    return Context(bright, np.asarray(levels).ravel())


def features(
    looks: Looks, places: Sequence[int], kinds: Sequence[str], seen: Flags, around: Context
) -> Rows:
    """A row for each place, given which of its samples (places, angles, rings) can be seen."""
    toned = np.cbrt(looks.colors[list(places)] / around.bright)
    weight = seen.astype(float)[..., None]
    shares = _cells(weight)
    inner, inner_weight = toned[:, :, :INSIDE], weight[:, :, :INSIDE]
    count = np.maximum(inner_weight.sum(axis=(1, 2)), 1e-9)
    body = (inner * inner_weight).sum(axis=(1, 2)) / count
    spread = np.sqrt((inner**2 * inner_weight).sum(axis=(1, 2)) / count - body**2 + 1e-9)
    means = _cells(toned * weight) / np.maximum(shares, 1e-9) - body[:, None, None]
    means = np.where(shares > 0, means, 0.0)
    outlines = looks.outlines[list(places)]
    size = np.stack([np.log(np.maximum(outlines[:, 2], 1.0)), outlines[:, 3] / outlines[:, 2]], 1)
    rows = len(seen)
    return np.concatenate(
        [
            means.reshape(rows, -1),
            shares.reshape(rows, -1),
            body,
            spread,
            _quantiles(inner.reshape(rows, -1, 3), inner_weight.reshape(rows, -1)),
            _rim(means, shares),
            seen[:, :, :INSIDE].mean(axis=(1, 2))[:, None],
            seen[:, :, INSIDE:].mean(axis=(1, 2))[:, None],
            size,
            np.array([[kind == each for each in KINDS] for kind in kinds], float),
            np.tile(around.levels, (rows, 1)),
        ],
        axis=1,
    ).astype(np.float32)


def _cells(values: FloatArray) -> FloatArray:
    """Means over the samples of each sector: (places, sectors, rings, channels)."""
    rows, _, _, channels = values.shape
    shape = (rows, SECTORS, ANGLES // SECTORS, len(RINGS), channels)
    return np.asarray(values.reshape(shape).mean(axis=2))


def _quantiles(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Quantiles (places, …) of each channel over the samples (places, n, 3) that count."""
    ranked = np.sort(np.where(weight[..., None] > 0, values, np.inf), axis=1)
    last = np.maximum(weight.sum(axis=1) - 1, 0)
    index = np.rint(last[:, None] * np.array(_QUANTILES)).astype(int)
    picked = np.take_along_axis(ranked, index[..., None], axis=1)
    return np.where(np.isfinite(picked), picked, 0.0).reshape(len(values), -1)


def _rim(means: FloatArray, shares: FloatArray) -> FloatArray:
    """How colours change across the outline, where both sides can be seen."""
    both = (shares[:, :, INSIDE - 1] > 0) & (shares[:, :, INSIDE] > 0)
    step = np.where(both, means[:, :, INSIDE] - means[:, :, INSIDE - 1], 0.0)
    count = np.maximum(both.sum(axis=1), 1)
    steps = [step.sum(axis=1) / count, np.abs(step).sum(axis=1) / count]
    return np.concatenate([*steps, both.mean(axis=1)], axis=1)
