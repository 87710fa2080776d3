"""What a player sent in, as every device shows it, and the profile it is read by."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from api.models.submissions import PhotoState, TrayInUse
from api.storage.photos import MEDIA_TYPES
from api.storage.tables import FileRow
from api.tables.record import Record

Files = Mapping[str, FileRow]


def submission_state(record: Record, number: int, player: str, files: Files) -> dict[str, Any]:
    """What a player sent in for a round; the game's models check it."""
    sent, names = record.plays[number - 1].sent[player], record.game.names
    place = _place(record.table, number, names.submissions, player)
    return {
        "player": player,
        names.position: sent.position if sent.legal else None,
        "by": sent.by,
        "sender": sent.sender,
        "submitted_at": sent.at,
        "photos": photo_states(record.table, sent.photos, files),
        "overlay": f"{place}/overlay.webp" if sent.photos else None,
        "reading": sent.reading,
        "doubt": sent.doubt,
        "corrections": [vars(change) for change in sent.changes],
        **record.game.submission_shown(record, number, player, sent),
    }


def tray_in_use(record: Record, player: str | None, files: Files) -> TrayInUse:
    """The profile for a player's tray; for the whole table's if none is named."""
    choice = record.tray if player is None else record.tray_of(player)
    own = player in record.own_trays
    if choice is None:
        return TrayInUse(
            name=None, version=None, own=own, set_at=None, set_by=None, start_photos=[]
        )
    return TrayInUse(
        name=choice.name,
        version=choice.version,
        own=own,
        set_at=choice.at,
        set_by=choice.by,
        start_photos=photo_states(record.table, choice.photos, files),
    )


def _place(table: str, number: int, submissions: str, player: str) -> str:
    last = "trays" if submissions == "trays" else "entries"
    return f"/v1/tables/{table}/rounds/{number}/{last}/{quote(player, safe='')}"


def photo_states(table: str, digests: Iterable[str], files: Files) -> list[PhotoState]:
    """Kept photos, and where to fetch them."""
    return [
        PhotoState(
            sha256=digest,
            media_type=MEDIA_TYPES[files[digest].suffix],
            bytes=files[digest].size,
            url=f"/v1/tables/{table}/photos/{digest}",
        )
        for digest in digests
        if digest in files
    ]
