"""The pattern in the picture itself: whether there are edges where a view puts holes and spheres.

The five ways to turn a tray agree in the slots and differ by 12° in the middle, where peaks alone
may not tell them apart. But at each of the seven holes there is either a rim or a sphere.
"""

from dataclasses import replace

import numpy as np

from calibration.camera import View
from calibration.edges import Floats
from calibration.profile import TrayProfile, seat_array
from calibration.refine import EdgeSearch, outline_support
from calibration.rounds import Rounds
from vision.matching import HOLES, hole_places

SEARCH = EdgeSearch(per_round=20, support_spread=0.1)


def middle_support(smoothed: Floats, view: View, profile: TrayProfile) -> float:
    """Mean over the seven holes of how well a rim, or a sphere in it, is borne out by edges."""
    ones = np.ones(HOLES)
    spheres = Rounds(seat_array(profile)[:HOLES], profile.sphere_radius_mm * ones, 0 * ones)
    rims = replace(
        spheres, centres=hole_places(profile), radii=profile.hole_mm / 2 * ones, flat=ones
    )
    found = np.stack([outline_support(smoothed, view, kind, SEARCH) for kind in (spheres, rims)])
    return float(np.nan_to_num(found).max(axis=0).mean())
