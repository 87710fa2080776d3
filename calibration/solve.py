"""Robust least squares for the fits of this package: few unknowns, many residuals, known priors.

The unknowns of a view and of a tray are a few dozen at most, and their residuals are cheap to
compute for many trial values at once. So derivatives are taken by differences in one batch, which
keeps every model a plain function and every fit at a few milliseconds. A model that is fitted in
every photo may give its derivatives itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Residuals = Callable[[Array], Array]
"""Trial values ``(batch, unknowns)`` → residuals in units of their noise ``(batch, residuals)``."""
Slopes = Callable[[Array], tuple[Array, Array]]
"""Values → residuals ``(residuals,)`` and their slopes ``(residuals, unknowns)``."""


@dataclass(frozen=True)
class Prior:
    """What is believed of each unknown before looking; an infinite spread means nothing at all."""

    mean: Array
    spread: Array

    def pull(self, values: Array) -> Array:
        """How far the values are from the belief, in units of its spread."""
        pull: Array = (values - self.mean) / self.spread
        return pull


@dataclass(frozen=True)
class Solution:
    """The most probable values, their covariance, and how each residual was taken."""

    values: Array
    covariance: Array
    residuals: Array
    weights: Array
    cost: float

    @property
    def scatter(self) -> float:
        """Robust spread of the residuals in units of the noise they were said to have."""
        return float(1.4826 * np.median(np.abs(self.residuals)))


@dataclass(frozen=True)
class _Linear:
    residuals: Array
    weights: Array
    jacobian: Array


def solve(
    residuals: Residuals,
    start: Array,
    prior: Prior,
    *,
    bend: float = 3.0,
    alike: float = 1.0,
    steps: int = 25,
    slopes: Slopes | None = None,
) -> Solution:
    """The values that explain the residuals best, outliers beyond ``bend`` noises losing weight.

    Cauchy's loss under Levenberg and Marquardt's damping: an outlier cannot hold the fit, and a
    first guess that is far off still gets home. ``alike`` says how many residuals tell no more
    than one, because their errors come together; the priors weigh that much more. ``slopes`` may
    give the derivatives; else they are taken by differences.
    """
    values = start.astype(np.float64)
    slopes = slopes or _by_differences(residuals, _differences(prior, values))

    def linearised(at: Array) -> _Linear:
        found, jacobian = slopes(at)
        return _Linear(found, 1 / (1 + (found / bend) ** 2) / alike, jacobian)

    linear = linearised(values)
    cost = _cost(linear.residuals, bend) / alike + _prior_cost(prior, values)
    damping = 1e-3
    for _ in range(steps):
        information, gradient = _normal_equations(linear, prior, values)
        trial = values - _solve_symmetric(information, gradient, damping)
        tried = residuals(trial[None])[0]
        new_cost = _cost(tried, bend) / alike + _prior_cost(prior, trial)
        if np.isfinite(new_cost) and new_cost <= cost:
            gain = cost - new_cost
            values, cost, damping = trial, new_cost, max(damping / 8, 1e-9)
            linear = linearised(values)
            if gain <= 1e-5 * (1 + cost):
                break
        else:
            damping *= 6
            if damping > 1e8:
                break
    information, _ = _normal_equations(linear, prior, values)
    return Solution(values, _inverse(information), linear.residuals, linear.weights, cost)


def _by_differences(residuals: Residuals, unit: Array) -> Slopes:
    """Slopes of residuals from one batch of small steps."""

    def slopes(values: Array) -> tuple[Array, Array]:
        found = residuals(np.concatenate([values[None], values[None] + np.diag(unit)]))
        return found[0], ((found[1:] - found[0]) / unit[:, None]).T

    return slopes


def _differences(prior: Prior, values: Array) -> Array:
    """Step of each unknown for taking differences: small against its belief, large against ε."""
    believed = np.where(np.isfinite(prior.spread), prior.spread, 1.0)
    return 1e-6 * np.maximum(np.minimum(believed, 1.0), 1e-3) * np.maximum(1.0, np.abs(values))


def _cost(residuals: Array, bend: float) -> float:
    return float(bend**2 * np.log1p((residuals / bend) ** 2).sum())


def _prior_cost(prior: Prior, values: Array) -> float:
    return float((prior.pull(values) ** 2).sum())


def _normal_equations(linear: _Linear, prior: Prior, values: Array) -> tuple[Array, Array]:
    weighted = linear.jacobian * linear.weights[:, None]
    information = linear.jacobian.T @ weighted + np.diag(prior.spread**-2.0)
    gradient = weighted.T @ linear.residuals + prior.pull(values) / prior.spread
    return information, gradient


def _solve_symmetric(matrix: Array, right: Array, damping: float) -> Array:
    """Solution with the diagonal enlarged by a share; the shortest one if there are many."""
    scale = 1 / np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    scaled = matrix * scale[:, None] * scale
    scaled.flat[:: len(scaled) + 1] += damping
    try:
        return np.asarray(scale * np.linalg.solve(scaled, scale * right))
    except np.linalg.LinAlgError:
        return np.asarray(scale * np.linalg.lstsq(scaled, scale * right, rcond=1e-14)[0])


def _inverse(matrix: Array) -> Array:
    scale = 1 / np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    inverse = np.linalg.pinv(matrix * scale[:, None] * scale[None], hermitian=True)
    return np.asarray(inverse * scale[:, None] * scale[None], dtype=np.float64)
