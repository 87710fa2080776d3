"""Dice profiles: pictures of the six faces of a set of dice, as an enrolment photo shows them.

The pictures themselves are kept, not what a network makes of them, so that a profile stays good
when the networks are trained anew.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile_files import ProfileError, ProfileKind, ProfileProblem
from rules.high_score.dice import FACES

Picture = NDArray[np.uint8]

VERSION = 1
"""Version of the files' format."""
FACE_SIZE = 40
"""Pixels across a face's picture, with a little of what surrounds it."""
MOST_PICTURES = 12
"""Of one face."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_KEYS = {"kind", "version", "name", "faces"}


@dataclass(frozen=True, eq=False)
class DiceProfile:
    """A set of dice."""

    name: str
    faces: Mapping[str, tuple[Picture, ...]]
    """By value: pictures (``FACE_SIZE`` square; blue, green, red) of the face, one per photo."""

    @classmethod
    def from_json(cls, data: object) -> "DiceProfile":
        """The profile in a decoded file; raises ``ProfileError`` with all that is wrong."""
        if not isinstance(data, dict):
            problem = ProfileProblem("", "A profile is a JSON object with pictures of the faces.")
            raise ProfileError([problem])
        problems = list(_faults(data))
        faces: dict[str, tuple[Picture, ...]] = {}
        given = data.get("faces")
        given = given if isinstance(given, dict) else {}
        for value in FACES if given else "":
            pictures = given.get(value)
            if not isinstance(pictures, list) or not 1 <= len(pictures) <= MOST_PICTURES:
                text = f"faces.{value} must have 1 to {MOST_PICTURES} pictures."
                problems.append(ProfileProblem(f"faces.{value}", text))
                continue
            decoded = [_picture(text) for text in pictures]
            if any(picture is None for picture in decoded):
                text = f"faces.{value} has something that is no picture of a face (PNG, base64)."
                problems.append(ProfileProblem(f"faces.{value}", text))
            faces[value] = tuple(picture for picture in decoded if picture is not None)
        if problems:
            raise ProfileError(problems)
        return cls(data["name"], faces)

    def to_json(self) -> dict[str, Any]:
        """The profile as in a file."""
        faces = {value: [_text(picture) for picture in self.faces[value]] for value in FACES}
        return {"kind": "dice", "version": VERSION, "name": self.name, "faces": faces}


def _faults(data: Mapping[str, Any]) -> list[ProfileProblem]:
    """What is wrong besides the pictures."""
    found = []
    if data.get("kind") != "dice":
        found.append(ProfileProblem("kind", 'kind must be "dice".'))
    if data.get("version") != VERSION or isinstance(data.get("version"), bool):
        text = f"version must be {VERSION}, the version that this program reads."
        found.append(ProfileProblem("version", text))
    name = data.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        text = "name must be up to 64 letters, digits, dots, dashes and underscores."
        found.append(ProfileProblem("name", text))
    if not isinstance(data.get("faces"), dict):
        found.append(ProfileProblem("faces", f"faces must have pictures of {', '.join(FACES)}."))
    else:
        unknown = sorted(str(key) for key in data["faces"].keys() - set(FACES))
        found += [ProfileProblem(f"faces.{key}", f"{key!r} is no face.") for key in unknown]
    unknown = sorted(str(key) for key in data.keys() - _KEYS)
    found += [ProfileProblem(key, f"{key} is not known in a profile.") for key in unknown]
    return found


def _text(picture: Picture) -> str:
    return base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode("ascii")


def _picture(text: object) -> Picture | None:
    """The picture in a text; None if there is none, or of another size."""
    if not isinstance(text, str) or len(text) > 20_000:
        return None
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    if not content.startswith(b"\x89PNG") or content[16:24] != _SIZE_IN_PNG:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


_SIZE_IN_PNG = FACE_SIZE.to_bytes(4, "big") * 2
"""Width and height as a PNG's header has them: a picture of another size is not even decoded."""

DICE = ProfileKind(
    kind="dice", parse=DiceProfile.from_json, folder="dice", package="calibration.high_score"
)

load_profile = DICE.load
