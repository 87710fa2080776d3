"""A reading of a building: what one photo, or several of one building, show."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.cube.building import Building

Status = Literal["certain", "uncertain", "no_board", "bad_image"]
How = Literal["seen", "supported"]

WARNINGS = (
    "heights_open",
    "views_disagree",
    "photo_without_board",
    "unknown_colors",
    "cropped",
    "blurred",
    "too_dark",
)
"""All codes of ``warnings``, in the order in which they are given."""

Cell = tuple[int, int, int]


@dataclass(frozen=True)
class CubeReading:
    """One cube: its colour, how probable that is, whether it was seen or must hold up others."""

    color: str
    p: float
    how: How


@dataclass(frozen=True)
class Reading:
    """What photos show of a building. Without a board the building is None."""

    photo: str | tuple[str, ...]
    status: Status
    board: Building | None = None
    confidence: float | None = None
    cubes: Mapping[Cell, CubeReading] = field(default_factory=dict, hash=False)
    unseen: tuple[Cell, ...] = ()
    open: tuple[tuple[int, int], ...] = ()
    warnings: tuple[str, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict, hash=False)
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        """The reading as decoded JSON."""
        return {
            "photo": self.photo if isinstance(self.photo, str) else list(self.photo),
            "status": self.status,
            "board": None if self.board is None else str(self.board),
            "confidence": None if self.confidence is None else round(self.confidence, 4),
            "cubes": {
                ",".join(map(str, cell)): {
                    "color": cube.color, "p": round(cube.p, 4), "how": cube.how,
                }
                for cell, cube in self.cubes.items()
            },
            "unseen": [list(cell) for cell in self.unseen],
            "open": [list(column) for column in self.open],
            "warnings": list(self.warnings),
            "ms": {stage: round(spent, 2) for stage, spent in self.ms.items()},
            "message": self.message,
        }  # fmt: skip
