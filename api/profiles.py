"""Profiles that the service keeps: built-in ones, and those measured from photos, of any kind."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from api.problems import Problem
from api.versions import short_hash
from calibration.profile_files import Profile, ProfileError, ProfileKind, kind_in
from calibration.profiles import KINDS, profile_kind

NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
"""What a profile may be called. Its file has the same name, so nothing special to file systems."""

TRAY = "tray"

_NAME = re.compile(rf"{NAME}\Z")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)\Z")


@dataclass(frozen=True)
class KnownProfile:
    """A profile by name, its kind, and whether it is built in or was measured here."""

    name: str
    kind: str
    built_in: bool


@dataclass(frozen=True)
class MeasuredProfile:
    """A profile just measured, with warnings about it."""

    profile: Profile
    warnings: tuple[str, ...] = ()
    kind: str = TRAY


class Profiles:
    """The profiles of all kinds in one folder, beside the built-in ones."""

    def __init__(self, directory: Path, most: int) -> None:
        self._directory = directory
        self._most = most
        self._lock = Lock()

    def known(self, kind: str | None = None) -> list[KnownProfile]:
        """The profiles of a kind, or all: built-in ones first, the others in order of name."""
        built_in = [
            KnownProfile(name, each, True) for each in KINDS for name in profile_kind(each).built_in
        ]
        taken = {profile.name for profile in built_in}
        own = [profile for profile in self._own() if profile.name not in taken]
        return [profile for profile in (*built_in, *own) if kind in (None, profile.kind)]

    def _own(self) -> Iterator[KnownProfile]:
        for file in sorted(self._directory.glob("*.json"), key=lambda file: file.stem):
            if _NAME.match(file.stem):
                with suppress(ProfileError):  # of a kind that another version knows
                    yield KnownProfile(file.stem, self._kind_in(file).kind, False)

    def get(self, name: str, kind: str | None = None) -> tuple[str, Any]:
        """The kind of a profile, and the profile; raises ``Problem`` if there is none."""
        word = TRAY if kind == TRAY else "profile"  # clients know trays by codes of their own
        for each in KINDS if kind is None else (kind,):
            if name in profile_kind(each).built_in:
                return each, profile_kind(each).built_in_profile(name)
        file = self._file(name)
        if _NAME.match(name) is None or not file.is_file():
            raise Problem(404, f"no_such_{word}", f"There is no {word} of this name.")
        try:
            found = self._kind_in(file)
            profile = found.read(file)
        except ProfileError as error:
            text = f"This profile's file is damaged: {error}"
            raise Problem(409, f"bad_{word}", text) from error
        if kind not in (None, found.kind):
            text = f"This profile is of kind {found.kind}, not {kind}."
            raise Problem(409, f"bad_{word}", text)
        return found.kind, profile

    def check_free(self, name: str, kind: str = TRAY) -> None:
        """Raise ``Problem`` if a profile cannot be kept under this name."""
        if _NAME.match(name) is None or _RESERVED.match(name):
            text = "A name has up to 64 letters, digits, dots, dashes and underscores."
            raise Problem(422, "bad_name", text)
        known = self.known()
        if name.lower() in {profile.name.lower() for profile in known} | self._names():
            raise Problem(409, "name_taken", "There is already a profile of this name.")
        if sum(not profile.built_in for profile in known) >= self._most:
            word = "trays" if kind == TRAY else "profiles"
            text = f"No more than {self._most} profiles can be kept."
            raise Problem(409, f"too_many_{word}", text)

    def add(self, measured: MeasuredProfile, request: str | None = None) -> None:
        """Keep a profile; raises ``Problem`` if its name was taken in the meantime.

        ``request`` identifies the request if it is sent again (see ``made_by``).
        """
        profile = measured.profile
        with self._lock:
            self.check_free(profile.name, measured.kind)
            if request is not None:
                self._directory.mkdir(parents=True, exist_ok=True)
                noted = {"request": request, "warnings": measured.warnings}
                self._note(profile.name).write_text(json.dumps(noted), "utf-8")
            part = self._directory / f".{profile.name}.part"
            profile_kind(measured.kind).save(profile, part)
            part.replace(self._file(profile.name))

    def made_by(self, name: str, request: str | None) -> MeasuredProfile | None:
        """The profile of this name if this very request made it and its answer was lost."""
        if request is None or _NAME.match(name) is None:
            return None
        try:
            noted = json.loads(self._note(name).read_text("utf-8"))
            if noted["request"] != request:
                return None
            kind = self._kind_in(self._file(name))
            profile = kind.read(self._file(name))
            return MeasuredProfile(profile, tuple(noted["warnings"]), kind.kind)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _kind_in(self, file: Path) -> ProfileKind[Any]:
        return profile_kind(kind_in(file) or TRAY)  # the oldest files name no kind

    def _names(self) -> set[str]:
        """Names of all files, in small letters: some file systems see no difference."""
        return {file.stem.lower() for file in self._directory.glob("*.json")}

    def _note(self, name: str) -> Path:
        return self._directory / f"{name}.request"

    def _file(self, name: str) -> Path:
        return self._directory / f"{name}.json"


class Trays:
    """The profiles of trays among all."""

    def __init__(self, profiles: Profiles) -> None:
        self._profiles = profiles

    def known(self) -> list[KnownProfile]:
        """All trays: built-in ones first, then the others in order of name."""
        return self._profiles.known(TRAY)

    def get(self, name: str) -> Profile:
        """The profile of this tray; raises ``Problem`` if there is none."""
        profile: Profile = self._profiles.get(name, TRAY)[1]
        return profile

    def versions(self) -> dict[str, str]:
        """A short hash of each profile that can be read, by name."""
        found = {}
        for tray in self.known():
            with suppress(Problem):  # a damaged one reads nothing, so it has no version
                found[tray.name] = profile_version(self.get(tray.name))
        return found


def profile_version(profile: Profile) -> str:
    """A short hash of all that a profile says."""
    return version_of(profile.to_json())


def version_of(profile: Mapping[str, Any]) -> str:
    """The same of a profile as decoded JSON."""
    return short_hash(json.dumps(profile, sort_keys=True).encode())
