"""Combine several photos of one tray: measures weighed by how sure each photo is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibration.color import Lab
from calibration.dimension.start.empty_tray import EmptyReading
from calibration.dimension.start.fit import StartFit
from calibration.dimension.start.model import Geometry
from calibration.ellipses import Array

REPEAT = 2 * np.pi / 30
"""Five slots and six ring holes look the same after a turn by 12°."""
AGREEING = 4.0
"""Measures further apart than this many standard deviations are of different trays."""
MODEL_SHARE = 0.004
"""Error that no fit sees: real spheres and holes are not exactly where the pattern puts them."""


def combine(fits: Sequence[StartFit]) -> tuple[Geometry, Array]:
    """The geometry that all fits together give, and the covariance of its unknowns."""
    first = fits[0].geometry.unknowns
    information, weighted = np.zeros((5, 5)), np.zeros(5)
    for fit in fits:
        unknowns = fit.geometry.unknowns.copy()
        unknowns[4] += REPEAT * np.round((first[4] - unknowns[4]) / REPEAT)
        weight = np.linalg.inv(known(fit))
        information += weight
        weighted += weight @ unknowns
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    return Geometry.of(covariance @ weighted), covariance


def with_holes(
    geometry: Geometry, covariance: Array, empties: Sequence[EmptyReading]
) -> tuple[Geometry, Array]:
    """The geometry, improved by photos of the empty tray."""
    mean, variance = np.log(geometry.hole), float(covariance[1, 1])
    for empty in empties:
        own = (empty.spread / empty.hole) ** 2
        mean = (mean / variance + np.log(empty.hole) / own) / (1 / variance + 1 / own)
        variance = 1 / (1 / variance + 1 / own)
    narrowed = covariance.copy()
    narrowed[1, 1] = variance
    return replace(geometry, hole=float(np.exp(mean))), narrowed


def disagree(one: StartFit, other: StartFit) -> bool:
    """Whether two fits cannot be of the same tray."""
    apart = (one.geometry.unknowns - other.geometry.unknowns)[:4]
    variance = np.diag(known(one) + known(other))[:4]
    return bool((np.abs(apart) > AGREEING * np.sqrt(variance)).any())


def known(fit: StartFit) -> Array:
    """Covariance of a fit's unknowns, with what no fit can know."""
    return np.asarray(fit.covariance + np.eye(5) * MODEL_SHARE**2, dtype=np.float64)


def mean_colors(learned: Sequence[Mapping[str, Lab | Array]]) -> dict[str, Lab]:
    """The colours, averaged over photos (each is relative to its own white)."""
    means = {}
    for name in learned[0]:
        lightness, a, b = np.mean([np.asarray(colors[name]) for colors in learned], axis=0).tolist()
        means[name] = (round(lightness, 1), round(a, 1), round(b, 1))
    return means
