"""What workers do with photos of Dimension beside reading them (see ``api.workers.jobs``).

Nothing that needs OpenCV is imported before a worker asks for it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from api.workers.jobs import PictureKind, Tracker, TrayRefused, decoded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.dimension.profile import TrayProfile
    from rules.dimension.judge import Verdict
    from vision.dimension.reading import Reading

START_SIZE = 1600
"""Long side at which a start photo is measured: a larger one takes longer and says no more."""


class DimensionCamera:
    """Draws readings of trays, measures trays, follows them."""

    def draw(
        self, photo: bytes, reading: Reading, marked: Verdict | None, kind: PictureKind
    ) -> bytes:
        """A reading drawn on its photo, with the spheres that a verdict points at."""
        from vision.dimension.reporting.overlay import DRAWING_SIZE, draw  # noqa: PLC0415
        from vision.drawing import encode  # noqa: PLC0415
        from vision.photo import load_photo  # noqa: PLC0415

        picture = decoded(partial(load_photo, photo, DRAWING_SIZE))
        return encode(draw(picture, reading, marked), kind)

    def measure(
        self, photos: Sequence[bytes], name: str, sphere_mm: float | None
    ) -> tuple[TrayProfile, tuple[str, ...]]:
        """The profile of the tray in these start photos, and warnings about it."""
        from calibration.dimension.profile import format_problems  # noqa: PLC0415
        from calibration.dimension.start.check import Refusal  # noqa: PLC0415
        from calibration.dimension.start.measure import measure  # noqa: PLC0415
        from vision.dimension.locating.sphere_hints import likely_spheres  # noqa: PLC0415
        from vision.photo import load_photo  # noqa: PLC0415

        loaded = [decoded(partial(load_photo, photo, START_SIZE)) for photo in photos]
        measured = measure(
            [photo.picture for photo in loaded],
            sphere_mm=sphere_mm,
            name=name,
            focals=[photo.focal_px for photo in loaded],
            spheres=likely_spheres,
        )
        if isinstance(measured, Refusal):
            raise TrayRefused(measured.text, measured.code)
        if problems := format_problems(measured.profile.to_json()):
            raise TrayRefused(" ".join(problem.text for problem in problems), "impossible")
        return measured.profile, measured.warnings

    def tracker(self, profile: TrayProfile | None) -> Tracker:
        """What follows a tray from frame to frame."""
        from vision.dimension.tracking.track import TrayTracker  # noqa: PLC0415

        return TrayTracker(None if profile is None else [profile])


CAMERA = DimensionCamera()
