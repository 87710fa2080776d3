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
OUTSIDE = len(RINGS) - INSIDE
KINDS = "CRTAS"
"""Kinds of seats, by the first letter of their names."""

Rows = NDArray[np.float32]

_BRIGHT = 95.0  # percentile of luminance that counts as the bright parts
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
_QUANTILES = np.array([0.1, 0.5, 0.9])
_KIND_ROWS = np.eye(len(KINDS))
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
    chosen, rows = list(places), len(seen)
    toned = np.cbrt(looks.colors[chosen] / around.bright)
    weight = seen[..., None].astype(float)
    shares = _cells(weight)
    inner = toned[:, :, :INSIDE].reshape(rows, -1, 3)
    inner_weight = weight[:, :, :INSIDE].reshape(rows, -1, 1)
    count = inner_weight.sum(axis=1)
    moments = np.concatenate([inner, inner**2], axis=2) * inner_weight
    body, squares = np.split(moments.sum(axis=1) / np.maximum(count, 1.0), 2, axis=1)
    means = _cells(toned * weight) / np.maximum(shares, 1e-9) - body[:, None, None]
    means = means * (shares > 0)
    outlines = looks.outlines[chosen]
    return np.concatenate(
        [
            means.reshape(rows, -1),
            shares.reshape(rows, -1),
            body,
            np.sqrt(np.maximum(squares - body**2, 0.0)),
            _quantiles(inner, inner_weight, count),
            _rim(means, shares),
            count / (ANGLES * INSIDE),
            weight[:, :, INSIDE:].reshape(rows, -1).sum(axis=1)[:, None] / (ANGLES * OUTSIDE),
            np.log(np.maximum(outlines[:, 2:3], 1.0)),
            outlines[:, 3:4] / outlines[:, 2:3],
            _KIND_ROWS[[KINDS.index(kind) for kind in kinds]],
            np.broadcast_to(around.levels, (rows, len(around.levels))),
        ],
        axis=1,
        dtype=np.float32,
        casting="same_kind",
    )


def _cells(values: FloatArray) -> FloatArray:
    """Means over the samples of each sector: (places, sectors, rings, channels)."""
    rows, _, _, channels = values.shape
    each = ANGLES // SECTORS
    summed = values.reshape(rows, SECTORS, each, len(RINGS), channels).sum(axis=2)
    return np.asarray(summed / each)


def _quantiles(values: FloatArray, weight: FloatArray, count: FloatArray) -> FloatArray:
    """Quantiles (places, …) of each channel over the samples (places, n, 3) that count."""
    ranked = np.sort(np.where(weight > 0, values, np.inf), axis=1)
    index = np.rint(np.maximum(count - 1, 0) * _QUANTILES).astype(int)
    picked = ranked[np.arange(len(values))[:, None], index]
    return np.where(np.isfinite(picked), picked, 0.0).reshape(len(values), -1)


def _rim(means: FloatArray, shares: FloatArray) -> FloatArray:
    """How colours change across the outline, where both sides can be seen."""
    both = (shares[:, :, INSIDE - 1] > 0) & (shares[:, :, INSIDE] > 0)
    step = (means[:, :, INSIDE] - means[:, :, INSIDE - 1]) * both
    count = np.maximum(both.sum(axis=1), 1)
    return np.concatenate(
        [step.sum(axis=1) / count, np.abs(step).sum(axis=1) / count, count / SECTORS], axis=1
    )
