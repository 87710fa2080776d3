"""The start pattern as numbers to be fitted: fifteen spheres in storage and seven empty holes.

All lengths are in sphere diameters. The frame: slot 0 is at +y (90°), and it is that slot towards
which a ring hole points best, so that ``ring0`` is within 6° of 90° for every tray. (Five slots
and six holes repeat together every 12°; a tray whose holes are turned by just 6° may come out
either way, and both are right.) For the built-in trays this gives their own numbers.
"""

from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import View
from calibration.ellipses import VIEW_UNKNOWNS, Array, Eyes, Rounds, outlines
from calibration.solve import GaussianPrior
from rules.dimension.places import HOLES, RING, SLOTS, SPHERES

GEOMETRY_UNKNOWNS = 5
"""Logarithms of pitch, hole, slot radius and slot step, and the turn of the ring from +y."""
FLOOR, RIM, BLOOM = range(GEOMETRY_UNKNOWNS, GEOMETRY_UNKNOWNS + 3)
"""How deep the floor of the holes lies (see ``floor_depth``); the logarithm of how much wider than
the hole its edge seems, for a line may be printed around it; and how much what is bright spreads
over what is dark beside it (see ``calibration.dimension.start.rims.spreading``)."""
SLIDES = BLOOM + 1
START_UNKNOWNS = SLIDES + SPHERES
"""The geometry, how its edges look, and how far each sphere has slid along its slot."""

FIFTH, SIXTH = 2 * np.pi / SLOTS, 2 * np.pi / RING


@dataclass(frozen=True)
class Geometry:
    """Measures of a tray in sphere diameters; ``ring`` is its turn from +y in radians."""

    pitch: float
    hole: float
    slot_radius: float
    slot_step: float
    ring: float = 0.0

    @classmethod
    def of(cls, unknowns: Array) -> "Geometry":
        """The geometry that five unknowns stand for."""
        pitch, hole, slot_radius, slot_step = np.exp(unknowns[:4]).tolist()
        return cls(pitch, hole, slot_radius, slot_step, float(unknowns[4]))

    @property
    def unknowns(self) -> Array:
        """The five unknowns that stand for this geometry."""
        lengths = np.log([self.pitch, self.hole, self.slot_radius, self.slot_step])
        return np.array([*lengths, self.ring])

    @property
    def level_one(self) -> float:
        """Height of the sphere centres above the tray's face."""
        return float(np.sqrt(max(1 - self.hole**2, 0.0)) / 2)

    def turned(self) -> tuple["Geometry", int]:
        """The same tray with the slot as slot 0 to which a hole points best, and which it was."""
        rings = [_within(self.ring + FIFTH * slot, SIXTH) for slot in range(SLOTS)]
        slot = int(np.argmin(np.abs(rings)))
        return replace(self, ring=rings[slot]), slot


TYPICAL = Geometry(pitch=1.1, hole=0.7, slot_radius=2.5, slot_step=1.05)
SPREADS = np.array([0.15, 0.25, 0.6, 0.08, np.inf])
"""How far trays may be from the typical one: logarithms of the lengths, nothing known of the turn.

A ring of holes cannot be much wider than its spheres, or level two would fall through; a slot's
spheres lie side by side. The slot radius is anything.
"""
SLIDE = 0.04
"""Standard deviation of a sphere's place along its slot."""
DEPTH, DEPTH_SPREAD = 0.25, 0.25
RIM_SPREAD = 0.01
"""What is believed of the floors' depth and of the rims' seeming width. Trays are of card or of
a finger's thickness of wood; printed lines are fine."""
USUAL_BLOOM, BLOOM_SPREAD = 0.04, 0.12
"""Blur happens to the light, edges are looked for in its root, and what is too bright is cut off:
on 30 development photos and 60 lab pictures by −0.1 to 0.1 mostly, up to 0.4 where the picture is
shaken or too bright."""
SHALLOW = 0.03
"""Depths below this are as good as none."""


def start_prior() -> GaussianPrior:
    """Prior of geometry and slides."""
    mean = np.concatenate([TYPICAL.unknowns, [DEPTH, 0.0, USUAL_BLOOM], np.zeros(SPHERES)])
    looks = np.array([DEPTH_SPREAD, RIM_SPREAD, BLOOM_SPREAD])
    return GaussianPrior(mean, np.concatenate([SPREADS, looks, np.full(SPHERES, SLIDE)]))


def floor_depth(unknown: Array) -> Array:
    """Depth of the holes' floors for an unknown of any sign: never above the face."""
    return np.asarray(SHALLOW * np.logaddexp(0.0, unknown / SHALLOW), dtype=np.float64)


def start_rounds(unknowns: Array) -> Rounds:
    """The fifteen spheres and seven rims that a batch of unknowns ``(batch, 23)`` stands for."""
    batch = len(unknowns)
    pitch, hole, slot_radius, slot_step = np.exp(unknowns[:, :4]).T
    ring, slides = unknowns[:, 4], unknowns[:, SLIDES:].reshape(batch, 5, 3)
    low = np.sqrt(np.maximum(1 - hole**2, 1e-4)) / 2
    angle = np.pi / 2 - FIFTH * np.arange(SLOTS)
    outward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    along = np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    shift = np.array([-1.0, 0.0, 1.0]) * slot_step[:, None, None] + slides
    spots = slot_radius[:, None, None, None] * outward[:, None] + shift[..., None] * along[:, None]
    centres = np.zeros((batch, SPHERES + HOLES, 3))
    centres[:, :SPHERES, :2] = spots.reshape(batch, SPHERES, 2)
    centres[:, :SPHERES, 2] = low[:, None]
    turn = np.pi / 2 + ring[:, None] - SIXTH * np.arange(RING)
    centres[:, SPHERES + 1 :, 0] = pitch[:, None] * np.cos(turn)
    centres[:, SPHERES + 1 :, 1] = pitch[:, None] * np.sin(turn)
    radii = np.full((batch, SPHERES + HOLES), 0.5)
    radii[:, SPHERES:] = (hole * np.exp(unknowns[:, RIM]))[:, None] / 2
    flat = np.repeat([0.0, 1.0], [SPHERES, HOLES])
    return Rounds(centres, radii, flat)


def with_floors(rounds: Rounds, unknowns: Array) -> Rounds:
    """Spheres and rims of a batch, and the edges of the seven floors beneath the rims."""
    floors = rounds.centres[:, SPHERES:].copy()
    floors[:, :, 2] -= floor_depth(unknowns[:, FLOOR])[:, None]
    return Rounds(
        centres=np.concatenate([rounds.centres, floors], axis=1),
        radii=np.concatenate([rounds.radii, rounds.radii[:, SPHERES:]], axis=1),
        flat=np.concatenate([rounds.flat, np.ones(HOLES)]),
    )


@dataclass(frozen=True)
class State:
    """The unknowns of a fit, view first, and the rotation that the view turns from."""

    base: Array
    unknowns: Array
    size: tuple[int, int]

    def eyes(self, batch: Array) -> Eyes:
        """The views that a batch of unknowns stands for."""
        return Eyes.from_unknowns(batch[:, :VIEW_UNKNOWNS], self.base, self.size)

    @property
    def view(self) -> View:
        """The view."""
        return self.eyes(self.unknowns[None]).view(self.size)

    @property
    def rounds(self) -> Rounds:
        """The round things where the unknowns put them, without a batch axis."""
        found = start_rounds(self.unknowns[None, VIEW_UNKNOWNS:])
        return Rounds(found.centres[0], found.radii[0], found.flat)

    @property
    def seen(self) -> Rounds:
        """The round things and the holes' floors, without a batch axis."""
        unknowns = self.unknowns[None, VIEW_UNKNOWNS:]
        found = with_floors(start_rounds(unknowns), unknowns)
        return Rounds(found.centres[0], found.radii[0], found.flat)

    def moved(self, unknowns: Array) -> "State":
        """The state with other unknowns."""
        return State(self.base, unknowns, self.size)

    def discs(self, batch: Array) -> tuple[Array, Array]:
        """Centres ``(batch, 15, 2)`` and radii ``(batch, 15)`` of the spheres' outlines, pixels."""
        eyes = self.eyes(batch)
        every = start_rounds(batch[:, VIEW_UNKNOWNS:])
        spheres = Rounds(every.centres[:, :SPHERES], every.radii[:, :SPHERES], every.flat[:SPHERES])
        middle, spread = outlines(eyes, spheres)
        area = np.maximum(np.linalg.det(spread), 1e-18)
        return eyes.to_pixels(middle), eyes.focal[:, None] * area**0.25

    def resized(self, factor: float) -> "State":
        """The state with spheres that are larger by this factor and all else where it is."""
        unknowns = self.unknowns.copy()
        unknowns[3:6] /= factor
        unknowns[VIEW_UNKNOWNS : VIEW_UNKNOWNS + 4] -= np.log(factor)
        unknowns[VIEW_UNKNOWNS + SLIDES :] /= factor
        return self.moved(unknowns)


def _within(angle: float, period: float) -> float:
    """The angle brought into half a period on both sides of zero."""
    return float((angle + period / 2) % period - period / 2)
