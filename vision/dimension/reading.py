"""A reading: what one photo (or several of one tray) shows, as an immutable value.

The JSON is that of tray.md and contracts.md. It comes back from clients, so ``from_json`` trusts
nothing and names everything that is wrong at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.dimension.board import SEATS
from rules.dimension.layout import EMPTY, Layout
from rules.dimension.places import STORAGE
from vision.dimension.reading_check import ReadingError, reading_problems

Status = Literal["certain", "uncertain", "no_tray", "bad_image"]
How = Literal["seen", "inferred"]

WARNINGS = (
    "unknown_tray",
    "other_tray_in_view",
    "spheres_off_tray",
    "color_count_impossible",
    "cropped",
    "blurred",
    "too_dark",
    "views_disagree",
    "hand_in_view",
)
"""All codes of ``warnings``, in the order in which they are given."""

STAGES = ("decode", "locate", "observe", "infer", "total")


@dataclass(frozen=True)
class SeatReading:
    """What lies on one seat: a colour's letter or None, how probable, and how it is known."""

    color: str | None
    p: float
    how: How
    visible: float
    uv: tuple[float, float]
    """Where the sphere's centre is, or would be, in pixels of the photo."""
    radius: float

    def to_json(self) -> dict[str, Any]:
        """The seat as in tray.md."""
        return {
            "color": self.color,
            "p": round(self.p, 4),
            "how": self.how,
            "visible": round(self.visible, 3),
            "uv": [round(self.uv[0], 1), round(self.uv[1], 1)],
            "radius": round(self.radius, 1),
        }


@dataclass(frozen=True)
class Alternative:
    """Another layout that the photo may show, and how probable it is."""

    layout: Layout
    p: float

    def to_json(self) -> dict[str, Any]:
        """The alternative as in tray.md."""
        return {"layout": str(self.layout), "p": round(self.p, 6)}


@dataclass(frozen=True)
class Reading:
    """What a photo shows. Without a tray ``layout`` and ``confidence`` are None, the rest empty."""

    photo: str | tuple[str, ...]
    status: Status
    layout: Layout | None = None
    confidence: float | None = None
    seats: Mapping[str, SeatReading] = field(default_factory=dict, hash=False)
    storage: Mapping[str, SeatReading] = field(default_factory=dict, hash=False)
    alternatives: tuple[Alternative, ...] = ()
    warnings: tuple[str, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict, hash=False)
    message: str = ""

    def __str__(self) -> str:
        photo = self.photo if isinstance(self.photo, str) else ", ".join(self.photo)
        sure = "" if self.confidence is None else f" ({self.confidence:.1%})"
        layout = "" if self.layout is None else str(self.layout)
        return f"{photo}: {self.status} {layout}{sure}".rstrip()

    @classmethod
    def refused(
        cls,
        photo: str | tuple[str, ...],
        status: Literal["no_tray", "bad_image"],
        message: str,
        warnings: tuple[str, ...] = (),
        ms: Mapping[str, float] | None = None,
    ) -> "Reading":
        """The reading of a photo that shows no tray, or of a file that is no photo."""
        return cls(photo, status, warnings=warnings, ms=ms or {}, message=message)

    @property
    def possibilities(self) -> dict[Layout, float]:
        """The layouts that the photo may show, most probable first, with their probabilities."""
        if self.layout is None or self.confidence is None:
            return {}
        return {self.layout: self.confidence} | {
            other.layout: other.p for other in self.alternatives
        }

    def to_json(self) -> dict[str, Any]:
        """The reading as in tray.md."""
        return {
            "photo": self.photo if isinstance(self.photo, str) else list(self.photo),
            "status": self.status,
            "layout": None if self.layout is None else str(self.layout),
            "confidence": None if self.confidence is None else round(self.confidence, 6),
            "seats": {seat: entry.to_json() for seat, entry in self.seats.items()},
            "storage": {place: entry.to_json() for place, entry in self.storage.items()},
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
            "warnings": list(self.warnings),
            "ms": {stage: round(self.ms.get(stage, 0.0), 2) for stage in STAGES},
            "message": self.message,
        }

    @classmethod
    def from_json(cls, data: object) -> "Reading":
        """The reading in decoded JSON; raises ``ReadingError`` with all that is wrong."""
        problems = reading_problems(data)
        if problems or not isinstance(data, dict):
            raise ReadingError(problems)
        photo, layout = data["photo"], data["layout"]
        return cls(
            photo=photo if isinstance(photo, str) else tuple(photo),
            status=data["status"],
            layout=None if layout is None else Layout.parse(layout),
            confidence=data["confidence"],
            seats=_seats(data["seats"], SEATS),
            storage=_seats(data["storage"], STORAGE),
            alternatives=tuple(
                Alternative(Layout.parse(other["layout"]), other["p"])
                for other in data["alternatives"]
            ),
            warnings=tuple(data["warnings"]),
            ms=dict(data["ms"]),
            message=data["message"],
        )


def letter(color: str | None) -> str:
    """A seat's colour as in the notation of layouts."""
    return color or EMPTY


def _seats(data: Mapping[str, Any], order: tuple[str, ...]) -> dict[str, SeatReading]:
    return {
        seat: SeatReading(**{**data[seat], "uv": tuple(data[seat]["uv"])})
        for seat in order
        if seat in data
    }
