"""Board profiles: what was measured of a make of board and its cubes, in spaces of the board."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from calibration.cube.colors import Palette
from calibration.profile_files import ProfileError, ProfileKind, ProfileProblem

VERSION = 1
KIND = "board"
COLORS = 4
SLIMMEST_CUBE, WIDEST_CUBE = 0.7, 1.0
WIDEST_BORDER = 2.0

_KEYS = {"kind", "version", "name", "letters", "colors", "cube", "border", "supply"}


@dataclass(frozen=True)
class BoardProfile:
    """A board and its cubes. Lengths are in spaces: a space of the field is 1 wide."""

    name: str
    palette: Palette
    cube: float = 0.9
    """Edge of a cube."""
    border: float = 0.4
    """How far the board goes on beyond its field."""
    supply: int | None = None
    """Cubes of a colour, where that is known."""

    @classmethod
    def from_json(cls, data: object) -> "BoardProfile":
        """The profile in decoded JSON; raises ``ProfileError`` with all that is wrong."""
        wrong = problems(data)
        if wrong:
            raise ProfileError(wrong)
        assert isinstance(data, Mapping)
        letters = str(data["letters"])
        colors = tuple(
            (float(red), float(green), float(blue))
            for red, green, blue in (data["colors"][letter] for letter in letters)
        )
        supply = data.get("supply")
        return cls(
            str(data["name"]), Palette(letters, colors), float(data["cube"]),
            float(data["border"]), None if supply is None else int(supply),
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """The profile as in its file."""
        colors = {
            letter: [round(value, 1) for value in color]
            for letter, color in zip(self.palette.letters, self.palette.colors, strict=True)
        }
        told: dict[str, Any] = {
            "kind": KIND, "version": VERSION, "name": self.name, "letters": self.palette.letters,
            "colors": colors, "cube": round(self.cube, 4), "border": round(self.border, 4),
        }  # fmt: skip
        return told if self.supply is None else {**told, "supply": self.supply}


def problems(data: object) -> tuple[ProfileProblem, ...]:
    """All that is wrong with a board's profile as decoded JSON."""
    if not isinstance(data, Mapping):
        return (ProfileProblem("", "A board's profile is a JSON object."),)
    found = [
        ProfileProblem(str(key), f"{key}: no such key in a board's profile.")
        for key in sorted(map(str, set(data) - _KEYS))
    ]

    def expect(key: str, right: bool, wanted: str) -> None:
        if not right:
            found.append(ProfileProblem(key, f"{key} is {wanted}."))

    expect("kind", data.get("kind") == KIND, f"{KIND!r}")
    expect("version", data.get("version") == VERSION, str(VERSION))
    name = data.get("name")
    named = isinstance(name, str) and bool(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name))
    expect("name", named, "a name of up to 64 letters, digits, dots, dashes and underscores")
    letters = data.get("letters")
    four = isinstance(letters, str) and is_letters(letters)
    expect("letters", four, "four different capital letters")
    expect("colors", four and _are_colors(data.get("colors"), str(letters)),
           "an object with red, green and blue, 0 to 255, for each letter")  # fmt: skip
    cube, border, supply = data.get("cube"), data.get("border"), data.get("supply")
    expect("cube", _is_number(cube, SLIMMEST_CUBE, WIDEST_CUBE),
           f"a cube's edge in spaces, {SLIMMEST_CUBE} to {WIDEST_CUBE}")  # fmt: skip
    expect("border", _is_number(border, 0.0, WIDEST_BORDER),
           f"a border's width in spaces, 0 to {WIDEST_BORDER:g}")  # fmt: skip
    right = supply is None or (type(supply) is int and 1 <= supply <= 64)
    expect("supply", right, "a number of cubes from 1 to 64")
    return tuple(found)


def is_letters(text: str) -> bool:
    """Whether a text is four different capital letters."""
    return bool(re.fullmatch(r"[A-Z]{4}", text)) and len(set(text)) == COLORS


def _are_colors(colors: object, letters: str) -> bool:
    if not isinstance(colors, Mapping) or set(colors) != set(letters):
        return False
    return all(
        isinstance(color, list | tuple)
        and len(color) == 3
        and all(_is_number(value, 0.0, 255.0) for value in color)
        for color in colors.values()
    )


def _is_number(value: object, low: float, high: float) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return isfinite(value) and low <= value <= high


BUILT_IN = ("classic",)

BOARDS = ProfileKind(
    kind=KIND,
    parse=BoardProfile.from_json,
    folder="boards",
    package="calibration.cube",
    built_in=BUILT_IN,
)

load_profile = BOARDS.load
