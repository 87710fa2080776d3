"""All places of a tray where a sphere can lie: the seats, then the places in storage.

Storage is five slots around the seats, with room for three spheres in each: ``S42`` is the last
place of the last slot. Players usually keep one colour to a slot, but no rule says so.
"""

from rules.dimension.board import LEVEL_ONE, SEATS
from rules.dimension.layout import COLORS, PER_COLOR

SPHERES = PER_COLOR * len(COLORS)
"""Spheres of a player: fifteen."""

HOLES = LEVEL_ONE.bit_count()
"""Seats of level one: the first seven of all places."""

RING = HOLES - 1
"""Holes around the one in the centre."""

PLAY = len(SEATS)
"""Seats to play: the first fourteen of all places; the rest is storage."""

SLOTS = len(COLORS)
SLOT_PLACES = PER_COLOR

STORAGE: tuple[str, ...] = tuple(
    f"S{slot}{place}" for slot in range(SLOTS) for place in range(SLOT_PLACES)
)

ALL_SEATS: tuple[str, ...] = (*SEATS, *STORAGE)
"""Seats to play and places in storage: the order of all arrays by place."""
