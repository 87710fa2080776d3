"""Whether JSON is a reading: everything that is wrong with it, each with its place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import Any

from rules.dimension.board import SEATS
from rules.dimension.layout import COLORS, EMPTY, problems
from rules.dimension.places import STORAGE

MOST_PROBLEMS = 20
"""Beyond so many it is something else, not a reading with mistakes."""

_MOST_ALTERNATIVES = 10
_LONGEST_TEXT = 2000
_FARTHEST_PX = 1e6
"""No photo is larger, and what is reckoned with larger numbers overflows."""


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
    if not isinstance(data, dict):
        return (ReadingProblem("", "A reading is a JSON object."),)
    return tuple(islice(_problems(data), MOST_PROBLEMS))


def _problems(data: Mapping[str, Any]) -> Iterator[ReadingProblem]:
    missing = [name for name in _FIELDS if name not in data]
    yield from (ReadingProblem(name, "is missing.") for name in missing)
    unknown = sorted(str(name) for name in data if name not in _FIELDS)
    yield from (ReadingProblem(name, "is no field of a reading.") for name in unknown)
    for name, check in _FIELDS.items():
        if name in data:
            yield from check(name, data[name])
    if not missing:
        yield from _consistent(data)


def _consistent(data: Mapping[str, Any]) -> Iterator[ReadingProblem]:
    """What fields say of each other."""
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


def _photo(where: str, value: object) -> Iterator[ReadingProblem]:
    names = value if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) for name in names):
        yield ReadingProblem(where, "is a file's name or a list of them.")


def _status(where: str, value: object) -> Iterator[ReadingProblem]:
    if value not in ("certain", "uncertain", "no_tray", "bad_image"):
        yield ReadingProblem(where, "is certain, uncertain, no_tray or bad_image.")


def _layout(where: str, value: object) -> Iterator[ReadingProblem]:
    """A layout that can stand, or None. Counts may be what they cannot be: a borrowed sphere."""
    if value is None:
        return
    if not isinstance(value, str):
        yield ReadingProblem(where, "is a layout, like OKBGGWB/K.B.O./K.")
        return
    for problem in problems(value[:_LONGEST_TEXT]):
        if problem.code != "too_many":
            yield ReadingProblem(where, problem.text)


def _probability(where: str, value: object) -> Iterator[ReadingProblem]:
    if not _is_number(value) or not 0.0 <= value <= 1.0:  # type: ignore[operator]
        yield ReadingProblem(where, "is a number from 0 to 1.")


def _confidence(where: str, value: object) -> Iterator[ReadingProblem]:
    if value is not None:
        yield from _probability(where, value)


def _seats(where: str, value: object) -> Iterator[ReadingProblem]:
    if not isinstance(value, dict):
        yield ReadingProblem(where, "is an object by seat.")
        return
    for seat, entry in value.items():
        yield from _seat(f"{where}.{seat}", entry)


def _seat(where: str, entry: object) -> Iterator[ReadingProblem]:
    wanted = {"color", "p", "how", "visible", "uv", "radius"}
    if not isinstance(entry, dict) or set(entry) != wanted:
        yield ReadingProblem(where, f"is an object with {', '.join(sorted(wanted))}.")
        return
    color = entry["color"]
    if color is not None and (not isinstance(color, str) or color not in tuple(COLORS)):
        yield ReadingProblem(f"{where}.color", f"is one of {', '.join(COLORS)} or null.")
    if entry["how"] not in ("seen", "inferred"):
        yield ReadingProblem(f"{where}.how", "is seen or inferred.")
    yield from _probability(f"{where}.p", entry["p"])
    yield from _probability(f"{where}.visible", entry["visible"])
    uv = entry["uv"]
    if not isinstance(uv, list) or len(uv) != 2 or not all(map(_is_pixels, uv)):
        yield ReadingProblem(f"{where}.uv", "is two numbers of pixels.")
    if not _is_pixels(entry["radius"]) or entry["radius"] < 0:
        yield ReadingProblem(f"{where}.radius", "is a number of pixels, not below 0.")


def _alternatives(where: str, value: object) -> Iterator[ReadingProblem]:
    if not isinstance(value, list) or len(value) > _MOST_ALTERNATIVES:
        yield ReadingProblem(where, f"is a list of {_MOST_ALTERNATIVES} at most.")
        return
    for index, entry in enumerate(value):
        place = f"{where}[{index}]"
        if not isinstance(entry, dict) or set(entry) != {"layout", "p"} or not entry["layout"]:
            yield ReadingProblem(place, "is an object with layout and p.")
        else:
            yield from _layout(f"{place}.layout", entry["layout"])
            yield from _probability(f"{place}.p", entry["p"])


def _warnings(where: str, value: object) -> Iterator[ReadingProblem]:
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        yield ReadingProblem(where, "is a list of codes.")


def _ms(where: str, value: object) -> Iterator[ReadingProblem]:
    if not isinstance(value, dict) or not all(_is_number(time) for time in value.values()):
        yield ReadingProblem(where, "is an object of milliseconds by stage.")


def _message(where: str, value: object) -> Iterator[ReadingProblem]:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        yield ReadingProblem(where, f"is a text of {_LONGEST_TEXT} characters at most.")


def _is_pixels(value: object) -> bool:
    return _is_number(value) and abs(value) <= _FARTHEST_PX  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # an integer of hundreds of digits
        return False


_FIELDS: dict[str, Callable[[str, object], Iterator[ReadingProblem]]] = {
    "photo": _photo,
    "status": _status,
    "layout": _layout,
    "confidence": _confidence,
    "seats": _seats,
    "storage": _seats,
    "alternatives": _alternatives,
    "warnings": _warnings,
    "ms": _ms,
    "message": _message,
}
"""The fields of a reading and what each is checked by."""
