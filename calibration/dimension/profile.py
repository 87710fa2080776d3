"""Tray profiles: a tray's geometry in millimetres, and the files they are kept in.

Tray coordinates: origin on the tray's face at the centre hole, +z up out of the tray, angles
counter-clockwise from +x seen from above. Labels run clockwise (tray.md).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from math import cos, radians, sin, sqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.data_directory import data_directory
from calibration.dimension.outline import Outline, outline_from_json
from calibration.dimension.profile_check import ProfileError, ProfileProblem, format_problems
from rules.dimension.places import RING, SLOT_PLACES, SLOTS

Point = tuple[float, float, float]
Lab = tuple[float, float, float]

VERSION = 1
"""Version of the files' format."""

BUILT_IN = ("disc", "pentagon")
_DATA = resources.files("calibration.dimension") / "data"


@dataclass(frozen=True)
class Markers:
    """Printed markers around a tray, which tell its pose when they are in the picture."""

    dictionary: str
    size_mm: float
    centers_mm: Mapping[int, tuple[float, float]] = field(hash=False)
    z_mm: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The markers as in a profile's file."""
        centers = {str(marker): list(center) for marker, center in self.centers_mm.items()}
        return {
            "dictionary": self.dictionary,
            "size_mm": self.size_mm,
            "z_mm": self.z_mm,
            "centers_mm": centers,
        }


@dataclass(frozen=True)
class TrayProfile:
    """A tray: what tray.md calls d, p, h and the slots, with outline and colours if known."""

    name: str
    sphere_mm: float
    pitch_mm: float
    hole_mm: float
    ring0_deg: float
    slot_radius_mm: float
    slot0_deg: float
    slot_step_mm: float
    outline: Outline | None = None
    version: int = VERSION
    scale: Literal["given", "assumed"] = "given"
    colors: Mapping[str, Lab] = field(default_factory=dict, hash=False)
    measured: Mapping[str, float] = field(default_factory=dict, hash=False)
    markers: Markers | None = None

    @property
    def sphere_radius_mm(self) -> float:
        """Half the diameter of a sphere."""
        return self.sphere_mm / 2

    @property
    def level_one_mm(self) -> float:
        """Height of a sphere's centre above the face when it lies in a hole or a slot."""
        return sqrt(self.sphere_mm**2 - self.hole_mm**2) / 2

    @property
    def level_step_mm(self) -> float:
        """Height of each further level above the one beneath."""
        return sqrt(self.sphere_mm**2 - self.pitch_mm**2 / 3)

    @classmethod
    def from_json(cls, data: object) -> "TrayProfile":
        """The profile in a decoded file; raises ``ProfileError`` with all that is wrong."""
        problems = format_problems(data)
        if problems or not isinstance(data, dict):
            raise ProfileError(problems)
        values = {key: data[key] for key in data if key not in ("outline", "markers")}
        values["colors"] = {c: tuple(lab) for c, lab in data.get("colors", {}).items()}
        if data.get("outline"):
            values["outline"] = outline_from_json(data["outline"])
        if data.get("markers"):
            centers = data["markers"]["centers_mm"].items()
            centers = {int(marker): tuple(center) for marker, center in centers}
            values["markers"] = Markers(**{**data["markers"], "centers_mm": centers})
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """The profile as in a file; what is unknown is left out."""
        data: dict[str, Any] = {"name": self.name, "version": self.version, "scale": self.scale}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if value is not None and value != {}:
                data[entry.name] = value.to_json() if hasattr(value, "to_json") else value
        data |= {"colors": {c: list(lab) for c, lab in self.colors.items()}} if self.colors else {}
        data |= {"measured": dict(self.measured)} if self.measured else {}
        return data


@cache
def seat_positions(profile: TrayProfile) -> dict[str, Point]:
    """Centre of a sphere on each of the 29 seats, in tray mm, in the order of ``ALL_SEATS``."""
    low, step, pitch = profile.level_one_mm, profile.level_step_mm, profile.pitch_mm
    ring = [_polar(pitch, profile.ring0_deg - 60 * i) for i in range(RING)]
    between = [profile.ring0_deg - 30 - 60 * i for i in range(RING)]
    places: dict[str, Point] = {"C": (0.0, 0.0, low)}
    places |= {f"R{i}": (*ring[i], low) for i in range(RING)}
    places |= {f"T{i}": (*_polar(pitch / sqrt(3), between[i]), low + step) for i in range(RING)}
    places["A"] = (0.0, 0.0, low + 2 * step)
    for slot in range(SLOTS):
        (x, y), (along_x, along_y) = slot_axis(profile, slot)
        for place in range(SLOT_PLACES):
            shift = (place - 1) * profile.slot_step_mm
            places[f"S{slot}{place}"] = (x + shift * along_x, y + shift * along_y, low)
    return places


@cache
def seat_array(profile: TrayProfile) -> NDArray[np.float64]:
    """The positions of ``seat_positions`` as an array (29, 3)."""
    array = np.array(list(seat_positions(profile).values()))
    array.flags.writeable = False
    return array


def slot_axis(profile: TrayProfile, slot: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Middle of a slot on the face, and the unit vector along which its places are counted."""
    angle = profile.slot0_deg - 72 * slot
    return _polar(profile.slot_radius_mm, angle), _polar(1.0, angle - 90)


def load_profile(name_or_file: str | Path) -> TrayProfile:
    """The profile of this name (built-in, then the user's) or in this file.

    Raises ``ProfileError`` with a message that says what is wrong and where.
    """
    asked = str(name_or_file)
    if asked in BUILT_IN:
        return _built_in(asked)
    own = profile_file(asked) if not _looks_like_a_file(asked) else Path(asked)
    if not own.is_file():
        known = ", ".join(profile_names())
        text = f"There is no tray profile {asked!r}. Known are {known}; or name a file (*.json)."
        raise ProfileError((ProfileProblem("", text),))
    return read_profile(own)


def read_profile(file: Path) -> TrayProfile:
    """The profile in this file; raises ``ProfileError`` with all that is wrong with it."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        problem = ProfileProblem("", f"{file} cannot be read as JSON: {error}")
        raise ProfileError((problem,)) from error
    return TrayProfile.from_json(data)


def save_profile(profile: TrayProfile, file: Path) -> None:
    """Write the profile; raises ``ProfileError`` rather than write one that cannot be loaded."""
    data = profile.to_json()
    if problems := format_problems(data):
        raise ProfileError(problems)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def profile_file(name: str) -> Path:
    """Where a user's profile of this name is kept."""
    return data_directory() / "trays" / f"{name}.json"


def profile_names() -> tuple[str, ...]:
    """Names of all profiles: built-in ones first, then the user's in alphabetical order."""
    own = sorted(file.stem for file in profile_file("any").parent.glob("*.json"))
    return (*BUILT_IN, *(name for name in own if name not in BUILT_IN))


@cache
def _built_in(name: str) -> TrayProfile:
    text = (_DATA / f"{name}.json").read_text(encoding="utf-8")
    return TrayProfile.from_json(json.loads(text))


def _looks_like_a_file(asked: str) -> bool:
    return asked.endswith(".json") or any(mark in asked for mark in ("/", "\\"))


def _polar(radius: float, angle_deg: float) -> tuple[float, float]:
    return radius * cos(radians(angle_deg)), radius * sin(radians(angle_deg))
