"""Refine a view once more, on the edges of everything that seems to lie on the tray.

Locating fits a view to the spheres and holes that the network saw, and it misses some: mostly those
that others hide in part, or all on one side of the tray. Once the view is roughly right, a look at
each seat tells of more, and their edges hold the view where it was loose.
"""

from dataclasses import replace
from functools import cache, partial

import numpy as np

from calibration.camera import FloatArray, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import TrayProfile
from calibration.edges import smooth
from calibration.ellipses import Rounds
from calibration.refine import draw_view
from rules.dimension.places import ALL_SEATS, HOLES, PLAY
from vision.dimension.locating.locate import EDGES, Located
from vision.dimension.observing.observe import RoughLook, find
from vision.photo import Photo

ROUGH, FINE = (replace(EDGES, spreads=(spread,)) for spread in EDGES.spreads)

FAR = 0.02
"""Diameters by which a seat must have moved for a view to be given up for the one drawn anew."""

_ON_FACE = [*range(HOLES), *range(PLAY, len(ALL_SEATS))]


def redrawn(photo: Photo, located: Located) -> tuple[Located, RoughLook]:
    """The tray in the refined view, if that differs, and what seems to lie where in it.

    A second time would mend one lab picture in 200 more; it takes the slowest readings too long.
    """
    profile, smoothed = located.profile, smooth(photo.picture)
    found = find(photo.picture, located.view, profile)
    draw = partial(draw_view, smoothed, rounds=_rounds(found, profile), focal_px=photo.focal_px)
    rough = draw(view=located.view, search=ROUGH).view
    if _moved(located.view, rough, profile) < FAR:
        return located, found
    view = draw(view=rough, search=FINE).view
    if _moved(located.view, view, profile) < FAR:
        return located, found
    return replace(located, view=view), find(photo.picture, view, profile)


def _rounds(found: RoughLook, profile: TrayProfile) -> Rounds:
    """Spheres where they seem to be, and the rims of holes and slots that seem empty."""
    spheres, rims = found.centres[found.filled], _rims(profile)[~found.filled[_ON_FACE]]
    count = (len(spheres), len(rims))
    return Rounds(
        centres=np.concatenate([spheres, rims]),
        radii=np.repeat([profile.sphere_radius_mm, profile.hole_mm / 2], count),
        flat=np.repeat([0.0, 1.0], count),
    )


@cache
def _rims(profile: TrayProfile) -> FloatArray:
    """Middles (22, 3) of the holes, and of circles that fill the slots, on the tray's face.

    A slot has edges where such a circle touches its sides or is its end. Where it has none there is
    little to be found inside a slot, and a fit that bears with stray edges is not misled by it.
    """
    return np.asarray(seat_array(profile)[_ON_FACE] * np.array([1.0, 1.0, 0.0]))


def _moved(before: View, after: View, profile: TrayProfile) -> float:
    """How far a seat has moved, in diameters of a sphere there: that which has moved farthest.

    0 if the other view does not show the seats.
    """
    seats = seat_array(profile)
    pixels = np.linalg.norm(after.project(seats) - before.project(seats), axis=1)
    farthest = float((pixels / (before.pixels_per_mm(seats) * profile.sphere_mm)).max())
    return farthest if np.isfinite(farthest) else 0.0
