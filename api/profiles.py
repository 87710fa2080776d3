"""Tray profiles that the service keeps: built-in ones, and those measured from photos."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from api.problems import Problem
from api.versions import short_hash
from calibration.profile_files import Profile, ProfileError
from calibration.profiles import profile_kind

_TRAYS = profile_kind("tray")
BUILT_IN, load_profile, read_profile, save_profile = (
    _TRAYS.built_in,
    _TRAYS.built_in_profile,
    _TRAYS.read,
    _TRAYS.save,
)

NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
"""What a tray may be called: its file's name too, so nothing that a file system reads more into."""

_NAME = re.compile(rf"{NAME}\Z")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)\Z")


@dataclass(frozen=True)
class KnownTray:
    """A tray by its name, and whether it is built in or was measured here."""

    name: str
    built_in: bool


@dataclass(frozen=True)
class MeasuredTray:
    """A tray just measured, with what should be known about it."""

    profile: Profile
    warnings: tuple[str, ...] = ()


class Trays:
    """The profiles in a directory, beside the built-in ones."""

    def __init__(self, directory: Path, most: int) -> None:
        self._directory = directory
        self._most = most
        self._lock = Lock()

    def known(self) -> list[KnownTray]:
        """All trays: built-in ones first, then the others in alphabetical order."""
        own = sorted(file.stem for file in self._directory.glob("*.json"))
        return [
            *(KnownTray(name, True) for name in BUILT_IN),
            *(KnownTray(name, False) for name in own if _NAME.match(name) and name not in BUILT_IN),
        ]

    def get(self, name: str) -> Profile:
        """The profile of this name; raises ``Problem`` if there is none."""
        if name in BUILT_IN:
            profile: Profile = load_profile(name)
            return profile
        if _NAME.match(name) is None or not self._file(name).is_file():
            raise Problem(404, "no_such_tray", "There is no tray of this name.")
        try:
            own: Profile = read_profile(self._file(name))
            return own
        except ProfileError as error:
            raise Problem(409, "bad_tray", f"This tray's file is damaged: {error}") from error

    def versions(self) -> dict[str, str]:
        """A short hash of each profile that can be read, by name."""
        found = {}
        for tray in self.known():
            with suppress(Problem):  # a damaged one reads nothing, so it has no version
                found[tray.name] = profile_version(self.get(tray.name))
        return found

    def check_free(self, name: str) -> None:
        """Raise ``Problem`` if a tray cannot be kept under this name."""
        if _NAME.match(name) is None or _RESERVED.match(name):
            text = "A name has up to 64 letters, digits, dots, dashes and underscores."
            raise Problem(422, "bad_name", text)
        taken = {tray.name.lower() for tray in self.known()}
        if name.lower() in taken:
            raise Problem(409, "name_taken", "There is already a profile of this name.")
        if len(taken) - len(BUILT_IN) >= self._most:
            raise Problem(409, "too_many_trays", f"No more than {self._most} profiles can be kept.")

    def add(self, measured: MeasuredTray, request: str | None = None) -> None:
        """Keep a profile; raises ``Problem`` if its name was taken in the meantime.

        ``request`` is what the request is known by if it comes again (see ``made_by``).
        """
        profile = measured.profile
        with self._lock:
            self.check_free(profile.name)
            if request is not None:
                self._directory.mkdir(parents=True, exist_ok=True)
                noted = {"request": request, "warnings": measured.warnings}
                self._note(profile.name).write_text(json.dumps(noted), "utf-8")
            part = self._directory / f".{profile.name}.part"
            save_profile(profile, part)
            part.replace(self._file(profile.name))

    def made_by(self, name: str, request: str | None) -> MeasuredTray | None:
        """The tray of this name if just this request made it: the answer was lost on its way."""
        if request is None or _NAME.match(name) is None:
            return None
        try:
            noted = json.loads(self._note(name).read_text("utf-8"))
            if noted["request"] != request:
                return None
            return MeasuredTray(read_profile(self._file(name)), tuple(noted["warnings"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _note(self, name: str) -> Path:
        return self._directory / f"{name}.request"

    def _file(self, name: str) -> Path:
        return self._directory / f"{name}.json"


def profile_version(profile: Profile) -> str:
    """A short hash of all that a profile says."""
    return version_of(profile.to_json())


def version_of(profile: Mapping[str, Any]) -> str:
    """The same of a profile as it is written."""
    return short_hash(json.dumps(profile, sort_keys=True).encode())
