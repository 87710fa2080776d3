"""What photos of a tray gave: what they show, what that is worth, and who read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from api.profiles import profile_version
from api.tables.record import Record
from api.tables.table_game import TableGame
from api.versions import versions
from calibration.profile_files import Profile
from calibration.profiles import profile_kind
from vision.readers import GameReading


@dataclass(frozen=True)
class PhotoReading:
    """What photos of a tray gave: their hashes, the reading, its worth, and who read."""

    photos: tuple[str, ...]
    reading: Mapping[str, Any]
    position: str
    doubt: Mapping[str, Any] | None
    reader: Mapping[str, Any]


def photo_names(photos: tuple[str, ...]) -> str | tuple[str, ...]:
    """What a reading calls its photos: by their hashes."""
    return photos[0] if len(photos) == 1 else photos


def worth(record: Record, number: int, reading: GameReading) -> Mapping[str, Any] | None:
    """What the reading is worth under doubt; None where nothing can be as it was read."""
    return record.game.doubt(record.state, number, reading)


def reader(game: TableGame, profile: Profile | None) -> dict[str, Any]:
    """Who reads: versions of program, models and profiles."""
    built_in = built_in_profiles(game.profile_kind)
    used = {profile.name: profile_version(profile)} if profile is not None else built_in
    return {**versions(game.id), "trays": used}


@cache
def built_in_profiles(kind: str | None) -> dict[str, str]:
    """The versions of the built-in profiles of a kind, by name; none of no kind."""
    if kind is None:
        return {}
    known = profile_kind(kind)
    return {name: profile_version(known.built_in_profile(name)) for name in known.built_in}
