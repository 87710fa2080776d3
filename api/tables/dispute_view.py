"""A dispute as every device shows it."""

from api.models.disputes import Agreement, ConsentState, Dispute
from api.models.scores import DoubtBody, VerdictBody
from api.tables.dispute_record import DisputeRecord
from api.tables.disputes import agreement
from api.tables.record import Record
from api.tables.tray_view import Files, photo_states, reading_brief
from api.tables.voices import is_own


def dispute_state(record: Record, dispute: DisputeRecord, files: Files) -> Dispute:
    """A dispute: what it is about, what the evidence says, who agreed to what, how it ended."""
    sent = record.plays[dispute.round - 1].trays[dispute.player]
    settled, agreed = dispute.settled, agreement(record, dispute)
    ends = settled or agreed
    photos = (*sent.photos, *dispute.photos)
    pictures = f"/v1/tables/{record.table}/disputes/{dispute.id}" if photos else None
    return Dispute(
        id=dispute.id,
        status="open" if settled is None else settled.outcome,
        round=dispute.round,
        player=dispute.player,
        card=dispute.card,
        seat=dispute.seat,
        text=dispute.text,
        opened_at=dispute.at,
        opened_by=dispute.by,
        resolved_at=None if settled is None else settled.at,
        resolved_by=None if settled is None else settled.by,
        layout_before=dispute.layout,
        layout_after=None if settled is None else settled.layout,
        points_before=dispute.points,
        points_after=None if settled is None else settled.points,
        photos=photo_states(record.table, photos, files),
        reading=reading_brief(dispute.reading or sent.reading),
        doubt=None if dispute.doubt is None else DoubtBody.model_validate(dispute.doubt),
        verdict=_verdict(record, dispute),
        hangs_on=list(dispute.hangs_on),
        advice=dispute.advice,
        crop=f"{pictures}/crop.webp" if pictures else None,
        overlay=f"{pictures}/overlay.webp" if pictures else None,
        consents=[
            ConsentState(
                player=player,
                layout=given.layout,
                at=given.at,
                by=given.means,
                made_by=given.made_by,
                on=given.on,
                own=is_own(given),
            )
            for player, given in dispute.consents.items()
        ],
        agreement=None
        if agreed is None
        else Agreement(layout=str(agreed.layout), players=list(agreed.players)),
        favoured=None if settled is None else settled.favoured,
        spoken_for=list(ends.spoken_for) if ends else [],
    )


def _verdict(record: Record, dispute: DisputeRecord) -> VerdictBody | None:
    if dispute.card is None:
        return None
    score = record.game.score(dispute.round, dispute.player)
    found = next(one for one in score.verdicts if str(one.card) == dispute.card)
    return VerdictBody.model_validate(found.to_json())
