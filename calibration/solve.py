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
class GaussianPrior:
    """An independent Gaussian prior for each unknown; with an infinite spread, none."""

    mean: Array
    spread: Array

    def pull(self, values: Array) -> Array:
        """How far the values are from the prior's mean, in units of its spread."""
        pull: Array = (values - self.mean) / self.spread
        return pull


@dataclass(frozen=True)
class FitSolution:
    """The most probable values, their covariance, and how each residual was taken."""

    values: Array
    covariance: Array
    residuals: Array
    weights: Array
    cost: float

    @property
    def scatter(self) -> float:
        """Robust spread of the residuals in units of the noise they were said to have."""
        if not self.residuals.size:
            return 0.0
        return float(1.4826 * np.median(np.abs(self.residuals)))


@dataclass(frozen=True)
class _Linear:
    """A fit at some values: cost, and the normal equations of the next step."""

    values: Array
    residuals: Array
    weights: Array
    cost: float
    information: Array
    gradient: Array

    @classmethod
    def at(
        cls, values: Array, slopes: Slopes, prior: GaussianPrior, bend: float, alike: float
    ) -> "_Linear":
        residuals, jacobian = slopes(values)
        square = (residuals / bend) ** 2
        weights = 1 / (1 + square) / alike
        pull = prior.pull(values)
        cost = bend**2 * float(np.log1p(square).sum()) / alike + float(pull @ pull)
        weighted = jacobian * weights[:, None]
        information = jacobian.T @ weighted
        information.flat[:: len(values) + 1] += prior.spread**-2.0
        gradient = weighted.T @ residuals + pull / prior.spread
        return cls(values, residuals, weights, cost, information, gradient)


def solve(
    residuals: Residuals,
    start: Array,
    prior: GaussianPrior,
    *,
    bend: float = 3.0,
    alike: float = 1.0,
    steps: int = 25,
    enough: float = 1e-5,
) -> FitSolution:
    """The values that explain the residuals best, outliers beyond ``bend`` noises losing weight.

    Cauchy's loss under Levenberg and Marquardt's damping: an outlier cannot hold the fit, and a
    first guess that is far off still gets home. ``alike`` says how many residuals tell no more
    than one, because their errors come together; the priors weigh that much more. The fit ends
    after so many steps, or with one that gains less than a share of ``enough``.
    """
    start = start.astype(np.float64)
    slopes = by_differences(residuals, _differences(prior, start))
    return solve_with_slopes(
        slopes, start, prior, bend=bend, alike=alike, steps=steps, enough=enough
    )


def solve_with_slopes(
    slopes: Slopes,
    start: Array,
    prior: GaussianPrior,
    *,
    bend: float,
    alike: float,
    steps: int,
    enough: float,
) -> FitSolution:
    """As ``solve``, for a model that gives its derivatives itself."""
    now = _Linear.at(start, slopes, prior, bend, alike)
    damping = 1e-3
    for _ in range(steps):
        # Nearly every step is taken, so its slopes are computed along with its residuals.
        trial = _Linear.at(
            now.values - _solve_symmetric(now.information, now.gradient, damping),
            *(slopes, prior, bend, alike),
        )
        if np.isfinite(trial.cost) and trial.cost <= now.cost:
            gain = now.cost - trial.cost
            now, damping = trial, max(damping / 8, 1e-9)
            if gain <= enough * (1 + now.cost):
                break
        else:
            damping *= 6
            if damping > 1e8:
                break
    return FitSolution(now.values, _inverse(now.information), now.residuals, now.weights, now.cost)


def by_differences(residuals: Residuals, unit: Array) -> Slopes:
    """Slopes of residuals from one batch of small steps."""

    def slopes(values: Array) -> tuple[Array, Array]:
        found = residuals(np.concatenate([values[None], values[None] + np.diag(unit)]))
        return found[0], ((found[1:] - found[0]) / unit[:, None]).T

    return slopes


def _differences(prior: GaussianPrior, values: Array) -> Array:
    """Step of each unknown for taking differences: small against its belief, large against ε."""
    believed = np.where(np.isfinite(prior.spread), prior.spread, 1.0)
    return 1e-6 * np.maximum(np.minimum(believed, 1.0), 1e-3) * np.maximum(1.0, np.abs(values))


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
