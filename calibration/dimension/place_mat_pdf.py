"""The place mat drawn for a tray, as a PDF at true size."""

from math import cos, radians, sin

import cv2
import numpy as np

from calibration.dimension.geometry import seat_positions
from calibration.dimension.outline import Disc, Outline, inside_by, outline_points
from calibration.dimension.place_mat import marker_corners, mat_markers
from calibration.dimension.profile import Markers, TrayProfile
from calibration.fiducials import Floats, marker_boxes, marker_family
from calibration.pdf import MARGIN_MM, PAPERS, Page, Point, circle
from rules.dimension.board import SEATS
from rules.dimension.places import HOLES, SLOT_PLACES, SLOTS, STORAGE

FEWEST_PRINTED = 8
"""Markers that must be left beside the tray for the mat to be of use when some are hidden."""

_CLEAR_MM = 3.0
"""White that a marker needs around itself, at least one of its cells."""

_FAINT = 0.7


class SheetRefusedError(ValueError):
    """The mat cannot be printed; the text says why."""


def sheet_pdf(profile: TrayProfile, paper: str) -> bytes:
    """The mat for this tray; raises ``SheetRefusedError`` if the paper is too small for it."""
    outline = tray_outline(profile)
    edge = outline_points(outline, profile.slot0_deg)
    page = Page(PAPERS[paper], f"Trayscore place mat for {profile.name} ({paper.upper()})")
    mat = mat_markers(paper)
    numbers = _uncovered(mat, outline, profile.slot0_deg)
    _refuse_too_large(page, profile, edge, len(numbers))
    for number in numbers:
        _draw_marker(page, mat, number)
    page.polygon([_on_page(page, x, y) for x, y in edge.tolist()], line_mm=0.4)
    _draw_cutouts(page, profile)
    _draw_ticks(page, profile, edge)
    _draw_words(page, profile, mat)
    return page.to_bytes()


def tray_outline(profile: TrayProfile) -> Outline:
    """The tray's outline, or, where it is not known, a circle around the spheres in storage."""
    if profile.outline is not None:
        return profile.outline
    places = seat_positions(profile)
    farthest = max(np.hypot(*places[seat][:2]) for seat in STORAGE)
    return Disc(float(farthest) + profile.sphere_mm / 2)


def _refuse_too_large(page: Page, profile: TrayProfile, edge: Floats, markers: int) -> None:
    room = np.array([page.width, page.height]) / 2 - MARGIN_MM
    if (np.abs(edge) > room).any() or markers < FEWEST_PRINTED:
        width, height = np.ptp(edge, axis=0)
        raise SheetRefusedError(
            f"The tray {profile.name} ({width:.0f} × {height:.0f} mm) leaves no room for markers "
            f"on paper of {page.width:.0f} × {page.height:.0f} mm: use a larger one (--paper a3)."
        )


def _uncovered(mat: Markers, outline: Outline, slot0_deg: float) -> list[int]:
    """Numbers of the markers that the tray leaves free."""
    return [
        number
        for number in mat.centers_mm
        if (inside_by(outline, slot0_deg, _border(mat, number)) <= -_CLEAR_MM).all()
    ]


def _border(mat: Markers, number: int) -> Floats:
    """Points (N, 2) along a marker's edge, its corners among them."""
    corners = marker_corners(mat, number)[:, :2]
    steps = np.linspace(0.0, 1.0, 9)[:, None, None]
    return (corners + steps * (np.roll(corners, -1, axis=0) - corners)).reshape(-1, 2)


def _draw_marker(page: Page, mat: Markers, number: int) -> None:
    x, y = mat.centers_mm[number]
    left, bottom = _on_page(page, x - mat.size_mm / 2, y - mat.size_mm / 2)
    family = marker_family(mat.dictionary)
    page.boxes(marker_boxes(family, number, (left, bottom, mat.size_mm, mat.size_mm)))


def _draw_cutouts(page: Page, profile: TrayProfile) -> None:
    """Draw holes and slots faintly: they show which way round the tray lies, and hide under it."""
    places, radius = seat_positions(profile), profile.hole_mm / 2
    for hole in SEATS[:HOLES]:
        page.polygon(circle(_on_page(page, *places[hole][:2]), radius), gray=_FAINT)
    for slot in range(SLOTS):
        ends = (_on_page(page, *places[f"S{slot}{place}"][:2]) for place in (0, SLOT_PLACES - 1))
        rounds = np.array([circle(end, radius) for end in ends], dtype=np.float32)
        rim = cv2.convexHull(rounds.reshape(-1, 2)).reshape(-1, 2)
        page.polygon([(float(x), float(y)) for x, y in rim], gray=_FAINT)


def _draw_ticks(page: Page, profile: TrayProfile, edge: Floats) -> None:
    """Draw a short line beside the outline where the middle of each slot belongs."""
    for slot in range(SLOTS):
        angle = radians(profile.slot0_deg - 72 * slot)
        outward, sideways = (cos(angle), sin(angle)), (-sin(angle), cos(angle))
        off_ray = np.where(edge @ outward > 0.0, np.abs(edge @ sideways), np.inf)
        reach = float(np.linalg.norm(edge[off_ray.argmin()]))
        start, end = ((reach + mm) * np.array(outward) for mm in (1.0, 5.0))
        page.line(_on_page(page, *start), _on_page(page, *end), line_mm=0.6)


def _draw_words(page: Page, profile: TrayProfile, mat: Markers) -> None:
    """Write what to do in the free strips inside the top and bottom rows of markers."""
    left = MARGIN_MM + 2.0
    inner = max(y for _, y in mat.centers_mm.values()) - mat.size_mm / 2
    _, top = _on_page(page, 0.0, inner - 6.0)
    _, bottom = _on_page(page, 0.0, 4.0 - inner)
    page.text((left, top), f"Trayscore place mat for the tray “{profile.name}”", size_mm=4.0)
    page.text((left, top - 5.0), "Print at 100 % (actual size).", size_mm=3.0)
    page.text(
        (left, top - 9.0),
        "Lay the tray on its outline as drawn, a slot at each tick. Photograph all the markers.",
        size_mm=3.0,
    )
    page.ruler((left, bottom))


def _on_page(page: Page, x: float, y: float) -> Point:
    """A point given in tray mm on the page, whose centre is the tray's."""
    return float(x) + page.width / 2, float(y) + page.height / 2
