"""Detects something between camera and tray, by how the tray looked in earlier frames.

Every point of the face and every sphere had some look in the frames before. What looks quite
different now, all changes of the light as a whole set aside, is covered. A sphere that was moved
changes its own places; a hand changes much of the face.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray, View
from calibration.dimension.profile import TrayProfile
from vision.dimension.observing.face_samples import SPACING, FaceLook, face_points, look_at_face
from vision.dimension.observing.outline_samples import TONES, Flags, Picture

CHANGED = 0.13
"""Change of a tone (of the bright parts' 1) from which a point looks quite different."""
HAND, MOST = 0.035, 0.7
"""Shares of the points seen that must be changed for a hand, and for something else altogether."""
FEWEST = 12
"""Fewer points than this tell nothing."""
KEEP = 0.85
"""How much of what a point looked like is kept when it is seen again."""


DARK_FACE = 0.75
"""On a dark face reflections change much of its tone: this share of the frame's brightest parts
is what changes are measured by at least."""
TOGETHER = 2
"""Neighbours that must be changed as well: reflections of spheres are spots, fingers are not."""


class FaceHistory:
    """How a tray's face looked in the frames so far."""

    def __init__(self, profile: TrayProfile) -> None:
        count = len(face_points(profile))
        self._profile = profile
        self._tones = np.zeros((count, 3), np.float32)
        self._known = np.zeros(count, bool)

    def by_hand(self, picture: Picture, view: View, spheres: FloatArray) -> bool | None:
        """Whether something covers a part of the tray; None if nothing looks as it did."""
        face = look_at_face(picture, view, self._profile, spheres)
        both = face.seen & self._known
        changed = self._changed(face, both, _brightest(picture))
        share = float(changed.sum() / max(int(both.sum()), 1))
        if share > MOST:
            return None
        if share <= HAND:
            self._learn(face, face.seen & ~changed)
        return share > HAND

    def _changed(self, face: FaceLook, both: Flags, top: float) -> Flags:
        """Which of the points seen now and before look quite different; none of very few."""
        if both.sum() < FEWEST:
            return np.zeros_like(both)
        before = self._tones[both]
        light = np.median(face.tones[both] / np.maximum(before, 0.02), axis=0)
        bright = max(float(np.percentile(before, 95)), DARK_FACE * top, 0.05)
        apart = np.abs(face.tones / np.maximum(light, 1e-3) - self._tones).max(axis=1) / bright
        changed = both & (apart > CHANGED)
        return np.asarray(changed & (neighbours(self._profile) @ changed >= TOGETHER))

    def _learn(self, face: FaceLook, seen: Flags) -> None:
        keep = np.where(self._known, KEEP, 0.0).astype(np.float32)[:, None]
        self._tones[seen] = (keep * self._tones + (1 - keep) * face.tones)[seen]
        self._known |= seen


def _brightest(picture: Picture) -> float:
    """The tone of the brightest parts of a frame."""
    return float(TONES[int(np.percentile(picture[::8, ::8], 98))])


@cache
def neighbours(profile: TrayProfile) -> NDArray[np.float32]:
    """For each pair of points of a face (n, n), 1 if they are neighbours."""
    points = face_points(profile)[:, :2]
    apart = np.linalg.norm(points[:, None] - points, axis=-1)
    near = (apart > 0) & (apart < 1.2 * SPACING * profile.sphere_mm)
    return np.asarray(near, np.float32)
