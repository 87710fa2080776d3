"""From measures in sphere diameters to a profile in millimetres."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from calibration.color import Lab
from calibration.dimension.outline import Outline
from calibration.dimension.profile import TrayProfile, format_problems
from calibration.dimension.start.face_outline import scaled
from calibration.dimension.start.model import Geometry
from calibration.ellipses import Array


@dataclass(frozen=True)
class Naming:
    """What a photo cannot tell about a tray: its name and its scale."""

    name: str
    sphere_mm: float
    scale: Literal["given", "assumed"]


def make_profile(
    measured: tuple[Geometry, Array],
    outline: Outline | None,
    colors: Mapping[str, Lab],
    naming: Naming,
) -> TrayProfile:
    """The profile with these measures (and their covariance), outline and colours."""
    geometry, covariance = measured
    sphere = naming.sphere_mm
    lengths = {
        "pitch_mm": geometry.pitch * sphere,
        "hole_mm": geometry.hole * sphere,
        "slot_radius_mm": geometry.slot_radius * sphere,
        "slot_step_mm": geometry.slot_step * sphere,
    }
    *shares, ring = np.sqrt(np.diag(covariance)).tolist()
    spreads = {
        key: round(length * share, 3)
        for (key, length), share in zip(lengths.items(), shares, strict=True)
    }
    profile = TrayProfile(
        name=naming.name,
        sphere_mm=sphere,
        pitch_mm=round(lengths["pitch_mm"], 3),
        hole_mm=round(lengths["hole_mm"], 3),
        ring0_deg=round(90 + float(np.degrees(geometry.ring)), 2),
        slot_radius_mm=round(lengths["slot_radius_mm"], 3),
        slot0_deg=90.0,
        slot_step_mm=round(lengths["slot_step_mm"], 3),
        outline=None if outline is None else scaled(outline, sphere),
        scale=naming.scale,
        colors=colors,
        measured={**spreads, "ring0_deg": round(float(np.degrees(ring)), 3)},
    )
    # An outline that cuts a slot is a mistake; the tray is as good without it.
    return replace(profile, outline=None) if format_problems(profile.to_json()) else profile
