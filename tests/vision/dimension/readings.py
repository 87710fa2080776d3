"""Readings made up from a layout and a camera, for all that consumes readings."""

from collections.abc import Mapping

import numpy as np

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import load_profile
from calibration.occlusion import visible_shares
from rules.dimension.layout import Layout
from rules.dimension.places import ALL_SEATS, PLAY
from vision.dimension.reading import Alternative, Reading, SeatReading, Status

SIZE = (1024, 768)


def view_from(tilt_deg: float, azimuth_deg: float = -90.0, distance: float = 250.0) -> View:
    """A view of the tray from a direction given as on the tray."""
    tilt, turn = np.radians(tilt_deg), np.radians(azimuth_deg)
    flat = distance * np.sin(tilt)
    eye = (flat * np.cos(turn), flat * np.sin(turn), distance * np.cos(tilt))
    return View(Camera.of_fov(SIZE, 62.0), Pose.looking_at(eye))


def make_reading(
    layout: str,
    stored: Mapping[str, str] | None = None,
    view: View | None = None,
    doubts: Mapping[str, float] | None = None,
    alternatives: Mapping[str, float] | None = None,
    status: Status = "uncertain",
    warnings: tuple[str, ...] = (),
) -> Reading:
    """The reading of a tray with this layout, seen in a view; ``doubts`` are seats with their p."""
    profile, view = load_profile("disc"), view or view_from(20.0)
    cells = dict(zip(ALL_SEATS, Layout.parse(layout).cells, strict=False)) | dict(stored or {})
    colors = {seat: cells.get(seat, ".") for seat in ALL_SEATS}
    places = seat_array(profile)
    present = np.array([colors[seat] != "." for seat in ALL_SEATS])
    visible = np.ones(len(ALL_SEATS))
    if present.any():
        visible[present] = visible_shares(view, places[present], profile.sphere_radius_mm)
    uv = view.project(places)
    radius = view.pixels_per_mm(places) * profile.sphere_radius_mm
    entries = {
        seat: SeatReading(
            color=None if colors[seat] == "." else colors[seat],
            p=(doubts or {}).get(seat, 0.999),
            how="inferred" if visible[i] < 0.03 else "seen",
            visible=float(visible[i]),
            uv=(float(uv[i, 0]), float(uv[i, 1])),
            radius=float(radius[i]),
        )
        for i, seat in enumerate(ALL_SEATS)
    }
    others = tuple(Alternative(Layout.parse(o), p) for o, p in (alternatives or {}).items())
    return Reading(
        photo="tray.jpg",
        status=status,
        layout=Layout.parse(layout),
        confidence=1.0 - sum(other.p for other in others),
        seats=dict(list(entries.items())[:PLAY]),
        storage=dict(list(entries.items())[PLAY:]),
        alternatives=others,
        warnings=warnings,
        ms={"decode": 2.0, "locate": 20.0, "observe": 9.0, "infer": 3.0, "total": 34.0},
        message="All clear.",
    )
