"""What is in a picture before it is taken: balls, blocks, a table, lights, a room, a view.

World coordinates are those of the main tray: mm, origin on its face at the centre hole, z up.
Colours are linear RGB; a white surface facing a light of ``color`` (1, 1, 1) has radiance 1.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View

Floats = NDArray[np.floating[Any]]
Where = NDArray[np.intp]
RGB = tuple[float, float, float]
XYZ = tuple[float, float, float]


@dataclass(frozen=True)
class Paint:
    """A surface: diffuse colour, strength of its clear coat, and how much that coat blurs."""

    albedo: RGB
    gloss: float = 0.0
    blur: float = 0.03
    """Radians by which reflections are smeared."""


@dataclass(frozen=True)
class Ball:
    """A sphere; ``seat`` names its place on the main tray, None for any other."""

    centre: XYZ
    radius: float
    paint: Paint
    seat: str | None = None


@dataclass(frozen=True)
class Recesses:
    """Holes and slots of a block: all within ``half_width`` of segments (holes are points)."""

    starts: Floats
    ends: Floats
    half_width: float
    floor_z: float
    floor: Paint | None
    """None: cut right through, the table shows."""


@dataclass(frozen=True)
class Block:
    """A flat-topped solid: everything within ``rounding`` of a convex polygon, extruded.

    Trays, tokens, boxes and mugs are all of this kind.
    """

    core: Floats
    """Corners (N, 2), counter-clockwise; one corner for a disc."""
    rounding: float
    top: float
    bottom: float
    face: Paint
    side: Paint
    grain: float = 0.0
    """Strength of the mottling of the face."""
    recesses: Recesses | None = None
    stroke: tuple[float, RGB] | None = None
    """Printed lines around recesses: width in mm and colour."""

    @cached_property
    def middle(self) -> Floats:
        """Mean of the corners (2,)."""
        return np.asarray(self.core.mean(axis=0), dtype=np.float32)

    @cached_property
    def reach(self) -> float:
        """Radius of a circle around ``middle`` that holds the block."""
        return float(np.linalg.norm(self.core - self.middle, axis=1).max()) + self.rounding


@dataclass(frozen=True)
class PrintedCard:
    """A printed card on the table: a rectangle with coloured dots."""

    centre: tuple[float, float]
    angle: float
    half_size: tuple[float, float]
    color: RGB
    dots: tuple[tuple[float, float, float, RGB], ...]
    """Place (x, y) and radius in mm from the card's centre, colour."""


@dataclass(frozen=True)
class Sheet:
    """A printed sheet of paper on the table, such as a place mat."""

    centre: tuple[float, float]
    angle: float
    """Radians by which the page's width is turned from the world's x."""
    size: tuple[float, float]
    """Width and height in mm."""
    albedo: Floats
    """(rows, columns, 3), the first row at the top of the page."""


@dataclass(frozen=True)
class Table:
    """The table's plane at height ``z``, covered by a repeated tile of pattern."""

    name: str
    z: float
    tile: Floats
    """Albedo (rows, columns, 3), seamless."""
    mm_per_px: float
    angle: float
    gloss: float
    blur: float
    cards: tuple[PrintedCard, ...] = ()
    sheet: Sheet | None = None
    """Lies under everything else, cards too."""

    @cached_property
    def mean_albedo(self) -> Floats:
        """The table's colour seen from afar (3,)."""
        return np.asarray(self.tile.mean(axis=(0, 1)), dtype=np.float32)


@dataclass(frozen=True)
class Light:
    """A source of light: a disc, or a window with panes; ``color`` is what it sends to the tray."""

    position: XYZ
    radius: float
    color: RGB
    shape: Literal["disc", "window"] = "disc"
    panes: int = 2
    slit: tuple[float, float, float] | None = None
    """Falls in through a gap: a bright strip across the level z = 0, as its direction in radians,
    its middle's distance from the origin and its half width in mm."""


@dataclass(frozen=True)
class Room:
    """What surrounds the table, seen in reflections and lighting the shadows."""

    zenith: RGB
    horizon: RGB
    blobs: tuple[tuple[XYZ, float, RGB], ...] = ()
    """Soft patches: direction, sharpness, colour added."""


@dataclass(frozen=True)
class Film:
    """What happens between the lens and the file."""

    exposure: float = 1.0
    """Factor to what an ideal meter would choose."""
    balance: RGB = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    contrast: float = 0.0
    vignette: float = 0.0
    defocus_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 0.0
    sharpen: float = 0.0
    jpeg: int = 95
    fineness: int = 1
    """Pixels of the film along the side of one of the picture, which was made smaller later."""


@dataclass(frozen=True)
class Scene:
    """Everything a picture shows; ``balls`` of the main tray come first."""

    view: View
    balls: tuple[Ball, ...]
    blocks: tuple[Block, ...]
    table: Table
    lights: tuple[Light, ...]
    room: Room
    film: Film = field(default_factory=Film)

    @cached_property
    def mean_light(self) -> Floats:
        """Roughly what a level surface gets in all (3,)."""
        total = np.asarray(self.room.zenith, dtype=np.float32)
        for light in self.lights:
            slope = max(light.position[2] / float(np.linalg.norm(light.position)), 0.0)
            total = total + slope * np.asarray(light.color, dtype=np.float32)
        return total
