"""Hypotheses: what a tray's peaks say of its pose, before anything is fitted.

A tray's centre comes with the shape of its face, which tells size and tilt but not to which side it
tilts nor how the tray is turned. Its slots tell the turn up to a fifth of a circle, and where four
or more are seen, size and tilt better than the shape does. Which fifth it is, only the holes and
spheres of the middle can tell: five slots and six ring seats fall together but once. Slots may be
hidden or mistaken, so turns all around are tried besides. ``vision.dimension.locating.matching``
judges them all.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.dimension.geometry import slot_axis
from calibration.dimension.profile import TrayProfile
from calibration.ellipses import Array, Eyes
from rules.dimension.places import SLOTS
from vision.dimension.locating.detector import Detections

ENOUGH_SLOTS = 4
"""Slots from which (with the centre) a pose can be computed."""
SLOT_ASTRAY = 0.35
"""A slot belongs to a centre if its way ends this near, in slot radii of that face."""
TURNS = 30
"""How many turns are tried without regard to slots: the search that follows spans 12°. With them
91 of 100 pictures are right at first, without them 86 (lab and development photos)."""
FLATTEST = 0.3
"""Cosine of the strongest tilt that is believed (73°)."""


@dataclass(frozen=True)
class Candidate:
    """A tray's centre with the shape of its face and the slots that are its own."""

    centre: Array
    strength: float
    face: Array
    slots: dict[int, Array]
    """Pixel of each slot seen, by its number clockwise from an unknown first."""
    phase: float | None
    """Angle of that first slot on the face, before it was tilted; None if no slot is seen."""

    @property
    def reach(self) -> float:
        """Pixels from the centre to the slots where the face is least foreshortened."""
        return float(np.linalg.eigvalsh(self.face)[-1])


def candidates(seen: Detections) -> list[Candidate]:
    """The trays that may be in the picture, one for every centre seen."""
    return [_candidate(seen, index) for index in range(len(seen.centres))]


def leading(seen: Detections, candidate: Candidate) -> NDArray[np.bool_]:
    """Which of the slots seen lead to the candidate's centre."""
    astray = np.linalg.norm(seen.slots.uv + seen.ways - candidate.centre, axis=1)
    return np.asarray(astray < SLOT_ASTRAY * candidate.reach)


def hypotheses(
    candidate: Candidate, profile: TrayProfile, size: tuple[int, int], focal: float
) -> Eyes:
    """A batch of views that the candidate may have, for pictures of this size."""
    principal = (np.array(size, dtype=np.float64) - 1) / 2
    by_shape = _poses_by_shape(candidate, profile, principal, focal)
    by_slots = list(by_shape) if candidate.phase is not None else []
    if len(candidate.slots) >= ENOUGH_SLOTS:
        by_slots += _poses_by_slots(candidate, profile, principal, focal)
    poses = [*_turned(by_slots, SLOTS), *_turned(by_shape, TURNS)]
    return Eyes(
        rotation=np.array([rotation for rotation, _ in poses]),
        translation=np.array([translation for _, translation in poses]),
        focal=np.full(len(poses), focal),
        k1=np.zeros(len(poses)),
        principal=principal,
    )


def _candidate(seen: Detections, index: int) -> Candidate:
    centre, face = seen.centres.uv[index], seen.faces[index]
    strength = float(seen.centres.strength[index])
    bare = Candidate(centre, strength, face, {}, None)
    own = np.nonzero(leading(seen, bare))[0]
    own = own[np.argsort(-seen.slots.strength[own])]
    if not len(own):
        return bare
    # On the face itself slots are evenly spread: undo the tilt and look at their angles.
    flat = np.linalg.solve(face, (seen.slots.uv[own] - centre).T).T
    angles = np.arctan2(flat[:, 1], flat[:, 0])
    mean = np.sum(seen.slots.strength[own] * np.exp(1j * SLOTS * angles))
    phase = float(np.angle(mean)) / SLOTS
    numbers = np.rint((angles - phase) / (2 * np.pi / SLOTS)).astype(int) % SLOTS
    slots: dict[int, Array] = {}
    for number, slot in zip(numbers.tolist(), own, strict=True):
        slots.setdefault(number, seen.slots.uv[slot])
    return Candidate(centre, strength, face, slots, phase)


Poses = list[tuple[Array, Array]]


def _turned(poses: Poses, turns: int) -> Poses:
    """Each pose in so many turns all around."""
    spins = [_about_z(2 * np.pi * turn / turns) for turn in range(turns)]
    return [(rotation @ spin, translation) for rotation, translation in poses for spin in spins]


def _poses_by_slots(
    candidate: Candidate, profile: TrayProfile, principal: Array, focal: float
) -> Poses:
    """Both poses in which centre and slots are seen where they are."""
    places = [(0.0, 0.0, 0.0)] + [(*slot_axis(profile, k)[0], 0.0) for k in candidate.slots]
    rays = (np.array([candidate.centre, *candidate.slots.values()]) - principal) / focal
    _, rvecs, tvecs, _ = cv2.solvePnPGeneric(
        np.array(places), rays, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE
    )
    poses: Poses = []
    for rvec, tvec in zip(rvecs, tvecs, strict=True):
        rotation = np.asarray(cv2.Rodrigues(rvec)[0], dtype=np.float64)
        translation = np.asarray(tvec, dtype=np.float64).ravel()
        if translation[2] > 0 and (rotation[:, 2] @ translation) < 0:
            poses.append((rotation, translation))
    return poses


def _poses_by_shape(
    candidate: Candidate, profile: TrayProfile, principal: Array, focal: float
) -> Poses:
    """The two poses, tilted to either side, that give the face its shape as seen from afar."""
    values, vectors = np.linalg.eigh(candidate.face)
    cosine = float(np.clip(values[0] / values[1], FLATTEST, 1.0))
    sine = float(np.sqrt(1 - cosine**2))
    ray = np.array([*(candidate.centre - principal) / focal, 1.0])
    translation = ray * focal * profile.slot_radius_mm / values[1]
    major, minor = vectors[:, 1], vectors[:, 0]
    straight = _towards(ray)
    poses = []
    for side in (1.0, -1.0):
        normal = np.array([*(side * sine * minor), -cosine])
        x = np.array([*major, 0.0])
        axes = np.stack([x, np.cross(normal, x), normal], axis=1)
        poses.append((straight @ _from_slot(axes, candidate, profile), translation))
    return poses


def _from_slot(axes: Array, candidate: Candidate, profile: TrayProfile) -> Array:
    """The axes turned about the normal so that slot 0 lies at the candidate's phase."""
    angle = np.radians(profile.slot0_deg)
    if candidate.phase is None:
        return axes
    first = candidate.face @ np.array([np.cos(candidate.phase), np.sin(candidate.phase)])
    flat = np.linalg.solve(axes[:2, :2], first)
    turned: Array = axes @ _about_z(np.arctan2(flat[1], flat[0]) - angle)
    return turned


def _towards(ray: Array) -> Array:
    """The rotation that takes the camera's axis to a ray."""
    forward = ray / np.linalg.norm(ray)
    axis = np.cross([0.0, 0.0, 1.0], forward)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9:
        return np.eye(3)
    return np.asarray(cv2.Rodrigues(axis / sine * np.arctan2(sine, forward[2]))[0])


def _about_z(angle: float) -> Array:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
