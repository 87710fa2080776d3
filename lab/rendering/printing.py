"""What a printer puts on paper: a PDF of this project as a picture."""

import re
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Drawing = NDArray[np.uint8]

PAPER, INK = 235, 25
"""Grey levels of paper and ink in a drawing."""
PX_PER_MM = 8


@cache
def rasterise(pdf: bytes, lines: bool = False) -> tuple[Drawing, float, float]:
    """The filled boxes of a one-page PDF as a grey picture, with its width and height in mm.

    Stroked ``lines`` are drawn if they are wanted; words never are.
    """
    [(width, height)] = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    width_mm, height_mm = float(width) / 72 * 25.4, float(height) / 72 * 25.4
    size = (round(height_mm * PX_PER_MM), round(width_mm * PX_PER_MM))
    sheet = np.full(size, PAPER, dtype=np.uint8)
    for numbers in re.findall(rb"^([-\d. ]+) re$", pdf, re.MULTILINE):
        x, y, w, h = map(float, numbers.split())
        rows = slice(round((height_mm - y - h) * PX_PER_MM), round((height_mm - y) * PX_PER_MM))
        sheet[rows, round(x * PX_PER_MM) : round((x + w) * PX_PER_MM)] = INK
    if lines:
        _draw_lines(sheet, pdf, height_mm)
    sheet.flags.writeable = False
    return sheet, width_mm, height_mm


def _draw_lines(sheet: Drawing, pdf: bytes, height_mm: float) -> None:
    """Draw the stroked lines; ``s`` closes one, ``S`` leaves it open."""
    strokes = rb"^([\d.]+) G ([\d.]+) w .*\n((?:[-\d. ]+ [ml]\n)+)([sS])$"
    for gray, line_mm, moves, close in re.findall(strokes, pdf, re.MULTILINE):
        points = np.array([move.split()[:2] for move in moves.splitlines()], dtype=np.float64)
        pixels = np.rint(np.column_stack([points[:, 0], height_mm - points[:, 1]]) * PX_PER_MM)
        level = INK + float(gray) * (PAPER - INK)
        thick = max(1, round(float(line_mm) * PX_PER_MM))
        cv2.polylines(sheet, [pixels.astype(np.int32)], close == b"s", level, thick)
