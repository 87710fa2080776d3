"""Tray profiles: what was measured of a make of tray, in millimetres.

``TrayProfile`` is also the shape of the files: their checks and their JSON schema come from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, WrapValidator

from calibration.dimension.outline import Outline
from calibration.dimension.profile_check import impossibilities
from calibration.json_shape import Fault, Shape, Wanted, as_written, to_json
from calibration.profile_files import PROFILES, ProfileError, ProfileKind, ProfileProblem
from rules.dimension.layout import COLORS

VERSION = 1
"""Version of the files' format."""

_NUMBER = Field(strict=True, allow_inf_nan=False)
_AS_WRITTEN = WrapValidator(as_written)
"""Ledgers name a profile by the hash of what its file says, so 90 must not become 90.0."""

Number = Annotated[float, _NUMBER, _AS_WRITTEN]
Length = Annotated[float, _NUMBER, Field(gt=0), _AS_WRITTEN, Wanted("a length above 0 mm")]
Angle = Annotated[Number, Wanted("an angle in degrees")]
Spread = Annotated[float, _NUMBER, Field(ge=0), _AS_WRITTEN, Wanted("a spread of 0 or more")]
OnTable = Annotated[tuple[Number, Number], Wanted("two numbers of mm")]
Lab = Annotated[tuple[Number, Number, Number], Wanted("three numbers (CIE L*a*b*)")]


def _marker_number(key: object) -> object:
    if isinstance(key, str) and not key.isdecimal():
        raise ValueError(key)
    return key


MarkerNumber = Annotated[int, BeforeValidator(_marker_number)]

_FORMAT = ConfigDict(extra="forbid", use_attribute_docstrings=True)


@dataclass(frozen=True)
class Markers:
    """Printed markers around a tray, which tell its pose when they are in the picture."""

    __pydantic_config__ = _FORMAT

    dictionary: Annotated[str, Wanted("a name")]
    """OpenCV's name for the family, such as DICT_4X4_50."""
    size_mm: Length
    centers_mm: Mapping[MarkerNumber, OnTable] = field(hash=False)
    """Where each marker lies, by its number."""
    z_mm: Annotated[Number, Wanted("a number of mm")] = 0.0
    """Height of the table, seen from the tray's face."""


@dataclass(frozen=True)
class TrayProfile:
    """A make of tray in millimetres.

    The origin is at the centre hole, z up out of the face, angles in degrees counter-clockwise
    from +x seen from above.
    """

    __pydantic_config__ = _FORMAT

    name: Annotated[
        str,
        Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"),
        Wanted("up to 64 letters, digits, dots, dashes and underscores"),
    ]
    version: Annotated[
        int,
        Field(strict=True, ge=VERSION, le=VERSION),
        Wanted(f"{VERSION}, the version that this program reads"),
    ] = field(default=VERSION, kw_only=True)
    """Of this format."""
    scale: Literal["given", "assumed"] = field(default="given", kw_only=True)
    """assumed: nobody measured a sphere; all lengths are right up to one common factor."""
    sphere_mm: Length
    """Diameter of a sphere."""
    pitch_mm: Length
    """Distance of neighbouring hole centres."""
    hole_mm: Length
    """Diameter of a hole and width of a slot."""
    ring0_deg: Angle
    """Direction of R0; Ri lies 60·i degrees clockwise of it."""
    slot_radius_mm: Length
    """Distance of a slot's middle place from the centre."""
    slot0_deg: Angle
    """Direction of slot 0; slot k lies 72·k degrees clockwise of it."""
    slot_step_mm: Length
    """Distance of neighbouring places of a slot."""
    outline: Annotated[Outline, Field(discriminator="shape")] | None = None
    """Of the face, where it is known."""
    colors: Annotated[
        Mapping[Annotated[str, Field(pattern=f"^([{COLORS}]|tray)$")], Lab],
        Field(json_schema_extra={"additionalProperties": False}),
    ] = field(default_factory=dict, hash=False)
    """Spheres and face under the light that they were measured in."""
    measured: Mapping[str, Spread] = field(default_factory=dict, hash=False)
    """Spread (one standard deviation) of measured values, by their key."""
    markers: Markers | None = None
    """Printed around the tray, in the plane of the table."""

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
        found = _parsed(data)
        if not isinstance(found, TrayProfile):
            raise ProfileError(found)
        return found

    def to_json(self) -> dict[str, Any]:
        """The profile as in a file; what is unknown is left out."""
        return dict(to_json(self))


_SHAPE = Shape(
    TrayProfile, required=("version", "scale"), tags=frozenset({"disc", "pentagon", "polygon"})
)


def format_problems(data: object) -> tuple[ProfileProblem, ...]:
    """All that is wrong with a decoded profile file; empty for one that can be used."""
    found = _parsed(data)
    return () if isinstance(found, TrayProfile) else found


def profile_schema() -> dict[str, Any]:
    """The JSON schema of a tray profile's file."""
    version = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": version, **_SHAPE.schema(), "title": "Trayscore tray profile"}


def _parsed(data: object) -> TrayProfile | tuple[ProfileProblem, ...]:
    """The profile, or all that is wrong: its writing first, then what no tray can be."""
    if not isinstance(data, dict):
        return (ProfileProblem("", "A profile is a JSON object with the tray's measures."),)
    found = _SHAPE.load({key: value for key, value in data.items() if (key, value) != _KIND})
    if isinstance(found, TrayProfile):
        return tuple(impossibilities(found)) or found
    return tuple(ProfileProblem(fault.where, _sentence(fault)) for fault in found)


def _sentence(fault: Fault) -> str:
    match fault.kind:
        case "missing":
            return f"{fault.where} is missing."
        case "unknown":
            return f"{fault.where} is not known in a profile."
        case _:
            return f"{fault.where} is {_short(fault.value)} instead of {fault.wanted}."


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


_KIND = ("kind", "tray")
"""A file may say what it is a profile of; one that does not is a tray's."""

BUILT_IN = ("disc", "pentagon")

TRAYS = ProfileKind(
    kind=_KIND[1],
    parse=TrayProfile.from_json,
    folder=PROFILES,
    package="calibration.dimension",
    built_in=BUILT_IN,
    unnamed=True,
)

load_profile = TRAYS.load
read_profile = TRAYS.read
save_profile = TRAYS.save
profile_file = TRAYS.file
profile_names = TRAYS.names
