"""What is wrong with a tray profile: its writing first, then what no tray can be.

The same format as ``data/profile.schema.json`` (a test holds the two together), checked by hand so
that every problem is named at once, in words, without a further package.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import cos, hypot, isfinite, radians, sin, sqrt
from typing import Any

import numpy as np

from calibration.dimension.outline import Polygon, inside_by, outline_from_json

_VERSION = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LENGTHS = ("sphere_mm", "pitch_mm", "hole_mm", "slot_radius_mm", "slot_step_mm")
_ANGLES = ("ring0_deg", "slot0_deg")
_REQUIRED = ("name", "version", "scale", *_LENGTHS, *_ANGLES)
_OPTIONAL = ("outline", "colors", "measured", "markers")
_COLORS = ("O", "B", "G", "K", "W", "tray")
_SHAPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "disc": ("radius_mm", ()),
    "pentagon": ("inradius_mm", ("corner_mm",)),
    "polygon": ("points_mm", ("corner_mm",)),
}
_SLACK = 0.98
"""Measured trays may look this much tighter than spheres allow: calibration is good to 2 %."""

Problems = Iterator["ProfileProblem"]
Json = Mapping[str, Any]


@dataclass(frozen=True)
class ProfileProblem:
    """Something wrong with a profile: the key it is about, and a sentence for people."""

    key: str
    text: str


class ProfileError(ValueError):
    """A profile that cannot be used; ``problems`` has everything that is wrong."""

    def __init__(self, problems: tuple[ProfileProblem, ...]) -> None:
        super().__init__(" ".join(problem.text for problem in problems))
        self.problems = problems


def format_problems(data: object) -> tuple[ProfileProblem, ...]:
    """All that is wrong with a decoded profile file; empty for one that can be used."""
    if not isinstance(data, dict):
        return (ProfileProblem("", "A profile is a JSON object with the tray's measures."),)
    written = (
        *_keys(data, _REQUIRED, _OPTIONAL),
        *_header(data),
        *_numbers(data),
        *_outline(data.get("outline")),
        *_colors(data.get("colors", {})),
        *_measured(data.get("measured", {})),
        *_markers(data.get("markers")),
    )
    return written or tuple(_impossible(data))


def _keys(
    data: Json, required: tuple[str, ...], optional: tuple[str, ...], at: str = ""
) -> Problems:
    for key in required:
        if key not in data:
            yield ProfileProblem(at + key, f"{at + key} is missing.")
    for key in data:
        if key not in (*required, *optional):
            yield ProfileProblem(at + key, f"{at + key} is not known in a profile.")


def _header(data: Json) -> Problems:
    name = data.get("name", "x")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        text = f"name is {name!r}: use up to 64 letters, digits, dots, dashes and underscores."
        yield ProfileProblem("name", text)
    version = data.get("version", _VERSION)
    if version != _VERSION or isinstance(version, bool):
        text = f"version is {version!r}: this program reads version {_VERSION}."
        yield ProfileProblem("version", text)
    if data.get("scale", "given") not in ("given", "assumed"):
        text = f"scale is {data['scale']!r} instead of 'given' or 'assumed'."
        yield ProfileProblem("scale", text)


def _numbers(data: Json) -> Problems:
    for key in _LENGTHS:
        yield from _value(data, key, _is_positive, "a length above 0 mm")
    for key in _ANGLES:
        yield from _value(data, key, _is_number, "an angle in degrees")


def _outline(data: object) -> Problems:
    if data is None:
        return
    shape = data.get("shape") if isinstance(data, dict) else None
    if not isinstance(data, dict) or shape not in _SHAPES:
        text = f"outline.shape is {shape!r} instead of one of {', '.join(_SHAPES)}."
        yield ProfileProblem("outline.shape", text)
        return
    size, optional = _SHAPES[shape]
    yield from _keys(data, ("shape", size), optional, "outline.")
    if size == "points_mm":
        yield from _value(data, size, _is_polygon, "three or more pairs of numbers", "outline.")
    else:
        yield from _value(data, size, _is_positive, "a length above 0 mm", "outline.")
    if "corner_mm" in optional:
        yield from _value(data, "corner_mm", _is_spread, "a length of 0 mm or more", "outline.")


def _colors(data: object) -> Problems:
    if not isinstance(data, dict):
        yield ProfileProblem("colors", "colors is not an object with a colour a letter.")
        return
    yield from _keys(data, (), _COLORS, "colors.")
    for key in data:
        yield from _value(data, key, _is_triple, "three numbers (CIE L*a*b*)", "colors.")


def _measured(data: object) -> Problems:
    if not isinstance(data, dict):
        yield ProfileProblem("measured", "measured is not an object with a spread a key.")
        return
    for key in data:
        yield from _value(data, key, _is_spread, "a spread of 0 or more", "measured.")


def _markers(data: object) -> Problems:
    if data is None:
        return
    if not isinstance(data, dict):
        yield ProfileProblem("markers", "markers is not an object.")
        return
    yield from _keys(data, ("dictionary", "size_mm", "centers_mm"), ("z_mm",), "markers.")
    yield from _value(data, "dictionary", lambda x: isinstance(x, str), "a name", "markers.")
    yield from _value(data, "size_mm", _is_positive, "a length above 0 mm", "markers.")
    yield from _value(data, "z_mm", _is_number, "a number of mm", "markers.")
    centers = data.get("centers_mm", {})
    if not isinstance(centers, dict) or not all(map(str.isdecimal, centers)):
        text = "markers.centers_mm is not an object with a place a marker number."
        yield ProfileProblem("markers.centers_mm", text)
        return
    for key in centers:
        yield from _value(centers, key, _is_pair, "two numbers of mm", "markers.centers_mm.")


def _impossible(data: Json) -> Problems:
    """What is well written but is no tray that spheres can lie on."""
    sphere, pitch, hole = data["sphere_mm"], data["pitch_mm"], data["hole_mm"]
    if pitch <= sphere:
        text = f"pitch_mm ({pitch:g}) is not above sphere_mm ({sphere:g}): spheres would collide."
        yield ProfileProblem("pitch_mm", text)
    if pitch >= sphere * sqrt(3):
        text = (
            f"pitch_mm ({pitch:g}) is too wide: level two would fall between spheres of {sphere:g}."
        )
        yield ProfileProblem("pitch_mm", text)
    if hole >= sphere:
        text = (
            f"hole_mm ({hole:g}) is not below sphere_mm ({sphere:g}): spheres would fall through."
        )
        yield ProfileProblem("hole_mm", text)
    yield from _collisions(data)
    yield from _beyond_the_edge(data)


def _collisions(data: Json) -> Problems:
    """Seats of level one and storage that are too close to each other, besides ring and centre."""
    places = _face_places(data)
    for (a, (ax, ay)), (b, (bx, by)) in combinations(places.items(), 2):
        gap = hypot(ax - bx, ay - by)
        if "S" in a[0] + b[0] and gap < _SLACK * data["sphere_mm"]:
            key = "slot_step_mm" if a[:2] == b[:2] else "slot_radius_mm"
            text = f"{a} and {b} are {gap:.1f} mm apart: too close for two spheres."
            yield ProfileProblem(key, text)


def _beyond_the_edge(data: Json) -> Problems:
    """Holes and slots that are not within the outline."""
    if not data.get("outline"):
        return
    outline = outline_from_json(data["outline"])
    if isinstance(outline, Polygon) and not _is_convex(outline.points_mm):
        text = "outline.points_mm is not convex and counter-clockwise."
        yield ProfileProblem("outline.points_mm", text)
        return
    places = _face_places(data)
    depth = inside_by(outline, data["slot0_deg"], np.array(list(places.values())))
    for seat, inside in zip(places, depth, strict=True):
        if inside < _SLACK * data["hole_mm"] / 2:
            yield ProfileProblem("outline", f"{seat} reaches beyond the outline.")


def _face_places(data: Json) -> dict[str, tuple[float, float]]:
    """Where holes and slot places lie on the face, whether or not a tray can be like that."""
    places = {"C": (0.0, 0.0)}
    for i in range(6):
        angle = radians(data["ring0_deg"] - 60 * i)
        places[f"R{i}"] = (data["pitch_mm"] * cos(angle), data["pitch_mm"] * sin(angle))
    for slot in range(5):
        angle = radians(data["slot0_deg"] - 72 * slot)
        for place in range(3):
            shift = (place - 1) * data["slot_step_mm"]
            x = data["slot_radius_mm"] * cos(angle) + shift * sin(angle)
            y = data["slot_radius_mm"] * sin(angle) - shift * cos(angle)
            places[f"S{slot}{place}"] = (x, y)
    return places


def _value(
    data: Json, key: str, good: Callable[[object], bool], wanted: str, at: str = ""
) -> Problems:
    """A problem if the key is there and its value is not what is wanted."""
    if key in data and not good(data[key]):
        yield ProfileProblem(at + key, f"{at + key} is {data[key]!r} instead of {wanted}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_positive(value: object) -> bool:
    return _is_number(value) and float(value) > 0  # type: ignore[arg-type]


def _is_spread(value: object) -> bool:
    return _is_number(value) and float(value) >= 0  # type: ignore[arg-type]


def _is_numbers(value: object, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(map(_is_number, value))


def _is_pair(value: object) -> bool:
    return _is_numbers(value, 2)


def _is_triple(value: object) -> bool:
    return _is_numbers(value, 3)


def _is_polygon(value: object) -> bool:
    return isinstance(value, list) and len(value) >= 3 and all(map(_is_pair, value))


def _is_convex(points: tuple[tuple[float, float], ...]) -> bool:
    """Whether the corners turn left everywhere, once round."""
    corners = np.array(points)
    side = np.roll(corners, -1, axis=0) - corners
    after = np.roll(side, -1, axis=0)
    turn = np.arctan2(
        side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0], np.sum(side * after, axis=1)
    )
    return bool(np.all(turn > 0.0) and abs(np.sum(turn) - 2 * np.pi) < 1e-6)
