"""Draws a measured tray over its photo, so that a person can check it."""

from collections.abc import Iterator

import cv2
import numpy as np

from calibration.camera import View
from calibration.dimension.geometry import seat_positions
from calibration.dimension.outline import outline_points
from calibration.dimension.profile import TrayProfile
from calibration.edges import Picture
from calibration.ellipses import Array
from rules.dimension.board import SEATS
from rules.dimension.places import HOLES, STORAGE

RIM, SPHERE, EDGE, INK = (0, 220, 255), (255, 120, 0), (200, 0, 200), (255, 255, 255)
TURN = np.linspace(0, 2 * np.pi, 72)


def draw(picture: Picture, view: View, profile: TrayProfile) -> Picture:
    """A copy of the photo with rims, storage spheres, outline and labels drawn where they are."""
    drawn = picture.copy()
    thick = max(1, round(max(picture.shape[:2]) / 800))
    for curve, color in _curves(view, profile):
        if np.isfinite(curve).all():
            line = np.round(curve * 16).astype(np.int32).reshape(-1, 1, 2)
            cv2.polylines(drawn, [line], True, color, thick, cv2.LINE_AA, shift=4)
    for label, spot in _labels(view, profile):
        if np.isfinite(spot).all():
            _write(drawn, label, spot, 0.4 * thick)
    return drawn


def _curves(view: View, profile: TrayProfile) -> Iterator[tuple[Array, tuple[int, int, int]]]:
    seats = seat_positions(profile)
    for hole in SEATS[:HOLES]:
        middle = np.array([*seats[hole][:2], 0.0])
        yield view.project(middle + _circle(profile.hole_mm / 2)), RIM
    storage = np.array([seats[seat] for seat in STORAGE])
    for u, v, major, minor, angle in view.sphere_outlines(storage, profile.sphere_radius_mm):
        along = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-np.sin(angle), np.cos(angle)])
        turn = TURN[:, None]
        yield (u, v) + major * np.cos(turn) * along + minor * np.sin(turn) * across, SPHERE
    if profile.outline is not None:
        flat = outline_points(profile.outline, profile.slot0_deg)
        yield view.project(np.column_stack([flat, np.zeros(len(flat))])), EDGE


def _labels(view: View, profile: TrayProfile) -> Iterator[tuple[str, Array]]:
    seats = seat_positions(profile)
    for seat in (*SEATS[:HOLES], *STORAGE):
        height = 0.0 if seat in SEATS else seats[seat][2]
        yield seat, view.project([(*seats[seat][:2], height)])[0]


def _circle(radius: float) -> Array:
    flat = radius * np.stack([np.cos(TURN), np.sin(TURN)], axis=1)
    return np.column_stack([flat, np.zeros(len(flat))])


def _write(drawn: Picture, text: str, spot: Array, scale: float) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    corner = (round(float(spot[0]) - width / 2), round(float(spot[1]) + height / 2))
    for color, thick in (((0, 0, 0), 3), (INK, 1)):
        cv2.putText(drawn, text, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, color, thick, cv2.LINE_AA)
