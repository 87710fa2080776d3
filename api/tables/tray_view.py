"""A player's tray as every device shows it."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote

from api.models.scores import DoubtBody, LayoutProblem
from api.models.trays import (
    CorrectionState,
    PhotoState,
    ReadingBrief,
    TrayInUse,
    TrayScore,
    TrayState,
)
from api.storage.photos import MEDIA_TYPES
from api.storage.tables import FileRow
from api.tables.record import Record
from api.tables.round_record import Sent
from rules.dimension.game import Game
from rules.dimension.layout import Layout
from rules.dimension.scoring import RoundScore

Files = Mapping[str, FileRow]


def tray_state(record: Record, number: int, player: str, files: Files) -> TrayState:
    """A player's tray in a round."""
    sent = record.plays[number - 1].trays[player]
    layout = Layout.parse(sent.layout)
    score = record.game.score(number, player) if sent.legal else None
    return TrayState(
        player=player,
        layout=sent.layout if sent.legal else None,
        problems=[LayoutProblem.model_validate(one.to_json()) for one in layout.problems()],
        by=sent.by,
        sender=sent.sender,
        submitted_at=sent.at,
        late=is_late(record.game, number, player, sent),
        photos=photo_states(record.table, sent.photos, files),
        overlay=f"{_place(record.table, number, player)}/overlay.webp" if sent.photos else None,
        reading=reading_brief(sent.reading),
        doubt=None if sent.doubt is None else DoubtBody.model_validate(sent.doubt),
        corrections=[
            CorrectionState(
                at=change.at,
                actor=change.actor,
                before=change.before,
                after=change.after,
                reason=change.reason,
                dispute=change.dispute,
            )
            for change in sent.changes
        ],
        score=None if score is None else tray_score(score),
    )


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


def _place(table: str, number: int, player: str) -> str:
    return f"/v1/tables/{table}/rounds/{number}/trays/{quote(player, safe='')}"


def is_late(game: Game, number: int, player: str, sent: Sent) -> bool:
    """Whether the tray came after the hourglass."""
    round_ = game.rounds[number - 1]
    if sent.legal:
        return round_.trays[player].late
    return round_.is_late(sent.at, game.settings.hourglass_s)


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


def reading_brief(reading: Mapping[str, object] | None) -> ReadingBrief | None:
    """What a screen needs of a reading."""
    return None if reading is None else ReadingBrief.model_validate(reading)


def tray_score(score: RoundScore) -> TrayScore:
    """A score with its verdicts."""
    told = {**score.to_json(), "verdicts": [verdict.to_json() for verdict in score.verdicts]}
    return TrayScore.model_validate({**told, "decisive_rulings": list(score.decisive_rulings)})
