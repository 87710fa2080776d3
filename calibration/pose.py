"""From matched points of a picture to a metric view of the tray, and how sure that view is.

``fit_pose`` takes what was matched – hole rims, spheres, plain points – and gives a ``PoseFit``:
the view, its covariance and, for any point of the tray, where it is in the picture with the
standard deviation of that prediction. Focal length and distortion are estimated along with the
pose when no focal length is known; a near-frontal view cannot tell focal length from distance,
so both have a prior, and what the picture cannot tell stays as wide as the prior in the
covariance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, radians, tan

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.ellipses import VIEW_UNKNOWNS, Array, Eyes, Rounds, outlines, unknowns_of
from calibration.solve import FitSolution, GaussianPrior, solve


@dataclass(frozen=True)
class LensPrior:
    """Prior of a phone's lens.

    Phones see 50° to 75° across the long side of the picture; the spread is that of an even
    distribution over that range. A phone's lens bends the picture's edge by a few percent at most.
    """

    widest_deg: float = 75.0
    narrowest_deg: float = 50.0
    edge_bend_spread: float = 0.02
    known_focal_spread: float = 0.02

    def log_focal(self, size: tuple[int, int], focal_px: float | None) -> tuple[float, float]:
        """Mean and spread of the logarithm of the focal length in pixels."""
        if focal_px is not None:
            return log(focal_px), self.known_focal_spread
        long_side = max(size)
        low = log(long_side / 2 / tan(radians(self.widest_deg) / 2))
        high = log(long_side / 2 / tan(radians(self.narrowest_deg) / 2))
        return (low + high) / 2, (high - low) / 12**0.5


PHONE = LensPrior()

Guess = tuple[Array, Array]
"""A base rotation and the unknowns that turn and shift from it."""

FEWEST_MATCHES = 4
FEWEST_SHARE = 0.5
"""Fewer agreeing matches than this share are a coincidence, not a view."""
FLATTEST_SPREAD = 0.05
"""Matches whose second principal extent is below this share of the first are a line."""
VAGUEST_SHARE = 0.1
"""A view that leaves its own matches vaguer than a tenth of their extent is no view."""
OUTLIER_NOISES = 4.0
AGREEING_MISFIT = 4.0
RANDOM_QUADRUPLES = 40
KEPT_GUESSES = 4


class DegenerateMatchesError(ValueError):
    """No view follows from the matches; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(frozen=True)
class Match:
    """Something on the tray and where it was seen.

    ``uv`` is the centre of the outline's ellipse when there is a ``radius`` (``flat`` for a hole
    rim, else a sphere), and the projection of ``point`` itself when the radius is 0. A tray's
    outline is matched by its roundings, which are flat, or
    by its sharp corners, which are points.
    """

    point: tuple[float, float, float]
    uv: tuple[float, float]
    radius: float = 0.0
    flat: bool = False
    sigma_px: float = 1.0


@dataclass(frozen=True)
class PoseFit:
    """A view with its covariance over the eight unknowns of ``calibration.ellipses``."""

    view: View
    covariance: Array
    base: Array
    unknowns: Array
    inliers: tuple[bool, ...]
    """For each residual of the fit (two a match: along u and v), whether it agreed."""
    rms_px: float

    @classmethod
    def of(
        cls, base: Array, solution: FitSolution, size: tuple[int, int], off_px: Array
    ) -> "PoseFit":
        """The solution as a view, its covariance widened where the residuals scatter more."""
        inliers = np.abs(solution.residuals) < OUTLIER_NOISES
        rms = float(np.sqrt((off_px[inliers] ** 2).mean())) if inliers.any() else float("inf")
        return cls(
            view=Eyes.from_unknowns(solution.values[None], base, size).view(size),
            covariance=solution.covariance * max(1.0, solution.scatter) ** 2,
            base=base,
            unknowns=solution.values,
            inliers=tuple(bool(inlier) for inlier in inliers),
            rms_px=rms,
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.view.camera.width, self.view.camera.height

    def predict(self, points: Array) -> tuple[Array, Array]:
        """Pixels ``(n, 2)`` of tray points and the standard deviation of each in pixels ``(n,)``.

        The deviation is that along the worst direction, from the covariance of the view alone.
        """
        step = np.sqrt(np.maximum(np.diag(self.covariance), 1e-18)) * 1e-3
        batch = np.concatenate([self.unknowns[None], self.unknowns[None] + np.diag(step)])
        eyes = Eyes.from_unknowns(batch, self.base, self.size)
        camera = eyes.to_camera(np.asarray(points, dtype=np.float64))
        pixels = eyes.to_pixels(camera[..., :2] / camera[..., 2:])
        slope = ((pixels[1:] - pixels[0]) / step[:, None, None]).transpose(1, 2, 0)
        spread = slope @ self.covariance @ slope.transpose(0, 2, 1)
        return pixels[0], np.sqrt(np.linalg.eigvalsh(spread)[:, -1])


def view_prior(
    size: tuple[int, int], focal_px: float | None, lens: LensPrior = PHONE
) -> GaussianPrior:
    """Prior of a view's unknowns: nothing about the pose, a little about the lens."""
    mean, spread = np.zeros(VIEW_UNKNOWNS), np.full(VIEW_UNKNOWNS, np.inf)
    mean[6], spread[6] = lens.log_focal(size, focal_px)
    spread[7] = lens.edge_bend_spread
    return GaussianPrior(mean, spread)


def fit_pose(
    matches: Sequence[Match],
    size: tuple[int, int],
    *,
    focal_px: float | None = None,
    start: View | None = None,
    lens: LensPrior = PHONE,
    enough: float = 1e-5,
) -> PoseFit:
    """The view of the tray that explains the matches best, outliers set aside.

    ``size`` is the picture's (width, height). Without a ``start`` the pose is found from the
    matches alone. The fit ends when a step gains less than a share of ``enough``. Raises
    ``DegenerateMatchesError`` when they cannot tell a view.
    """
    _refuse_too_few(matches)
    problem = _Problem.of(matches, size, focal_px, lens)
    guesses = [unknowns_of(start)] if start is not None else problem.guesses()
    if not guesses:
        raise DegenerateMatchesError("no_pose", "No camera position shows these matches together.")
    fits = [(base, problem.solve(base, unknowns, enough)) for base, unknowns in guesses]
    base, solution = min(fits, key=lambda fit: fit[1].cost)
    fit = PoseFit.of(base, solution, size, solution.residuals * np.repeat(problem.sigma, 2))
    _refuse_vague(fit, matches)
    return fit


@dataclass(frozen=True)
class _Problem:
    """The matches as arrays, with the beliefs about the lens."""

    rounds: Rounds
    uv: Array
    sigma: Array
    principal: Array
    prior: GaussianPrior
    size: tuple[int, int]

    @classmethod
    def of(
        cls,
        matches: Sequence[Match],
        size: tuple[int, int],
        focal_px: float | None,
        lens: LensPrior,
    ) -> "_Problem":
        return cls(
            rounds=Rounds(
                centres=np.array([match.point for match in matches], dtype=np.float64),
                radii=np.array([match.radius for match in matches], dtype=np.float64),
                flat=np.array([match.flat for match in matches], dtype=np.float64),
            ),
            uv=np.array([match.uv for match in matches], dtype=np.float64),
            sigma=np.array([match.sigma_px for match in matches], dtype=np.float64),
            principal=(np.array(size, dtype=np.float64) - 1) / 2,
            prior=view_prior(size, focal_px, lens),
            size=size,
        )

    def solve(self, base: Array, unknowns: Array, enough: float) -> FitSolution:
        def residuals(batch: Array) -> Array:
            return self.residuals(batch, base)

        return solve(residuals, unknowns, self.prior, enough=enough)

    def residuals(self, batch: Array, base: Array) -> Array:
        eyes = Eyes.from_unknowns(batch, base, self.size)
        middle, _ = outlines(eyes, self.rounds)
        off = (eyes.to_pixels(middle) - self.uv) / self.sigma[:, None]
        flat: Array = off.reshape(len(batch), -1)
        return flat

    def guesses(self) -> list[Guess]:
        """Poses to start from: from all matches, or where those disagree from the best few.

        Each comes with its mirror twin: a nearly flat thing seen from afar looks the same tilted
        the other way, and only the fit can tell.
        """
        everything = np.arange(len(self.uv))
        poses = self._poses_from(everything)
        if not poses or min(map(self._misfit, poses)) > AGREEING_MISFIT:
            chance = np.random.default_rng(len(self.uv))
            for _ in range(RANDOM_QUADRUPLES):
                poses += self._poses_from(chance.choice(everything, FEWEST_MATCHES, replace=False))
        return sorted(poses, key=self._misfit)[:KEPT_GUESSES]

    def _poses_from(self, chosen: NDArray[np.int64]) -> list[Guess]:
        focal = float(np.exp(self.prior.mean[6]))
        centres = self.rounds.centres[chosen]
        rays = (self.uv[chosen] - self.principal) / focal
        found, rvec, tvec = cv2.solvePnP(centres, rays, np.eye(3), None, flags=cv2.SOLVEPNP_SQPNP)
        if not found:
            return []
        rotation = np.asarray(cv2.Rodrigues(rvec)[0], dtype=np.float64)
        middle = centres.mean(axis=0)
        towards = rotation @ middle + tvec[:, 0]
        if towards[2] <= 0:
            return []
        twin = _mirror_twin(rotation, towards)
        return [
            (turned, np.array([0, 0, 0, *(towards - turned @ middle), self.prior.mean[6], 0.0]))
            for turned in (rotation, twin)
        ]

    def _misfit(self, guess: Guess) -> float:
        """Median distance of the matches from where a guess puts them, in units of their noise."""
        base, unknowns = guess
        off = self.residuals(unknowns[None], base).reshape(-1, 2)
        return float(np.median(np.linalg.norm(off, axis=1)))


def _mirror_twin(rotation: Array, towards: Array) -> Array:
    """The rotation that looks the same from afar along ``towards``, tilted the other way."""
    z = towards / np.linalg.norm(towards)
    x = np.cross(np.array([0.0, 1.0, 0.0]), z)
    x /= np.linalg.norm(x)
    along = np.stack([x, np.cross(z, x), z])
    flip = np.diag([1.0, 1.0, -1.0])
    twin: Array = along.T @ flip @ along @ rotation @ flip
    return twin


def _refuse_too_few(matches: Sequence[Match]) -> None:
    if len(matches) < FEWEST_MATCHES:
        raise DegenerateMatchesError(
            "too_few", f"A view needs {FEWEST_MATCHES} matches, here are {len(matches)}."
        )
    for code, places in (
        ("collinear", np.array([match.point for match in matches])),
        ("collinear", np.array([match.uv for match in matches])),
    ):
        extents = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
        if extents[1] <= FLATTEST_SPREAD * extents[0]:
            raise DegenerateMatchesError(
                code, "The matches lie on a line; a view needs some beside it."
            )


def _refuse_vague(fit: PoseFit, matches: Sequence[Match]) -> None:
    inlying = int(np.array(fit.inliers).reshape(-1, 2).all(axis=1).sum())
    if inlying < max(FEWEST_MATCHES, FEWEST_SHARE * len(matches)):
        raise DegenerateMatchesError(
            "contradictory", f"Only {inlying} of {len(matches)} matches fit one view."
        )
    points = np.array([match.point for match in matches])
    uv, deviation = fit.predict(points)
    extent = float(np.linalg.norm(uv.max(axis=0) - uv.min(axis=0)))
    if not np.isfinite(deviation).all() or deviation.max() > VAGUEST_SHARE * extent:
        raise DegenerateMatchesError("ill_conditioned", "The matches leave the view undetermined.")
