"""Where the disputed spheres are in a photo."""

from collections.abc import Sequence

from api.workers.crop import Box
from vision.dimension.reading import Reading

_AROUND = 2.2
"""What is shown around a sphere, in its radii: its neighbours too, for they tell colours apart."""


def box_around(reading: Reading, seats: Sequence[str]) -> Box | None:
    """Left, top, right, bottom of these seats in pixels of the photo; None without any."""
    shown = [reading.seats[seat] for seat in seats if seat in reading.seats]
    if not shown:
        return None
    return (
        min(one.uv[0] - _AROUND * one.radius for one in shown),
        min(one.uv[1] - _AROUND * one.radius for one in shown),
        max(one.uv[0] + _AROUND * one.radius for one in shown),
        max(one.uv[1] + _AROUND * one.radius for one in shown),
    )
