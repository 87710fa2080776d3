"""One printed page in millimetres: filled shapes, lines and words, written as a PDF.

What calibration prints is black squares and a few labels, so the page is drawn here rather than
by a library. Lengths are millimetres from the bottom-left corner of the paper, y upwards. The
file asks viewers not to "fit to page", since a sheet at the wrong size is worse than none.
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin

PAPERS: dict[str, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "letter": (215.9, 279.4),
}
"""Width and height of each known paper, upright, in millimetres."""

MARGIN_MM = 8.0
"""A border that home printers leave white; nothing of importance is printed there."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, width, height."""

_POINTS_PER_MM = 72.0 / 25.4


class Page:
    """A page to draw on; ``to_bytes`` gives the PDF file. The same drawing gives the same bytes."""

    def __init__(self, size: tuple[float, float], title: str) -> None:
        self.width, self.height = size
        self._title = title
        self._marks = [f"{_POINTS_PER_MM:.9f} 0 0 {_POINTS_PER_MM:.9f} 0 0 cm"]

    def boxes(self, boxes: Iterable[Box], gray: float = 0.0) -> None:
        """Fill rectangles as one shape, so that touching ones show no seam."""
        self._marks += [f"{gray:.3f} g", *(f"{_numbers(*box)} re" for box in boxes), "f"]

    def polygon(self, corners: Sequence[Point], line_mm: float = 0.3, gray: float = 0.0) -> None:
        """Draw the closed line through these corners."""
        self._stroke(corners, "s", line_mm, gray)

    def line(self, start: Point, end: Point, line_mm: float = 0.3, gray: float = 0.0) -> None:
        """Draw a straight line."""
        self._stroke((start, end), "S", line_mm, gray)

    def text(self, at: Point, words: str, size_mm: float = 3.5, gray: float = 0.0) -> None:
        """Write words in Helvetica, their baseline beginning at this point."""
        glyphs = words.encode("cp1252").hex()
        self._marks += [f"BT {gray:.3f} g /F1 {size_mm:.3f} Tf {_numbers(*at)} Td <{glyphs}> Tj ET"]

    def ruler(self, at: Point, length_mm: int = 100) -> None:
        """Draw a horizontal line of this length with a tick every 10 mm, to check a print with."""
        x, y = at
        self.line(at, (x + length_mm, y))
        for mm in range(0, length_mm + 1, 10):
            self.line((x + mm, y), (x + mm, y + (3.5 if mm in (0, length_mm) else 2.0)))
        self.text(
            (x + length_mm + 3, y),
            f"Check the print: this line is {length_mm} mm long.",
            size_mm=3,
        )

    def to_bytes(self) -> bytes:
        """The PDF file."""
        width, height = self.width * _POINTS_PER_MM, self.height * _POINTS_PER_MM
        marks = "\n".join(self._marks).encode("ascii")
        title = self._title.encode("utf-16").hex()
        return _file(
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_numbers(width, height)}] "
            "/Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>".encode("ascii"),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(marks), marks),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            f"<< /Title <{title}> /Producer (Trayscore) >>".encode("ascii"),
        )

    def _stroke(self, points: Sequence[Point], close: str, line_mm: float, gray: float) -> None:
        moves = [f"{_numbers(*point)} l" for point in points[1:]]
        self._marks += [f"{gray:.3f} G {line_mm:.3f} w 1 J 1 j"]
        self._marks += [f"{_numbers(*points[0])} m", *moves, close]


def circle(centre: Point, radius: float, corners: int = 180) -> list[Point]:
    """The corners of a polygon too fine to tell from this circle in print."""
    angles = (2 * pi * i / corners for i in range(corners))
    return [(centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles]


def _numbers(*values: float) -> str:
    return " ".join(f"{value:.4f}" for value in values)


def _file(*objects: bytes) -> bytes:
    """A PDF of these objects, numbered from 1: the first is the catalogue, the last the info."""
    body = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    table = b"0000000000 65535 f \n"
    for number, content in enumerate(objects, start=1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    count = len(objects) + 1
    trailer = b"<< /Size %d /Root 1 0 R /Info %d 0 R >>" % (count, len(objects))
    end = b"startxref\n%d\n%%%%EOF\n" % len(body)
    return body + b"xref\n0 %d\n" % count + table + b"trailer\n" + trailer + b"\n" + end
