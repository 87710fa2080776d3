"""What photos of a tray gave: what they show, what that is worth, and who read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from api.doubts import doubt
from api.profiles import profile_version
from api.tables.record import Record
from api.versions import versions
from calibration.dimension.profile import BUILT_IN, TrayProfile, load_profile
from rules.dimension.layout import Layout
from vision.dimension.reading import Reading


@dataclass(frozen=True)
class PhotoReading:
    """What photos of a tray gave: their hashes, the reading, its worth, and who read."""

    photos: tuple[str, ...]
    reading: Mapping[str, Any]
    layout: Layout
    doubt: Mapping[str, Any] | None
    reader: Mapping[str, Any]


def photo_names(photos: tuple[str, ...]) -> str | tuple[str, ...]:
    """What a reading calls its photos: by their hashes."""
    return photos[0] if len(photos) == 1 else photos


def worth(record: Record, number: int, reading: Reading) -> Mapping[str, Any] | None:
    """What the reading is worth under doubt; None where no tray can be as it was read."""
    if reading.layout is None or reading.layout.problems():
        return None
    game = record.game
    cards = game.rounds[number - 1].cards
    return doubt(reading, cards, game.edition, game.settings.rulings).to_json()


def reader(profile: TrayProfile | None) -> dict[str, Any]:
    """Who reads: versions of program, models and tray profiles."""
    used = {profile.name: profile_version(profile)} if profile is not None else built_in_trays()
    return {**versions(), "trays": used}


@cache
def built_in_trays() -> dict[str, str]:
    """The versions of the built-in profiles, by name."""
    return {name: profile_version(load_profile(name)) for name in BUILT_IN}
