"""What photos of a tray and those who read them must be, as far as a history can tell."""

from collections.abc import Mapping
from typing import Any

from api.evidence.told import Falsehood, Told
from api.tables.photo_reading import built_in_profiles, photo_names
from api.tables.record import Record
from api.tables.table_game import TableGame
from api.versions import program, versions
from vision.readers import GameReading


def is_ours(record: Record) -> bool:
    """Whether this very program wrote what the table's history says now."""
    return record.program is not None and dict(record.program) == program()


def read_photos(game: TableGame, told: Mapping[str, Any], photos: tuple[str, ...]) -> GameReading:
    """The reading of these photos; raises ``Falsehood`` if it is none, or of others."""
    if not photos:
        raise Falsehood("there are no photos that could have been read")
    if len(set(photos)) < len(photos):
        raise Falsehood("a photo is there twice")
    reading = game.parse_reading(told)
    names = photo_names(photos)
    if told["photo"] != (names if isinstance(names, str) else list(names)):
        raise Falsehood("the reading is not of its photos")
    return reading


def expected_reader(record: Record, told: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Who should have read: this program, by a profile that the table had set.

    What another program and its models were, nobody can say: that is taken as told.
    """
    if told is None:
        return {}
    body = Told(told)
    used = body.mapping("trays")
    if not _was_set(record, used):
        raise Falsehood("its photos were read by a tray profile that this table never set")
    if is_ours(record):
        return {**versions(record.game.id), "trays": used}
    version = body.text("program") if record.program is None else record.program["version"]
    return {
        "program": version,
        "models": body.mapping("models"),
        "deck": body.text("deck"),
        "trays": used,
    }


def _was_set(record: Record, used: Mapping[str, Any]) -> bool:
    """Whether these profiles are one that was set by then, or the built-in ones."""
    if not used or not all(isinstance(version, str) for version in used.values()):
        return False
    for choice in record.trays_set:
        if choice.name in used and len(used) == 1 and choice.version in (None, used[choice.name]):
            return True
    if not is_ours(record):
        return len(used) > 1
    return dict(used) == built_in_profiles(record.game.profile_kind)
