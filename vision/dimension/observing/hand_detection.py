"""Whether something reaches over a tray in a single photo: a hand, an arm, a sleeve.

Whatever its colour, it comes from outside and lies over the tray's edge: there the face is not to
be seen, and where the outline should be there is no edge, because what covers the inside goes on
outside. A shadow or a strip of sun ends at the outline or leaves it visible; a print on the face
does not reach beyond it.
"""

from functools import cache

import numpy as np

from calibration.camera import FloatArray, View
from calibration.dimension.outline import outline_points
from calibration.dimension.profile import TrayProfile
from vision.dimension.observing.face_samples import (
    Tones,
    behind_spheres,
    look_at_face,
    look_at_points,
)
from vision.dimension.observing.outline_samples import Flags, Picture

AROUND = 0.2
"""Distance of neighbouring places on the outline, in diameters of a sphere."""
DEPTHS = (-0.32, -0.22, -0.13, 0.13, 0.22, 0.32)
"""How far from the outline each place is sampled, in diameters: inside first, then outside."""
INSIDE = 3
FEWEST = 5
"""Points of the face that must be seen to know its colour."""
NOT_FACE, NOISES = 0.1, 3.0
"""Difference from the face's colour, however bright, from which a sample is something else; and
the same in units of how much the face itself differs from its colour."""
SAME_HUE, SAME_LIGHT = 0.05, 0.8
"""How alike inside and outside must be where something goes on across the outline."""
NO_EDGE = 0.15
"""Change of tone right at the outline below which there is no edge."""
COVERED = 4
"""Places that must be covered, two of them neighbours: a finger is four wide. Of 70 development
photos none has more than two, and of 248 lab pictures without a hand one has more than three."""
TABLE = 0.08
"""Share of the places around the tray from which a colour is the table's: the view is not exact."""
LIGHT = (0.5, 1.3)
"""Range of the face's tone against its usual one, from deep shadow to sun."""
TOO_MUCH = 0.5
"""A rim that seems covered all around is not the profile's."""


def hand_in_view(picture: Picture, view: View, profile: TrayProfile, spheres: FloatArray) -> bool:
    """Whether something lies over the edge of the tray that holds these spheres (n, 3)."""
    if profile.outline is None:
        return False
    covered = _covered(picture, view, profile, spheres)
    beside = np.roll(covered, 1) | np.roll(covered, -1)
    return bool((covered & beside).any()) and COVERED <= covered.sum() <= TOO_MUCH * len(covered)


def _covered(picture: Picture, view: View, profile: TrayProfile, spheres: FloatArray) -> Flags:
    """The places of the outline where the same thing shows inside and outside."""
    face = look_at_face(picture, view, profile, spheres)
    points = _rim_points(profile)
    rim = look_at_points(picture, view, points.reshape(-1, 3))
    seen, tones = rim.seen.reshape(points.shape[:2]).all(axis=1), rim.tones.reshape(points.shape)
    if face.seen.sum() < FEWEST:
        return np.zeros_like(seen)
    color = np.median(face.tones[face.seen], axis=0)
    bright = max(float(np.percentile(face.tones[face.seen], 95)), 0.1)
    usual = float(np.median(_off_color(face.tones[face.seen], color)))
    strange = _off_color(tones[:, :INSIDE], color) > max(NOT_FACE, NOISES * usual)
    step = np.abs(tones[:, INSIDE - 1] - tones[:, INSIDE]).max(axis=1) / bright
    inside, outside = tones[:, :INSIDE].mean(axis=1), tones[:, INSIDE:].mean(axis=1)
    goes_on = _alike(inside, outside) & (step < NO_EDGE)
    covered = np.asarray(seen & strange.all(axis=1) & goes_on)
    covered &= ~_like_the_table(inside, outside[seen & ~covered])
    # Asked last and of these only: it takes the most time.
    places = np.flatnonzero(covered)
    behind = behind_spheres(view, profile, spheres, points[places].reshape(-1, 3))
    covered[places] = ~behind.reshape(-1, len(DEPTHS)).any(axis=1)
    return covered


def _alike(tones: Tones, others: Tones) -> Flags:
    """Which pairs of tones (…, 3) have the same colour and nearly the same brightness."""
    light, other = (np.maximum(np.linalg.norm(t, axis=-1), 0.05) for t in (tones, others))
    hue = np.linalg.norm(tones / light[..., None] - others / other[..., None], axis=-1)
    ratio = light / other
    return np.asarray((hue < SAME_HUE) & (ratio > SAME_LIGHT) & (ratio < 1 / SAME_LIGHT))


def _like_the_table(tones: Tones, table: Tones) -> Flags:
    """Which tones (n, 3) are found in many places around the tray (m, 3)."""
    if not len(table):
        return np.zeros(len(tones), bool)
    return np.asarray(_alike(tones[:, None], table[None]).mean(axis=1) > TABLE)


def _off_color(tones: Tones, color: Tones) -> Tones:
    """How far tones are from a colour in whatever light, in units of that colour's strength."""
    strength = np.maximum((color**2).sum(), 1e-4)
    light = np.clip((tones @ color) / strength, *LIGHT)
    return np.asarray(np.linalg.norm(tones - light[..., None] * color, axis=-1) / strength**0.5)


@cache
def _rim_points(profile: TrayProfile) -> FloatArray:
    """Points (places, depths, 3) along the outline."""
    assert profile.outline is not None
    spacing = AROUND * profile.sphere_mm
    edge = outline_points(profile.outline, profile.slot0_deg, spacing)
    outward = edge / np.linalg.norm(edge, axis=1, keepdims=True)
    depth = np.array(DEPTHS)[:, None] * profile.sphere_mm
    points = edge[:, None] + outward[:, None] * depth
    return np.concatenate([points, np.zeros((*points.shape[:2], 1))], axis=2)
