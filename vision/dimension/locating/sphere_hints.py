"""Where spheres seem to be in a picture, whatever tray they lie on: a help for calibration."""

import numpy as np

from vision.dimension.locating.detector import CLOSE, ENLARGED, Array, Picture, Window, look
from vision.dimension.locating.hypotheses import candidates

FAINT = 0.2
"""Fainter peaks are not worth a look."""


def likely_spheres(picture: Picture) -> Array:
    """Pixels (n, 2) at which the network sees spheres, looking closely at the clearest tray."""
    seen = look(picture)
    trays = candidates(seen)
    if trays:
        clearest = max(trays, key=lambda tray: tray.strength)
        u, v = clearest.centre.tolist()
        seen = look(picture, Window((u, v), ENLARGED / clearest.reach, CLOSE))
    return np.asarray(seen.spheres.uv[seen.spheres.strength > FAINT])
