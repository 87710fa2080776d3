"""What a photo of dice shows, as one value that prints as one JSON object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["certain", "uncertain", "no_dice", "bad_image"]


@dataclass(frozen=True)
class SeenDie:
    """One die: its value, how sure that is, and where its top face is in the photo's pixels."""

    value: str
    p: float
    uv: tuple[float, float]
    side: float
    cocked: bool = False
    corners: tuple[tuple[float, float], ...] = ()
    """Of the top face, for drawing."""

    def to_json(self) -> dict[str, Any]:
        """The die as decoded JSON."""
        return {
            "value": self.value,
            "p": round(self.p, 4),
            "uv": [round(c, 1) for c in self.uv],
            "side": round(self.side, 1),
            "cocked": self.cocked,
        }


@dataclass(frozen=True)
class DiceReading:
    """What a photo, or several of one roll, shows."""

    photo: str | tuple[str, ...]
    status: Status
    message: str
    dice: str = ""
    """Values, sorted; empty if there are none."""
    confidence: float | None = None
    seen: tuple[SeenDie, ...] = ()
    alternatives: tuple[tuple[str, float], ...] = ()
    """Other dice that the photo may show, with their probabilities, most probable first."""
    warnings: tuple[str, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The reading as decoded JSON."""
        return {
            "photo": list(self.photo) if isinstance(self.photo, tuple) else self.photo,
            "status": self.status,
            "dice": self.dice or None,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
            "seen": [die.to_json() for die in self.seen],
            "alternatives": [{"dice": dice, "p": round(p, 4)} for dice, p in self.alternatives],
            "warnings": list(self.warnings),
            "ms": {stage: round(ms, 1) for stage, ms in self.ms.items()},
            "message": self.message,
        }
