"""Readings on the wire, as in docs/notation.md."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from rules.dimension.layout import COLORS
from vision.dimension.reading import STAGES, WARNINGS

LAYOUT = f"^[{COLORS}.]{{7}}/[{COLORS}.]{{6}}/[{COLORS}.]$"
EXAMPLE_LAYOUT = "OKBGGWB/K.B.O./K"

LayoutText = Annotated[
    str,
    WithJsonSchema({"type": "string", "pattern": LAYOUT, "examples": [EXAMPLE_LAYOUT]}),
]
"""A layout in one line. What is wrong with it the rules say, seat by seat, not a pattern."""

Chance = Annotated[float, Field(ge=0, le=1)]


class SeatBody(BaseModel):
    """What lies on one seat."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    color: Literal["O", "B", "G", "K", "W"] | None = Field(description="null: empty")
    p: Chance = Field(description="how probable that is")
    how: Literal["seen", "inferred"]
    visible: Chance = Field(description="share of the sphere that the photo shows")
    uv: list[Annotated[float, Field(ge=-1e6, le=1e6)]] = Field(
        min_length=2, max_length=2, description="its centre, in pixels of the photo"
    )
    radius: float = Field(ge=0, le=1e6, description="in pixels of the photo")


class AlternativeBody(BaseModel):
    """Another layout that the photo may show."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    layout: LayoutText
    p: Chance


class ReadingBody(BaseModel):
    """What a photo (or several of one tray) shows."""

    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)

    photo: str | list[str] = Field(description="the photo's name, or all of them")
    status: Literal["certain", "uncertain", "no_tray", "bad_image"] = Field(
        description="certain: may be scored without a look"
    )
    layout: LayoutText | None = Field(description="the most probable layout")
    confidence: Chance | None = Field(description="probability that the whole layout is right")
    seats: dict[str, SeatBody] = Field(description="all fourteen, C to A; none without a tray")
    storage: dict[str, SeatBody] = Field(description="all fifteen, S00 to S42")
    alternatives: list[AlternativeBody] = Field(max_length=10)
    warnings: list[str] = Field(description=f"among {', '.join(WARNINGS)}")
    ms: dict[str, float] = Field(description=f"milliseconds: {', '.join(STAGES)}")
    message: str = Field(description="for people: what is unsure and what to do about it")


class ReadingsAnswer(BaseModel):
    """The readings, in the order of the photos."""

    readings: list[ReadingBody]


def _seat(color: str | None, u: float, v: float) -> dict[str, Any]:
    return {
        "color": color,
        "p": 0.998,
        "how": "seen",
        "visible": 0.8,
        "uv": [u, v],
        "radius": 31.2,
    }


def example_reading() -> dict[str, Any]:
    """A reading for the documentation and for tests: one that ``Reading.from_json`` takes."""
    ring = [(560, 330), (590, 390), (560, 450), (490, 450), (460, 390), (490, 330)]
    seats = dict(zip(("C", *(f"R{i}" for i in range(6))), [(525, 390), *ring], strict=True))
    upper = {f"T{i}": (525.0, 380.0) for i in range(6)} | {"A": (525.0, 370.0)}
    cells = EXAMPLE_LAYOUT.replace("/", "").replace(".", " ")
    places = {**seats, **upper}
    colors = dict(zip(places, cells, strict=True))
    return {
        "photo": "tray.jpg",
        "status": "uncertain",
        "layout": EXAMPLE_LAYOUT,
        "confidence": 0.93,
        "seats": {
            seat: _seat(colors[seat].strip() or None, float(u), float(v))
            for seat, (u, v) in places.items()
        },
        "storage": {
            f"S{slot}{place}": _seat(None, 300.0 + 90 * slot, 600.0 + 30 * place)
            for slot in range(5)
            for place in range(3)
        },
        "alternatives": [{"layout": "WKBGGWB/K.B.O./K", "p": 0.06}],
        "warnings": [],
        "ms": {"decode": 4.0, "locate": 62.0, "observe": 30.0, "infer": 20.0, "total": 116.0},
        "message": "I am not sure about the centre: tilt the camera and take another photo.",
    }
