"""A reading: what one photo (or several of one tray) shows, as an immutable value.

``Reading`` is also the shape of its JSON: the checks and the JSON schema come from it. The JSON
comes back from clients, so ``from_json`` trusts nothing and names all that is wrong at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, PlainSerializer, PlainValidator, WithJsonSchema

from calibration.json_shape import Fault, Shape, Wanted, refusal, rounded
from rules.dimension.board import SEATS
from rules.dimension.layout import COLORS, EMPTY, Layout, problems
from rules.dimension.places import STORAGE

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

MOST_PROBLEMS = 20
"""With more it is something else, not a reading with mistakes."""

_MOST_ALTERNATIVES = 10
_LONGEST_TEXT = 2000
_FARTHEST_PX = 1e6
"""No photo is larger, and larger numbers overflow."""


def _layout(value: object) -> Layout:
    """The layout, if it can stand. Too many of a colour is fine: a sphere may be borrowed."""
    if isinstance(value, Layout):
        return value
    if not isinstance(value, str):
        raise refusal("is a layout, like OKBGGWB/K.B.O./K.")
    wrong = [one.text for one in problems(value[:_LONGEST_TEXT]) if one.code != "too_many"]
    if wrong:
        raise refusal(" ".join(wrong))
    return Layout.parse(value)


def _all_stages(ms: Mapping[str, float]) -> dict[str, float]:
    return {stage: round(ms.get(stage, 0.0), 2) for stage in STAGES}


_FORMAT = ConfigDict(extra="forbid", use_attribute_docstrings=True)
_NUMBER = Field(strict=True, allow_inf_nan=False)

Number = Annotated[float, _NUMBER]
Chance = Annotated[Number, Field(ge=0, le=1), Wanted("a number from 0 to 1")]
Pixels = Annotated[Number, Field(ge=-_FARTHEST_PX, le=_FARTHEST_PX), rounded(1)]
LayoutText = Annotated[
    Layout,
    PlainValidator(_layout),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {"type": "string", "pattern": f"^[{COLORS}.]{{7}}/[{COLORS}.]{{6}}/[{COLORS}.]$"}
    ),
]


@dataclass(frozen=True)
class SeatReading:
    """What lies on one seat, how probable that is, and how it is known."""

    __pydantic_config__ = _FORMAT

    color: Annotated[
        Annotated[str, Field(pattern=f"^[{COLORS}]$")] | None,
        Wanted(f"one of {', '.join(COLORS)} or null"),
    ]
    """A colour's letter; null: empty."""
    p: Annotated[Chance, rounded(4)]
    """How probable that is."""
    how: How
    visible: Annotated[Chance, rounded(3)]
    """Share of the sphere that the photo shows."""
    uv: Annotated[tuple[Pixels, Pixels], Wanted("two numbers of pixels")]
    """Where the sphere's centre is, or would be, in pixels of the photo."""
    radius: Annotated[Pixels, Field(ge=0), Wanted("a number of pixels, not below 0")]
    """In pixels of the photo."""


@dataclass(frozen=True)
class Alternative:
    """Another layout that the photo may show, and how probable it is."""

    __pydantic_config__ = _FORMAT

    layout: LayoutText
    p: Annotated[Chance, rounded(6)]


@dataclass(frozen=True)
class Reading:
    """What a photo shows. Without a tray ``layout`` and ``confidence`` are None, the rest empty."""

    __pydantic_config__ = _FORMAT

    photo: Annotated[
        str | Annotated[tuple[str, ...], Field(min_length=1)],
        Wanted("a file's name or a list of them"),
    ]
    """The photo's name, or all of them."""
    status: Status
    """certain: may be scored without a look."""
    layout: LayoutText | None = None
    """The most probable layout."""
    confidence: Annotated[Chance, rounded(6)] | None = None
    """Probability that the whole layout is right."""
    seats: Mapping[str, SeatReading] = field(default_factory=dict, hash=False)
    """All fourteen, C to A; none without a tray."""
    storage: Mapping[str, SeatReading] = field(default_factory=dict, hash=False)
    """All fifteen, S00 to S42."""
    alternatives: Annotated[tuple[Alternative, ...], Field(max_length=_MOST_ALTERNATIVES)] = ()
    warnings: Annotated[tuple[str, ...], Wanted("a list of codes")] = ()
    """Codes."""
    ms: Annotated[
        Mapping[str, Number],
        Wanted("an object of milliseconds by stage"),
        PlainSerializer(_all_stages, return_type=dict[str, float]),
    ] = field(default_factory=dict, hash=False)
    """Milliseconds by stage."""
    message: Annotated[str, Field(max_length=_LONGEST_TEXT)] = ""
    """For people: what is unsure and what to do about it."""

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
        """The reading as decoded JSON."""
        return _SHAPE.dump(self)

    @classmethod
    def from_json(cls, data: object) -> "Reading":
        """The reading in decoded JSON; raises ``ReadingError`` with all that is wrong."""
        found = _parsed(data)
        if not isinstance(found, Reading):
            raise ReadingError(found)
        return found


_SHAPE = Shape(Reading, required=[one.name for one in fields(Reading)])


@dataclass(frozen=True)
class ReadingProblem:
    """Something wrong in a reading's JSON: where, and a sentence for people."""

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


class ReadingError(ValueError):
    """JSON that is not a reading; ``problems`` has all that is wrong, up to twenty."""

    def __init__(self, problems: Sequence[ReadingProblem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


def reading_problems(data: object) -> tuple[ReadingProblem, ...]:
    """All that is wrong with decoded JSON as a reading; empty if it is one."""
    found = _parsed(data)
    return () if isinstance(found, Reading) else found


def reading_schema() -> dict[str, Any]:
    """The JSON schema of a reading."""
    return _SHAPE.schema()


def letter(color: str | None) -> str:
    """A seat's colour as in the notation of layouts."""
    return color or EMPTY


def _parsed(data: object) -> Reading | tuple[ReadingProblem, ...]:
    if not isinstance(data, dict):
        return (ReadingProblem("", "A reading is a JSON object."),)
    found = _SHAPE.load(data)
    if isinstance(found, Reading):
        ordered = replace(
            found,
            seats={seat: found.seats[seat] for seat in SEATS if seat in found.seats},
            storage={place: found.storage[place] for place in STORAGE if place in found.storage},
        )
        return tuple(islice(_contradictions(data), MOST_PROBLEMS)) or ordered
    wrong = [ReadingProblem(fault.where, _sentence(fault)) for fault in found]
    if not any(fault.kind == "missing" for fault in found):
        wrong += _contradictions(data)
    return tuple(wrong[:MOST_PROBLEMS])


def _sentence(fault: Fault) -> str:
    match fault.kind:
        case "missing":
            return "is missing."
        case "unknown":
            return "is not a field of a reading."
        case _:
            return fault.sentence or f"is {fault.wanted}."


def _contradictions(data: Mapping[str, Any]) -> Iterator[ReadingProblem]:
    """What fields say against each other."""
    read = data["status"] in ("certain", "uncertain")
    for name in ("layout", "confidence"):
        if read == (data[name] is None):
            yield ReadingProblem(name, f"does not go with the status {data['status']!r}.")
    for name, order in (("seats", SEATS), ("storage", STORAGE)):
        wanted = set(order) if read else set()
        if isinstance(data[name], dict) and set(data[name]) != wanted:
            what = f"holds {order[0]} to {order[-1]}" if read else "is empty without a tray"
            yield ReadingProblem(name, f"{what}.")
    yield from _seats_as_layout(data)


def _seats_as_layout(data: Mapping[str, Any]) -> Iterator[ReadingProblem]:
    layout, seats = data["layout"], data["seats"]
    if not isinstance(layout, str) or not isinstance(seats, dict) or set(seats) != set(SEATS):
        return
    cells = layout.replace("/", "")
    for seat, cell in zip(SEATS, cells, strict=False):
        entry = seats[seat]
        if isinstance(entry, dict) and (entry.get("color") or EMPTY) != cell:
            yield ReadingProblem(f"seats.{seat}", f"does not say what the layout says, {cell!r}.")
