"""A reading drawn on its photo: what was read where, what is in doubt, what a verdict points at.

Nothing is told by colour alone: each sphere carries its letter on a chip with a pattern of its
own, levels differ by the number of rings, doubts are dashed and carry a question mark, and a map
of the three levels in the corner shows what lies hidden beneath.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.dimension.board import SEATS, level
from rules.dimension.judge import Verdict
from rules.dimension.layout import EMPTY
from rules.dimension.places import RING
from vision.dimension.reading import Reading, SeatReading, letter
from vision.dimension.reporting.advice import doubtful_seats
from vision.drawing import INK, PAPER, Canvas, ChipStyle, Color, Point
from vision.photo import Photo, Picture

DRAWING_SIZE = 1280
"""Pixels on the long side of a drawing, unless the photo has fewer."""

_CHIPS = {
    "O": ChipStyle((30, 140, 250), INK, dots=8),
    "B": ChipStyle((200, 90, 30), PAPER, spokes=12),
    "G": ChipStyle((70, 150, 40), PAPER, spokes=6),
    "K": ChipStyle((30, 30, 30), PAPER, circle=True),
    "W": ChipStyle((245, 245, 245), INK),
    EMPTY: ChipStyle((120, 120, 120), PAPER),
}
"""By the letter of a colour, or of an empty seat."""

_CULPRIT: Color = (60, 50, 235)
_FULFILLED: Color = (90, 200, 90)
_DOUBT: Color = (40, 220, 255)
_SAMPLES = 96
_LEAST_SEEN = 0.12
"""Visible share from which a sphere gets its chip; the map shows the others."""

_MAP = {
    **{"C": (0.0, 0.0), "A": (0.0, 0.0)},
    **{f"R{i}": (np.sin(np.pi * i / 3), -np.cos(np.pi * i / 3)) for i in range(RING)},
    **{
        f"T{i}": (0.577 * np.sin(np.pi * (i + 0.5) / 3), -0.577 * np.cos(np.pi * (i + 0.5) / 3))
        for i in range(RING)
    },
}
"""Seats on the map, R0 at the top, in units of the distance of neighbouring holes."""


def draw(photo: Photo, reading: Reading, verdict: Verdict | None = None) -> Picture:
    """The photo with its reading drawn on it; ``verdict`` adds the spheres that it points at."""
    canvas = Canvas(photo.picture.copy())
    if reading.layout is not None:
        spheres = _spheres(reading, photo.scale)
        for sphere in spheres:
            canvas.show(photo.picture, sphere.at, sphere.radius)  # it covers what lies behind
            _draw_rings(canvas, sphere, verdict)
        _draw_contacts(canvas, spheres, verdict)
        for sphere in spheres:
            if sphere.chip_at is not None:
                size = 0.42 if sphere.seat[0] != "S" else 0.3
                _draw_chip(canvas, sphere.chip_at, sphere.radius * size, sphere.mark)
        _draw_map(canvas, reading, verdict)
    _draw_title(canvas, reading)
    return canvas.picture


@dataclass(frozen=True)
class _Sphere:
    """A sphere to draw, in pixels of the drawing."""

    seat: str
    at: Point
    radius: float
    mark: str
    inferred: bool
    chip_at: Point | None
    """The middle of what is seen of it; None if that is too little to write on."""

    @property
    def doubtful(self) -> bool:
        return self.mark.endswith("?")


def _spheres(reading: Reading, scale: float) -> list[_Sphere]:
    """What is drawn, farthest first: of equal spheres, the larger one is nearer the camera."""
    doubtful = set(doubtful_seats(reading))
    entries = {
        seat: entry
        for seat, entry in (*reading.seats.items(), *reading.storage.items())
        if entry.color is not None or seat in doubtful
    }
    order = sorted(entries, key=lambda seat: entries[seat].radius)
    return [
        _Sphere(
            seat,
            _place(entries[seat], scale),
            entries[seat].radius * scale,
            letter(entries[seat].color) + ("?" if seat in doubtful else ""),
            entries[seat].how == "inferred",
            _free_middle(entries[seat], [entries[other] for other in order[i + 1 :]], scale),
        )
        for i, seat in enumerate(order)
    ]


def _free_middle(entry: SeatReading, nearer: Sequence[SeatReading], scale: float) -> Point | None:
    """The middle of the part of a sphere that no nearer one covers."""
    index = np.arange(_SAMPLES) + 0.5
    turn = index * np.pi * (3.0 - np.sqrt(5.0))
    disc = np.sqrt(index / _SAMPLES)[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    points = np.array(entry.uv) + entry.radius * disc
    free = np.ones(_SAMPLES, dtype=bool)
    for other in nearer:
        free &= np.linalg.norm(points - np.array(other.uv), axis=1) > other.radius
    if free.mean() < _LEAST_SEEN:
        return None
    u, v = points[free].mean(axis=0).tolist()
    return _scaled(u, v, scale)


def _draw_rings(canvas: Canvas, sphere: _Sphere, verdict: Verdict | None) -> None:
    """As many rings as its level, a dashed one for a doubt, a thick one for a culprit."""
    if sphere.seat[0] != "S":
        for ring in range(level(sphere.seat)):
            radius = sphere.radius * (0.95 - 0.13 * ring)
            canvas.ring(sphere.at, radius, PAPER, dashed=sphere.inferred)
    if sphere.doubtful:
        canvas.ring(sphere.at, sphere.radius, _DOUBT, dashed=True, thick=True)
    if verdict is not None and sphere.seat in verdict.seats:
        canvas.ring(sphere.at, sphere.radius, _pointing(verdict), thick=True)


def _draw_contacts(canvas: Canvas, spheres: Sequence[_Sphere], verdict: Verdict | None) -> None:
    """A bar for each contact that a verdict names."""
    if verdict is None:
        return
    places = {sphere.seat: sphere.at for sphere in spheres}
    for first, second in verdict.contacts:
        if first in places and second in places:
            canvas.bar(places[first], places[second], _pointing(verdict))


def _pointing(verdict: Verdict) -> Color:
    return _FULFILLED if verdict.fulfilled else _CULPRIT


def _draw_map(canvas: Canvas, reading: Reading, verdict: Verdict | None) -> None:
    """The three levels side by side in the lower left corner."""
    height = canvas.picture.shape[0]
    step = max(12.0, height / 24)
    left, bottom = 0.9 * step, height - 1.7 * step
    canvas.panel((0.0, bottom - 1.8 * step), (8.0 * step, float(height)))
    middles = {1: left + step, 2: left + 3.9 * step, 3: left + 6.0 * step}
    doubtful = set(doubtful_seats(reading))
    for seat in SEATS:
        x, y = _MAP[seat]
        at = (middles[level(seat)] + x * step, bottom + y * step)
        if verdict is not None and seat in verdict.seats:
            canvas.ring(at, 0.5 * step, _pointing(verdict), thick=True)
        color = letter(reading.seats[seat].color)
        if seat in doubtful:
            canvas.ring(at, 0.5 * step, _DOUBT, dashed=True)
        if color == EMPTY and level(seat) > 1 and seat not in doubtful:
            continue  # of level two and three only what is there: most of it cannot be
        _draw_chip(canvas, at, 0.42 * step, color + ("?" if seat in doubtful else ""))


def _draw_chip(canvas: Canvas, at: Point, radius: float, mark: str) -> None:
    """A chip with a letter, perhaps with a question mark; without either for an empty seat."""
    canvas.chip(at, radius, _CHIPS[mark[0]], "" if mark == EMPTY else mark)


def _draw_title(canvas: Canvas, reading: Reading) -> None:
    words: Sequence[str] = [reading.status]
    if reading.confidence is not None:
        words = [*words, f"{reading.confidence:.1%}", str(reading.layout)]
    canvas.title("  ".join([*words, *reading.warnings]))


def _place(entry: SeatReading, scale: float) -> Point:
    return _scaled(*entry.uv, scale)


def _scaled(u: float, v: float, scale: float) -> Point:
    return (u + 0.5) * scale - 0.5, (v + 0.5) * scale - 0.5
