"""The printed place mat under a tray: what the printer puts on paper, and where it lies."""

import re
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.dimension.place_mat_pdf import SheetRefusedError, sheet_pdf
from calibration.dimension.profile import TrayProfile
from calibration.pdf import PAPERS
from lab.rendering.scene import Sheet

Rng = np.random.Generator
Drawing = NDArray[np.uint8]

PAPER, INK = 235, 25
"""Grey levels of paper and ink in a drawing."""
PX_PER_MM = 8
_PAPER_ALBEDO, _INK_ALBEDO = 0.82, 0.04
_ASIDE_MM = 4.0
"""How exactly people lay a tray on its printed outline (standard deviation)…"""
_TURNED_DEG = 8.0
"""… and how well they turn it to the ticks, those who do."""


def lay_mat(rng: Rng, profile: TrayProfile) -> Sheet | None:
    """The smallest mat that this tray fits on, lying under it; None if the tray is too large.

    Two in three turn the tray as it is drawn, the others anyhow.
    """
    pages = [pdf for paper in PAPERS if (pdf := _pdf(profile, paper)) is not None]
    if not pages:
        return None
    x, y = rng.normal(0.0, _ASIDE_MM, 2).tolist()
    as_drawn = rng.random() < 2 / 3
    turn = rng.normal(0.0, np.radians(_TURNED_DEG)) if as_drawn else rng.uniform(0, 2 * np.pi)
    drawing, width, height = rasterise(pages[0], lines=True)
    ink = (PAPER - drawing.astype(np.float32)) / (PAPER - INK)
    albedo = _PAPER_ALBEDO + (_INK_ALBEDO - _PAPER_ALBEDO) * ink
    return Sheet((x, y), float(turn), (width, height), np.repeat(albedo[..., None], 3, axis=2))


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


def _pdf(profile: TrayProfile, paper: str) -> bytes | None:
    try:
        return sheet_pdf(profile, paper)
    except SheetRefusedError:
        return None
