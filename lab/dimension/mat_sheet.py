"""The printed place mat under a tray: what the printer puts on paper, and where it lies."""

import numpy as np

from calibration.dimension.place_mat_pdf import SheetRefusedError, sheet_pdf
from calibration.dimension.profile import TrayProfile
from calibration.pdf import PAPERS
from lab.rendering.printing import INK, PAPER, rasterise
from lab.rendering.scene import Sheet

Rng = np.random.Generator

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


def _pdf(profile: TrayProfile, paper: str) -> bytes | None:
    try:
        return sheet_pdf(profile, paper)
    except SheetRefusedError:
        return None
