"""Profiles in files: the built-in ones and the user's, of any kind.

A profile is what was measured of a make of tray, dice, board or deck. It is a JSON file.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from calibration.data_directory import data_directory

PROFILES = "trays"
"""The folder of the data directory that holds profiles of all kinds, each with its ``kind``. It
keeps the name from when trays were the only kind, so that older versions and backups find it."""


@dataclass(frozen=True)
class ProfileProblem:
    """Something wrong with a profile: the key it is about, and a sentence for people."""

    key: str
    text: str


class ProfileError(ValueError):
    """A profile that cannot be used; ``problems`` has everything that is wrong."""

    def __init__(self, problems: Sequence[ProfileProblem]) -> None:
        super().__init__(" ".join(problem.text for problem in problems))
        self.problems = tuple(problems)


class Profile(Protocol):
    """What was measured of a make of something."""

    @property
    def name(self) -> str:
        """What the profile is called."""

    def to_json(self) -> dict[str, Any]:
        """The profile as in its file."""


ProfileT = TypeVar("ProfileT", bound=Profile)


@dataclass(frozen=True)
class ProfileKind(Generic[ProfileT]):
    """Profiles of one kind: how they are parsed, which are built in, where the user's are kept."""

    kind: str
    """What they are profiles of: ``tray``, ``dice``, ``board``, ``cards``."""
    parse: Callable[[object], ProfileT]
    """Gives the profile in decoded JSON; raises ``ProfileError`` with all that is wrong."""
    folder: str
    """In the data directory, where they were kept before all kinds shared ``PROFILES``."""
    package: str
    """Where the built-in ones are, in ``data``."""
    built_in: tuple[str, ...] = ()
    unnamed: bool = False
    """Whether a file that names no kind is of this one."""

    def load(self, name_or_file: str | Path) -> ProfileT:
        """The profile of this name (built-in, then the user's) or in this file.

        Raises ``ProfileError`` with a message that says what is wrong and where.
        """
        asked = str(name_or_file)
        if asked in self.built_in:
            return self.built_in_profile(asked)
        own = Path(asked) if _looks_like_a_file(asked) else self._own(asked)
        if not own.is_file():
            text = (
                f"There is no {self.kind} profile {asked!r}. Profiles: {', '.join(self.names())}; "
                "or give a file (*.json)."
            )
            raise ProfileError([ProfileProblem("", text)])
        return self.read(own)

    @cache  # noqa: B019 - a few kinds, a few profiles each, all for good
    def built_in_profile(self, name: str) -> ProfileT:
        """The profile of this name that comes with the program."""
        data = files(self.package) / "data" / f"{name}.json"
        return self.parse(json.loads(data.read_text(encoding="utf-8")))

    def read(self, file: Path) -> ProfileT:
        """The profile in this file; raises ``ProfileError`` with all that is wrong with it."""
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            problem = ProfileProblem("", f"{file} cannot be read as JSON: {error}")
            raise ProfileError([problem]) from error
        return self.parse(data)

    def save(self, profile: ProfileT, file: Path) -> None:
        """Write the profile; raises ``ProfileError`` rather than write one that does not load."""
        data = {"kind": self.kind, **profile.to_json()}
        self.parse(data)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def file(self, name: str) -> Path:
        """Where a user's profile of this name is kept."""
        return data_directory() / PROFILES / f"{name}.json"

    def names(self) -> tuple[str, ...]:
        """Names of all profiles: built-in ones first, then the user's in alphabetical order."""
        folders = {data_directory() / folder for folder in (PROFILES, self.folder)}
        files_ = [file for folder in folders for file in folder.glob("*.json")]
        own = sorted({file.stem for file in files_ if self.is_of_kind(file)})
        return (*self.built_in, *(name for name in own if name not in self.built_in))

    def is_of_kind(self, file: Path) -> bool:
        """Whether a file says that it is a profile of this kind."""
        kind = kind_in(file)
        return kind == self.kind or (kind is None and self.unnamed)

    def _own(self, name: str) -> Path:
        older = data_directory() / self.folder / f"{name}.json"
        return older if older.is_file() and not self.file(name).is_file() else self.file(name)


def kind_in(file: Path) -> str | None:
    """The kind that a profile's file names; None if it names none or cannot be read."""
    try:
        kind = json.loads(file.read_text(encoding="utf-8")).get("kind")
    except (OSError, ValueError, RecursionError, AttributeError):
        return None
    return kind if isinstance(kind, str) else None


def _looks_like_a_file(asked: str) -> bool:
    return asked.endswith(".json") or any(mark in asked for mark in ("/", "\\"))
