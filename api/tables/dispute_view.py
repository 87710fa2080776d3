"""A dispute as every device shows it."""

from pydantic import BaseModel

from api.tables.dispute_record import DisputeRecord
from api.tables.disputes import agreement
from api.tables.record import Record
from api.tables.submission_view import Files, photo_states
from api.tables.voices import is_own


def dispute_state(record: Record, dispute: DisputeRecord, files: Files) -> BaseModel:
    """A dispute: what it is about, what the evidence says, who agreed to what, how it ended."""
    sent, game = record.plays[dispute.round - 1].sent[dispute.player], record.game
    settled, agreed, position = dispute.settled, agreement(record, dispute), game.names.position
    ends = settled or agreed
    photos = (*sent.photos, *dispute.photos)
    pictures = f"/v1/tables/{record.table}/disputes/{dispute.id}" if photos else None
    shown = {
        "id": dispute.id,
        "status": "open" if settled is None else settled.outcome,
        "round": dispute.round,
        "player": dispute.player,
        **dispute.about,
        "text": dispute.text,
        "opened_at": dispute.at,
        "opened_by": dispute.by,
        "resolved_at": None if settled is None else settled.at,
        "resolved_by": None if settled is None else settled.by,
        f"{position}_before": dispute.position,
        f"{position}_after": None if settled is None else settled.position,
        "points_before": dispute.points,
        "points_after": None if settled is None else settled.points,
        "photos": photo_states(record.table, photos, files),
        "reading": dispute.reading or sent.reading,
        "doubt": dispute.doubt,
        "hangs_on": list(dispute.hangs_on),
        "advice": dispute.advice,
        "crop": f"{pictures}/crop.webp" if pictures else None,
        "overlay": f"{pictures}/overlay.webp" if pictures else None,
        "consents": [
            {
                "player": player,
                position: given.position,
                "at": given.at,
                "by": given.means,
                "made_by": given.made_by,
                "on": given.on,
                "own": is_own(given),
            }
            for player, given in dispute.consents.items()
        ],
        "agreement": None
        if agreed is None
        else {position: agreed.position, "players": list(agreed.players)},
        "favoured": None if settled is None else settled.favoured,
        "spoken_for": list(ends.spoken_for) if ends else [],
    }
    return game.models.dispute.model_validate({**shown, **game.dispute_shown(record, dispute)})
