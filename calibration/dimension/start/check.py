"""Whether a fitted start pattern is really there, and the plain reason if it is not.

Every outline's *support* is the share of it at which the picture has an edge just there. What
support means depends on the picture – on a patterned table edges are everywhere – so it is
compared with the same outlines laid at random beside their places in the same picture.
"""

from dataclasses import dataclass

import numpy as np

from calibration.dimension.start.empty_places import empty_places
from calibration.dimension.start.fit import StartFit
from calibration.dimension.start.rims import start_support
from calibration.edges import Floats
from calibration.ellipses import Array, Rounds
from rules.dimension.places import HOLES, SPHERES


@dataclass(frozen=True)
class Refusal:
    """Why a photo cannot be used: a code for programs, a sentence for people."""

    code: str
    text: str


NO_TRAY = Refusal(
    "no_tray",
    "There is no tray with all fifteen spheres in storage in this photo. Put three spheres into "
    "each slot, leave the seven holes empty, and take the photo from above in good light.",
)
BLURRED = Refusal("blurred", "The photo is blurred. Hold still and focus on the tray.")
DARK = Refusal("too_dark", "The photo is too dark to see a tray. Switch on a light.")


@dataclass(frozen=True)
class Bars:
    """What a start pattern must show to be believed.

    Contrasts are support above chance as a share of what is possible, of the typical sphere and
    the typical hole. Of 35 photos without a tray or a start pattern none had more than 0.47 for
    both together; of a hundred start photos, lab and development, none less than 0.8.
    """

    there: float = 0.45
    """Support of an empty hole, on a scale where chance in this picture is 0 and its typical hole
    is 1: filled holes come out below this, empty ones above 0.6."""
    unseen: float = -0.1
    """A sphere with less support, on the same scale, is not there. (Black spheres on a black tray
    have no more than chance; whether they are there is told by the sides of their slots.)"""
    widest_hole: float = 0.94
    """In sphere diameters: in a wider hole a sphere would not rest."""
    contrasts: float = 0.65
    sphere_contrast: float = 0.3
    hole_contrast: float = 0.2
    loosest: float = 0.013
    """Pitch and slot radius must be known this well (standard deviation, as a share). Of sixty lab
    pictures (seeds 101, 202) the two that were more than 2 % off said 1.36 %."""
    blurriest: float = 0.085
    """Edges must be sharper than this share of a sphere's radius."""
    random_trials: int = 6


BARS = Bars()


@dataclass(frozen=True)
class Support:
    """How well each of the fifteen spheres and seven holes is supported, and chance is."""

    spheres: Array
    holes: Array
    chance_sphere: float
    chance_hole: float

    @property
    def sphere_contrast(self) -> float:
        """Support of the typical sphere above chance, as a share of what is possible."""
        return _contrast(float(np.nanmedian(self.spheres)), self.chance_sphere)

    @property
    def hole_contrast(self) -> float:
        """Support of the typical hole above chance, as a share of what is possible."""
        return _contrast(float(np.nanmedian(self.holes)), self.chance_hole)

    @property
    def total(self) -> float:
        """One number to compare placements by: the mean contrast of all twenty-two outlines."""
        spheres = np.nan_to_num(self.spheres - self.chance_sphere).sum()
        return float(spheres + np.nan_to_num(self.holes - self.chance_hole).sum()) / 22


def support_of(smoothed: Floats, fit: StartFit, bars: Bars = BARS) -> Support:
    """The support of a fitted pattern."""
    found = start_support(smoothed, fit.view, fit.seen)
    chance = np.random.default_rng(0)
    beside = [
        start_support(smoothed, fit.view, _shifted(fit.seen, chance))
        for _ in range(bars.random_trials)
    ]
    by_chance = np.nan_to_num(np.array(beside))
    return Support(
        spheres=found[:SPHERES],
        holes=found[SPHERES:],
        chance_sphere=float(by_chance[:, :SPHERES].mean()),
        chance_hole=float(by_chance[:, SPHERES:].mean()),
    )


def check(smoothed: Floats, fit: StartFit, support: Support, bars: Bars = BARS) -> Refusal | None:
    """Why a fitted pattern is not a start photo; None if it is one."""
    together = support.sphere_contrast + support.hole_contrast
    if support.sphere_contrast < bars.sphere_contrast or together < bars.contrasts:
        return NO_TRAY
    if outside := _outside(fit):
        return Refusal(
            "cropped",
            f"{outside} of the tray's spheres and holes are outside the photo. "
            "Move back until the whole tray is in it.",
        )
    if support.hole_contrast < bars.hole_contrast:
        return Refusal(
            "no_holes",
            "I see five groups of spheres, but not the seven empty holes between them. "
            "Take all spheres off the holes and try again.",
        )
    return _not_as_at_the_start(smoothed, fit, support, bars) or _too_vague(fit, bars)


def _not_as_at_the_start(
    smoothed: Floats, fit: StartFit, support: Support, bars: Bars
) -> Refusal | None:
    unseen = _relative(support.spheres, support.chance_sphere) < bars.unseen
    missing = int((unseen | empty_places(smoothed, fit, support.spheres)).sum())
    filled = int((_relative(support.holes, support.chance_hole) < bars.there).sum())
    if fit.geometry.hole > bars.widest_hole:
        filled = HOLES  # what is as wide as a sphere is one
    if missing or filled > 1:
        return Refusal(
            "not_at_start",
            f"I see {SPHERES - missing} of {SPHERES} spheres in storage, and "
            f"{HOLES - filled} of {HOLES} holes are empty. Put every sphere into its slot.",
        )
    return None


def _too_vague(fit: StartFit, bars: Bars) -> Refusal | None:
    deviation = np.sqrt(np.diag(fit.covariance))
    loose = max(deviation[0], deviation[2])
    if fit.blur > bars.blurriest:
        return BLURRED
    if loose > bars.loosest:
        return Refusal(
            "vague",
            f"This photo gives the tray's size only to ±{200 * loose:.1f} %. Go nearer, use "
            "better light, or take it from another side.",
        )
    return None


def _outside(fit: StartFit) -> int:
    """How many round things are cut by the picture's edge."""
    camera = fit.view.camera
    seen = fit.view.project(fit.rounds.centres)
    radius = fit.view.pixels_per_mm(fit.rounds.centres) * fit.rounds.radii
    low = (seen - radius[:, None]).min(axis=1)
    high = (np.array([camera.width, camera.height]) - 1 - seen - radius[:, None]).min(axis=1)
    return int((~(np.minimum(low, high) > -0.2 * radius)).sum())


def _shifted(rounds: Rounds, chance: np.random.Generator) -> Rounds:
    """The round things, each moved by half to a whole diameter of its own in the tray's plane."""
    count = SPHERES + HOLES
    turn = chance.uniform(0, 2 * np.pi, count)
    far = chance.uniform(1.0, 2.0, count) * rounds.radii[:count]
    aside = np.stack([far * np.cos(turn), far * np.sin(turn), np.zeros(count)], axis=1)
    aside = np.concatenate([aside, aside[SPHERES:]])  # a floor goes with its rim
    return Rounds(rounds.centres + aside, rounds.radii, rounds.flat)


def _contrast(support: float, chance: float) -> float:
    return (support - chance) / max(1 - chance, 1e-6)


def _relative(supports: Array, chance: float) -> Array:
    """Supports with chance at 0 and their median at 1; what is hidden counts as typical."""
    typical = max(float(np.nanmedian(supports)) - chance, 1e-6)
    return np.where(np.isnan(supports), 1.0, (supports - chance) / typical)
