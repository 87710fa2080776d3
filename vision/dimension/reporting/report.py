"""From a posterior to a ``Reading``: status, calibrated confidence, seats, and what to say."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import TrayProfile
from rules.dimension.places import ALL_SEATS, PLAY
from vision.dimension.inferring.infer import Posterior
from vision.dimension.observing.seat_evidence import HIDDEN
from vision.dimension.reading import WARNINGS, Alternative, Reading, SeatReading
from vision.dimension.reporting.advice import describe
from vision.dimension.reporting.confidence import STEEPEST, Confidence, shipped_confidence
from vision.photo import Photo

FloatArray = NDArray[np.float64]

COVERED = 0.99
"""Layout and alternatives together cover this much of the probability, or there are ten."""

MOST_ALTERNATIVES = 10

STRAINED = 10.0
"""A strain from which a reading is never certain: of 1,409 lab readings 18 were strained so much,
and two of those were wrong, one of them without any other sign: green spheres on a green tray taken
for its face, and for spheres in a dark slot instead."""

GUARDED = 0.9
"""Highest confidence of a reading that must not be certain."""

_LIKELY = 0.5
_SUSPECT = 0.3
"""Probability from which a borrowed sphere is reported."""


@dataclass(frozen=True, eq=False)
class SeatsInPhoto:
    """Where the 29 seats are in a photo: centres (29, 2) and radii (29,) in its pixels."""

    uv: FloatArray
    radius: FloatArray


def places(
    photo: Photo, view: View, profile: TrayProfile, centres: FloatArray | None = None
) -> SeatsInPhoto:
    """Where spheres on all seats are, or would be, in pixels of the photo's file.

    ``centres`` (29, 3) in tray mm are given where spheres were found beside their seats.
    """
    centres = seat_array(profile) if centres is None else centres
    uv = photo.to_original(view.project(centres))
    radius = view.pixels_per_mm(centres) * profile.sphere_radius_mm / photo.scale
    return SeatsInPhoto(uv, np.asarray(radius, dtype=np.float64))


def compose(
    photo: str | tuple[str, ...],
    posterior: Posterior,
    where: SeatsInPhoto,
    warnings: Collection[str] = (),
    ms: Mapping[str, float] | None = None,
    confidence: Confidence | None = None,
) -> Reading:
    """The reading of a photo in which a tray was found.

    Warnings about counts of spheres are added here; those about the picture and the tray come in.
    """
    scale = confidence or shipped_confidence()
    sure = min(at_most(posterior), scale.calibrated(posterior.probability, posterior.view))
    codes = _ordered({*warnings, *_count_warnings(posterior, "cropped" in warnings)})
    entries = {seat: _seat(posterior, where, i) for i, seat in enumerate(ALL_SEATS)}
    reading = Reading(
        photo=photo,
        status="certain" if scale.is_certain(sure, codes) else "uncertain",
        layout=posterior.layout,
        confidence=sure,
        seats=dict(list(entries.items())[:PLAY]),
        storage=dict(list(entries.items())[PLAY:]),
        alternatives=_alternatives(posterior, sure, scale.view.calibrated(posterior.view)),
        warnings=codes,
        ms=dict(ms or {}),
    )
    return replace(reading, message=describe(reading))


def at_most(posterior: Posterior) -> float:
    """The highest confidence a reading may have; below the bar for some."""
    guarded = posterior.strain > STRAINED or posterior.tilt_deg > STEEPEST
    return GUARDED if guarded else 1.0


def _count_warnings(posterior: Posterior, cropped: bool) -> tuple[str, ...]:
    if posterior.impossible > _SUSPECT:
        return ("color_count_impossible",)
    if posterior.incomplete > _LIKELY and not cropped:
        return ("spheres_off_tray",)
    return ()


def _ordered(codes: Collection[str]) -> tuple[str, ...]:
    return tuple(code for code in WARNINGS if code in codes)


def _seat(posterior: Posterior, where: SeatsInPhoto, seat: int) -> SeatReading:
    visible = float(posterior.visible[seat])
    u, v = where.uv[seat].tolist()
    return SeatReading(
        color=posterior.color(seat),
        p=posterior.p(seat),
        how="inferred" if visible < HIDDEN else "seen",
        visible=visible,
        uv=(u, v),
        radius=float(where.radius[seat]),
    )


def _alternatives(posterior: Posterior, sure: float, view: float) -> tuple[Alternative, ...]:
    """The next layouts, their probabilities scaled to what calibration leaves to them.

    The probability that the view is wrong belongs to no layout and stays open.
    """
    rest = list(posterior.layouts.items())[1:]
    left = 1.0 - posterior.probability
    scale = max(view - sure, 0.0) / left if left > 0.0 else 0.0
    chosen: list[Alternative] = []
    covered = sure
    for layout, p in rest:
        if covered >= COVERED or len(chosen) == MOST_ALTERNATIVES:
            break
        chosen.append(Alternative(layout, min(sure, p * scale)))
        covered += p * scale
    return tuple(chosen)
