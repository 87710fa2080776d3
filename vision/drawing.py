"""Drawing with OpenCV: rings, chips with letters and patterns, bars and titles, all smooth."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.photo import Picture

Color = tuple[int, int, int]
Point = tuple[float, float]

PAPER: Color = (255, 255, 255)
INK: Color = (25, 25, 25)

_SHIFT = 4  # OpenCV draws to sixteenths of a pixel
_DASHES = 12
_FONT = cv2.FONT_HERSHEY_DUPLEX


@dataclass(frozen=True)
class ChipStyle:
    """How a chip looks: its colours, and the pattern on its rim that tells it without colours."""

    fill: Color
    ink: Color
    spokes: int = 0
    dots: int = 0
    circle: bool = False


@dataclass(frozen=True, eq=False)
class Canvas:
    """A picture to draw on, in pixels with (0, 0) at the centre of the top-left one."""

    picture: Picture

    @property
    def line(self) -> int:
        """Width of a line that is seen on a picture of this size."""
        return max(1, round(float(max(self.picture.shape)) / 640))

    def show(self, photo: Picture, at: Point, radius: float) -> None:
        """Restore the photo within a circle, over whatever was drawn there."""
        (x, y), (height, width) = at, self.picture.shape[:2]
        left, right = max(0, int(x - radius)), min(width, int(x + radius) + 2)
        top, bottom = max(0, int(y - radius)), min(height, int(y + radius) + 2)
        if left >= right or top >= bottom:
            return
        rows, columns = np.ogrid[top:bottom, left:right]
        inside = (columns - x) ** 2 + (rows - y) ** 2 <= radius**2
        part = self.picture[top:bottom, left:right]
        part[inside] = photo[top:bottom, left:right][inside]

    def ring(
        self, at: Point, radius: float, color: Color, dashed: bool = False, thick: bool = False
    ) -> None:
        """A circle with a dark edge, so that it shows on any ground."""
        width = self.line * (2 if thick else 1)
        for ink, line in ((INK, width + 2), (color, width)):
            if dashed:
                for dash in range(_DASHES):
                    self._arc(at, radius, dash * 360 / _DASHES, 200 / _DASHES, ink, line)
            else:
                self._arc(at, radius, 0.0, 360.0, ink, line)

    def chip(self, at: Point, radius: float, style: ChipStyle, mark: str) -> None:
        """A disc with a pattern on its rim and a mark in it: a letter, perhaps with a ?."""
        self._disc(at, radius, style.fill)
        self._pattern(at, radius, style)
        self._disc(at, radius * 0.68, style.fill)
        self._arc(at, radius, 0.0, 360.0, style.ink, 1)
        if mark:
            self._text(at, radius * (1.15 if len(mark) == 1 else 0.9), mark, style.ink)

    def bar(self, start: Point, end: Point, color: Color) -> None:
        """A thick line between two places."""
        for ink, width in ((INK, 2 * self.line + 2), (color, 2 * self.line)):
            cv2.line(self.picture, _fixed(start), _fixed(end), ink, width, cv2.LINE_AA, _SHIFT)

    def panel(self, start: Point, end: Point) -> None:
        """A darkened rectangle to write on."""
        (left, top), (right, bottom) = start, end
        part = self.picture[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)]
        part[:] = (part * 0.35).astype(np.uint8)

    def title(self, text: str) -> None:
        """A line of text along the upper edge, as large as fits."""
        height, width = self.picture.shape[:2]
        plain = text.encode("ascii", "replace").decode()
        size = max(0.3, height / 900)
        (wide, high), _ = cv2.getTextSize(plain, _FONT, size, 1)
        if wide > 0.96 * width:
            size, high = size * 0.96 * width / wide, round(high * 0.96 * width / wide)
        self.panel((0.0, 0.0), (float(width), 2.2 * high))
        spot = (round(0.02 * width), round(1.6 * high))
        cv2.putText(self.picture, plain, spot, _FONT, size, PAPER, 1, cv2.LINE_AA)

    def _pattern(self, at: Point, radius: float, style: ChipStyle) -> None:
        """The pattern on the rim of a chip: spokes, dots, a circle, or nothing."""
        for spoke in range(style.spokes):
            turn = 2 * np.pi * spoke / style.spokes
            ray = np.array([np.cos(turn), np.sin(turn)])
            inner, outer = np.array(at) + 0.7 * radius * ray, np.array(at) + radius * ray
            ends = _fixed((inner[0], inner[1])), _fixed((outer[0], outer[1]))
            cv2.line(self.picture, *ends, style.ink, self.line, cv2.LINE_AA, _SHIFT)
        for dot in range(style.dots):
            turn = 2 * np.pi * (dot + 0.5) / style.dots
            spot = at[0] + 0.84 * radius * np.cos(turn), at[1] + 0.84 * radius * np.sin(turn)
            self._disc(spot, max(0.6, 0.1 * radius), style.ink)
        if style.circle:
            self._arc(at, 0.84 * radius, 0.0, 360.0, style.ink, self.line)

    def _disc(self, at: Point, radius: float, color: Color) -> None:
        cv2.circle(self.picture, _fixed(at), _fixed((radius, 0))[0], color, -1, cv2.LINE_AA, _SHIFT)

    def _arc(
        self, at: Point, radius: float, start: float, length: float, color: Color, width: int
    ) -> None:
        axes = _fixed((radius, radius))
        cv2.ellipse(
            self.picture, _fixed(at), axes, 0.0, start, start + length, color, width,
            cv2.LINE_AA, _SHIFT,
        )  # fmt: skip

    def _text(self, at: Point, height: float, text: str, color: Color) -> None:
        """Text centred on a place."""
        size = height / 30
        width = max(1, round(height / 10))
        (wide, high), _ = cv2.getTextSize(text, _FONT, size, width)
        spot = (round(at[0] - wide / 2), round(at[1] + high / 2))
        cv2.putText(self.picture, text, spot, _FONT, size, color, width, cv2.LINE_AA)


def _fixed(point: Point) -> tuple[int, int]:
    """A point in the fixed-point numbers that OpenCV takes."""
    limit = 2.0e4  # what lies far outside need not be drawn, and may not overflow
    x, y = (min(max(value, -limit), limit) for value in point)
    return round(x * 2**_SHIFT), round(y * 2**_SHIFT)


def encode(picture: Picture, kind: Literal["png", "webp"] = "png") -> bytes:
    """The picture as the content of a file."""
    quality = [cv2.IMWRITE_WEBP_QUALITY, 85] if kind == "webp" else []
    return bytes(cv2.imencode(f".{kind}", picture, quality)[1])
