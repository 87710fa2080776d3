"""Numbers that describe how places look, for the model that says what lies there.

Colours are taken as the third root of linear light, in units of the bright parts of the same tray,
so that exposure drops out; what is left of the light's colour the model sees in the context, which
describes all places of the tray together. Hues are ratios of linear light: a shadow, which dims all
three channels alike, leaves them as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray
from vision.dimension.observing.outline_samples import (
    ANGLES,
    INSIDE,
    RINGS,
    Flags,
    PlaceSamples,
    Shown,
)

SECTORS = 8
OUTSIDE = len(RINGS) - INSIDE
KINDS = "CRTAS"
"""Kinds of seats, by the first letter of their names."""

Rows = NDArray[np.float32]

_BRIGHT = 0.95  # quantile of luminance that counts as the bright parts
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)
_QUANTILES = np.array([0.1, 0.5, 0.9])
_KIND_ROWS = np.eye(len(KINDS))
_HUES = np.array([0.5, 0.15, 0.85])
_BRIGHTEST = [-1, -3, -8]  # of the samples inside, in ascending order
_DARKEST = np.float32(0.001)  # of the bright parts: what is darker has no hue but noise
_UNCLEAR = np.float32(0.05)  # weight of a grain that may show what lies beside, to a clear one's
BODY = slice(SECTORS * len(RINGS) * 4, SECTORS * len(RINGS) * 4 + 10)
"""Where among the features the colour inside the outline is: means of grains, of their hues, of
samples on the rings, and the median of their hues."""


@dataclass(frozen=True)
class Context:
    """What a tray's places look like together: how bright, and in which colours."""

    bright: float
    levels: FloatArray
    """Quantiles of the colours of all samples, per channel."""


def context(looks: PlaceSamples) -> Context:
    """The context of all places of a tray."""
    seen = looks.tones[looks.inside]
    if not len(seen):
        return Context(1.0, np.zeros(len(_QUANTILES) * 3))
    luminance = np.asarray((seen * seen * seen) @ _LUMINANCE, np.float32)
    bright = max(float(_quantile(luminance[None], np.array([_BRIGHT]))[0, 0]), 1e-3)
    levels = _quantile(np.ascontiguousarray(seen.T), _QUANTILES).T / np.cbrt(bright)
    return Context(bright, levels.ravel())


def features(
    looks: PlaceSamples, places: Sequence[int], kinds: Sequence[str], shown: Shown, around: Context
) -> Rows:
    """A row for each place, given which of its samples can be seen.

    It costs little more for many places than for one: ask for them together.
    """
    chosen, seen = list(places), shown.rings
    rows = len(seen)
    toned = looks.tones[chosen] / np.float32(np.cbrt(around.bright))
    weight = seen.astype(np.float32)
    shares, means = _cells(weight), _cells(toned * weight[..., None])
    inner, inner_seen = toned[:, :, :INSIDE].reshape(rows, -1, 3), seen[:, :, :INSIDE]
    inner_weight = weight[:, :, :INSIDE].reshape(rows, 1, -1)
    count = inner_weight.sum(axis=2)
    share = inner_weight / np.maximum(count, 1.0)[..., None]
    body = share @ inner
    spread = np.sqrt(share @ (inner - body) ** 2)
    means = (means / np.maximum(shares, 1e-9)[..., None] - body[:, None]) * (shares > 0)[..., None]
    inner_hues, outer_hues = np.split(_hues(toned), [INSIDE], axis=2)
    outlines = looks.outlines[chosen]
    return np.concatenate(
        [
            means.reshape(rows, -1),
            shares.reshape(rows, -1),
            *_grains(looks, chosen, shown, around.bright),
            body[:, 0],
            _quantiles(inner_hues, inner_seen, _HUES),
            _quantiles(outer_hues, seen[:, :, INSIDE:], _HUES[:1]),
            spread[:, 0],
            _quantiles(toned[:, :, :INSIDE], inner_seen, _QUANTILES),
            _quantiles(toned[:, :, INSIDE:], seen[:, :, INSIDE:], _QUANTILES),
            _rim(means, shares),
            _gloss(looks, chosen, inner_seen, body[:, 0].mean(axis=1), around.bright),
            count / (ANGLES * INSIDE),
            weight[:, :, INSIDE:].sum(axis=(1, 2))[:, None] / (ANGLES * OUTSIDE),
            np.log(np.maximum(outlines[:, 2:3], 1.0)),
            outlines[:, 3:4] / outlines[:, 2:3],
            _KIND_ROWS[[KINDS.index(kind) for kind in kinds]],
            np.broadcast_to(around.levels, (rows, len(around.levels))),
        ],
        axis=1,
        dtype=np.float32,
        casting="same_kind",
    )


def _grains(
    looks: PlaceSamples, chosen: Sequence[int], shown: Shown, bright: float
) -> tuple[Rows, Rows]:
    """Means of tones and of hues, then their spreads and the shares of grains that are seen."""
    toned = looks.grains.tones[chosen] / np.float32(np.cbrt(bright))
    told = np.concatenate([toned, _hues(toned)], axis=-1)
    weight = shown.clear + _UNCLEAR * shown.grains
    share = (weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-6))[:, None]
    mean = share @ told
    spread = np.sqrt(share @ (told - mean) ** 2)[:, 0]
    shares = np.stack([shown.visible, shown.clear.mean(axis=1)], axis=1)
    return mean[:, 0], np.concatenate([spread, shares, np.log(shares + 0.01)], axis=1)


def _cells(values: Rows) -> Rows:
    """Means over the samples of each sector: (places, sectors, rings, …)."""
    each = ANGLES // SECTORS
    return np.asarray(sum(values[:, i::each] for i in range(each)) / each)


def _quantile(values: Rows, at: FloatArray) -> FloatArray:
    """Quantiles (rows, …) of each row (rows, n), between neighbours by proportion."""
    ranked = np.sort(values, axis=1)
    place = at * (values.shape[1] - 1)
    low = place.astype(int)
    high = np.minimum(low + 1, values.shape[1] - 1)
    return np.asarray(ranked[:, low] + (place - low) * (ranked[:, high] - ranked[:, low]))


def _quantiles(values: Rows, seen: Flags, at: FloatArray) -> Rows:
    """Quantiles (places, …) of each channel over the samples that are seen."""
    rows, channels = len(values), values.shape[-1]
    told = np.where(seen[..., None], values, np.float32(np.inf)).reshape(rows, -1, channels)
    ranked = np.sort(np.ascontiguousarray(told.transpose(0, 2, 1)), axis=2)
    count = seen.reshape(rows, -1).sum(axis=1)
    index = np.rint(np.maximum(count - 1, 0)[:, None] * at).astype(int)
    picked = np.take_along_axis(ranked, index[:, None], axis=2).transpose(0, 2, 1)
    return np.where(np.isfinite(picked), picked, np.float32(0)).reshape(rows, -1)


def _hues(toned: Rows) -> Rows:
    """Logarithms of red and of blue against green (…, 2)."""
    logs = np.log(toned * toned * toned + _DARKEST)
    return np.asarray(logs[..., ::2] - logs[..., 1:2])


def _gloss(
    looks: PlaceSamples, chosen: Sequence[int], seen: Flags, body: Rows, bright: float
) -> FloatArray:
    """Highlights: by how much the brightest near each ring outshines the body, and how rough it is.

    Whichever way the light comes from: only how far from the middle they are matters.
    """
    unit = np.float32(np.cbrt(bright))
    highs, lows = (values[chosen][:, :, :INSIDE] / unit for values in (looks.highs, looks.lows))
    shine = _cells(np.where(seen, highs - body[:, None, None], np.float32(0)))
    rough = _cells(np.where(seen, highs - lows, np.float32(0)))
    ranked = np.sort(np.where(seen, highs, np.float32(0)).reshape(len(seen), -1), axis=1)
    return np.concatenate(
        [shine.max(axis=1), rough.max(axis=1), rough.mean(axis=1), ranked[:, _BRIGHTEST]], axis=1
    )


def _rim(means: Rows, shares: Rows) -> FloatArray:
    """How colours change across the outline, where both sides can be seen."""
    both = (shares[:, :, INSIDE - 1] > 0) & (shares[:, :, INSIDE] > 0)
    step = (means[:, :, INSIDE] - means[:, :, INSIDE - 1]) * both[..., None]
    count = np.maximum(both.sum(axis=1), 1)[:, None]
    return np.concatenate(
        [step.sum(axis=1) / count, np.abs(step).sum(axis=1) / count, count / SECTORS], axis=1
    )
