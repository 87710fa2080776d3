"""Whether a tray has the proportions of the profile by which it is read.

A tray of another make is located as well as its seats allow, and what is seen then lies a little
aside everywhere. So the two proportions in which trays differ most – how far out the slots are,
and how the ring of holes is turned against them – are set free and fitted along with the view.
"""

from dataclasses import dataclass

import numpy as np

from calibration.camera import View
from calibration.dimension.profile import TrayProfile
from calibration.ellipses import VIEW_UNKNOWNS, Array, Eyes, unknowns_of
from calibration.pose import view_prior
from calibration.solve import GaussianPrior, solve
from rules.dimension.places import PLAY, SLOT_PLACES
from vision.dimension.locating.matching import Matched, TrayPeaks, hole_places, slot_places

BELIEVED = (0.3, 0.2)
"""Spreads of the logarithm of the slots' distance and of the turn in radians, before looking."""
EXACT = 0.09
"""Noise of peaks, in radii of a sphere; slots are seen half as exactly."""
STRANGE = 12.0
"""Deviation, squared in standard deviations and added up, from which a tray is of another make: by
chance one in 400 is. Of 27 photos of trays read by their own measures the largest was 7.5; of 17
lab trays of quite another make, 14 are beyond."""


@dataclass(frozen=True)
class Deviation:
    """By how much a tray differs from its profile, and how exactly that is known."""

    slots: float
    """Logarithm of how much farther out its slots are than the profile says."""
    turn: float
    """Radians by which its ring is turned against the slots, beyond what the profile says."""
    slots_spread: float
    turn_spread: float

    @property
    def is_slight(self) -> bool:
        """Whether the tray is probably of the profile's make."""
        square = (self.slots / self.slots_spread) ** 2 + (self.turn / self.turn_spread) ** 2
        return square < STRANGE


def deviation(view: View, own: TrayPeaks, matched: Matched, profile: TrayProfile) -> Deviation:
    """How the tray differs in proportion from the profile, by the peaks matched to it."""
    size = (view.camera.width, view.camera.height)
    radius = float(view.pixels_per_mm(np.zeros(3))[0]) * profile.sphere_radius_mm
    places, outer, uv, sigma = _points(own, matched, profile, EXACT * radius)
    base, unknowns = unknowns_of(view)
    lens = view_prior(size, view.camera.focal_px)
    prior = GaussianPrior(
        np.concatenate([lens.mean, (0.0, 0.0)]), np.concatenate([lens.spread, BELIEVED])
    )

    def residuals(batch: Array) -> Array:
        eyes = Eyes.from_unknowns(batch[:, :VIEW_UNKNOWNS], base, size)
        camera = eyes.to_camera(_moved(places, outer, batch[:, VIEW_UNKNOWNS:]))
        pixels = eyes.to_pixels(camera[..., :2] / np.maximum(camera[..., 2:], 1.0))
        return np.asarray(((pixels - uv) / sigma[:, None]).reshape(len(batch), -1))

    found = solve(residuals, np.concatenate([unknowns, (0.0, 0.0)]), prior, steps=3, enough=1e-3)
    slots, turn = found.values[VIEW_UNKNOWNS:].tolist()
    spread = np.sqrt(np.diag(found.covariance)[VIEW_UNKNOWNS:]) * max(1.0, found.scatter)
    return Deviation(slots, turn, float(spread[0]), float(spread[1]))


def _moved(places: Array, outer: Array, change: Array) -> Array:
    """Places (batch, n, 3): those of the storage moved outwards, all others turned."""
    out = (np.exp(change[:, :1]) - 1)[..., None] * outer
    cos, sin = np.cos(change[:, 1])[:, None], np.sin(change[:, 1])[:, None]
    x, y, z = places.T
    inner = np.stack([cos * x - sin * y, sin * x + cos * y, z + 0 * cos], axis=-1)
    stored = (outer != 0).any(axis=1)
    return np.where(stored[:, None], places + out, inner)


def _points(
    own: TrayPeaks, matched: Matched, profile: TrayProfile, exact: float
) -> tuple[Array, Array, Array, Array]:
    """Matched places (n, 3), the way from the centre to their slot, pixels, and their noise.

    The way is zero for what does not belong to the storage.
    """
    spheres, holes, slots = (part >= 0 for part in (matched.seats, matched.holes, matched.slots))
    ways = np.concatenate(
        [np.zeros((PLAY, 3)), np.repeat(slot_places(profile), SLOT_PLACES, axis=0)]
    )
    places = [
        matched.places[spheres],
        hole_places(profile)[matched.holes[holes]],
        slot_places(profile)[matched.slots[slots]],
    ]
    outer = [
        ways[matched.seats[spheres]],
        np.zeros((int(holes.sum()), 3)),
        slot_places(profile)[matched.slots[slots]],
    ]
    uv = [own.spheres.uv[spheres], own.holes.uv[holes], own.slots.uv[slots]]
    sigma = np.repeat([exact, exact, 2 * exact], [len(part) for part in uv])
    return np.concatenate(places), np.concatenate(outer), np.concatenate(uv), sigma
