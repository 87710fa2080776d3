"""Disputes: what each step adds to the history, who must agree to what, and how they end."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from api.models.disputes import DisputeRequest
from api.problems import Problem
from api.tables.access import Actor
from api.tables.dispute_record import DisputeRecord, Outcome
from api.tables.hanging import what_it_hangs_on
from api.tables.play import Draft, known_player, sent_tray
from api.tables.record import Record
from api.tables.voices import (
    Voice,
    is_own,
    may_withdraw,
    refuse_other_voice,
    refuse_speaking_over,
    spoken_for,
    token_maker,
)
from rules.dimension.cards import Card
from rules.dimension.game import TrayCorrected, event_to_json
from rules.dimension.layout import Layout, LayoutError
from rules.dimension.scoring import score_round
from vision.dimension.reading import Reading

MOST_PHOTOS = 8
"""Photos of one tray that are read together."""

_POSSIBLE = 0.01
"""Layouts less probable than this are not held possible when a dispute stays unresolved."""


@dataclass(frozen=True)
class Agreed:
    """The layout that owner and enough others consented to."""

    layout: Layout
    players: tuple[str, ...]
    spoken_for: tuple[str, ...]
    """Those of them for whom the host's device spoke."""


def open_dispute(record: Record, actor: Actor, asked: DisputeRequest) -> Draft:
    """A dispute is opened and freezes its round."""
    sent = sent_tray(record, asked.round, asked.player)
    if not sent.legal:
        text = "This tray is still to be corrected: there is nothing to dispute yet."
        raise Problem(409, "tray_unfinished", text)
    for dispute in record.disputes:
        same = (dispute.round, dispute.player) == (asked.round, asked.player)
        if same and dispute.settled is None:
            text = f"Dispute {dispute.id} about this tray is open already."
            raise Problem(409, "dispute_open", text)
    body = {
        "dispute": len(record.disputes) + 1,
        "round": asked.round,
        "player": asked.player,
        "card": _revealed(record, asked.round, asked.card),
        "seat": asked.seat,
        "text": asked.text,
        "layout": sent.layout,
        "points": record.game.score(asked.round, asked.player).points,
        "made_by": token_maker(record, actor),
    }
    return Draft("dispute_opened", {**body, **what_it_hangs_on(record, body, sent.reading)})


def _revealed(record: Record, number: int, code: str | None) -> str | None:
    """The code of a card as it lies on the table."""
    if code is None:
        return None
    wanted = Card.parse(code).key
    for card in record.game.rounds[number - 1].cards:
        if card.key == wanted:
            return str(card)
    raise Problem(422, "not_revealed", f"{code} does not lie on the table in round {number}.")


def known_dispute(record: Record, number: int) -> DisputeRecord:
    """The dispute with this number; raises ``Problem`` if there is none."""
    if not 1 <= number <= len(record.disputes):
        raise Problem(404, "no_dispute", f"There is no dispute {number} at this table.")
    return record.disputes[number - 1]


def open_one(record: Record, number: int) -> DisputeRecord:
    """The dispute with this number; raises ``Problem`` unless it is open."""
    dispute = known_dispute(record, number)
    if dispute.settled is not None:
        text = f"Dispute {number} is resolved: it was {dispute.settled.outcome}."
        raise Problem(409, "dispute_resolved", text)
    return dispute


def photos_of(record: Record, dispute: DisputeRecord) -> tuple[str, ...]:
    """All photos of the disputed tray: its own first, then those added."""
    sent = record.plays[dispute.round - 1].trays[dispute.player]
    return (*sent.photos, *dispute.photos)


def refuse_photos(record: Record, dispute: DisputeRecord, added: tuple[str, ...]) -> None:
    """Raise ``Problem`` if photos to be added are too many, or no new witnesses."""
    earlier = photos_of(record, dispute)
    if set(earlier) & set(added):
        raise Problem(409, "same_photo", "This photo is there already: take another one.")
    if len(earlier) + len(added) > MOST_PHOTOS:
        text = f"A tray is judged by {MOST_PHOTOS} photos at most."
        raise Problem(409, "too_many_photos", text)


def add_photos(
    record: Record,
    number: int,
    photos: tuple[str, ...],
    reading: Mapping[str, Any],
    reader: Mapping[str, Any],
) -> Draft:
    """Further photos of the untouched tray, read together with those before."""
    dispute = open_one(record, number)
    refuse_photos(record, dispute, photos)
    shown = what_it_hangs_on(record, vars(dispute), reading)
    body = {**_about(dispute), "reading": reading, "reader": reader, **shown}
    return Draft("dispute_photos", body, photos)


def consent(record: Record, actor: Actor, number: int, who: Voice, layout: str) -> Draft:
    """A player says what lies on the tray."""
    dispute = open_one(record, number)
    known_player(record, who.player)
    refuse_other_voice(record, actor, who)
    refuse_speaking_over(dispute, who)
    stated = Layout.parse(layout)
    if stated.problems():
        raise LayoutError(stated.problems())
    body = {
        **_about(dispute),
        "consents": who.player,
        "means": who.means,
        "made_by": who.made_by,
        "layout": str(stated),
    }
    return Draft("dispute_consent", body)


def agreement(record: Record, dispute: DisputeRecord) -> Agreed | None:
    """What the tray's owner and one opponent (alone: the owner) both said; None if they differ."""
    owner = dispute.consents.get(dispute.player)
    if owner is None:
        return None
    layout = Layout.parse(owner.layout)
    with_it = {
        player: given
        for player, given in dispute.consents.items()
        if Layout.parse(given.layout).same_as(layout)
    }
    for_whom = spoken_for(record, dispute.player, with_it)
    return None if for_whom is None else Agreed(layout, tuple(with_it), for_whom)


def resolve(
    record: Record,
    number: int,
    outcome: Outcome,
    actor: Actor,
    voice: Voice | None,
    now: float,
) -> Draft:
    """A dispute ends. ``voice`` is the player who showed who they are, to withdraw it."""
    dispute = open_one(record, number)
    if voice is not None:
        refuse_other_voice(record, actor, voice)
    agreed = agreement(record, dispute)
    current = Layout.parse(dispute.layout)
    if outcome == "upheld":
        withdrawn = may_withdraw(dispute, actor, voice)
        _refuse_upholding(dispute, agreed, withdrawn)
        ending = _ending(record, dispute, outcome, current, agreed, now)
        return replace(
            ending, body={**ending.body, "withdrawn_by": dispute.by if withdrawn else None}
        )
    if outcome == "corrected":
        if agreed is None:
            raise Problem(409, "consent_missing", _who_is_missing(record, dispute))
        if agreed.layout.same_as(current):
            text = "They agree that the tray is right as it is: resolve it as upheld."
            raise Problem(409, "nothing_to_correct", text)
        return _ending(record, dispute, outcome, agreed.layout, agreed, now)
    _refuse_giving_up(record, dispute, agreed, actor)
    favoured: Literal["owner", "opponents"] = record.opened["unresolved"]
    chosen = _favoured(record, dispute, favoured)
    return _ending(record, dispute, outcome, chosen, None, now)


def _refuse_upholding(dispute: DisputeRecord, agreed: Agreed | None, withdrawn: bool) -> None:
    current = Layout.parse(dispute.layout)
    if withdrawn or (agreed and agreed.layout.same_as(current)):
        return
    text = (
        "A dispute is upheld when who opened it withdraws it, or when the tray's owner and an "
        "opponent consent to the layout as it is."
    )
    raise Problem(409, "consent_missing", text)


def _refuse_giving_up(
    record: Record, dispute: DisputeRecord, agreed: Agreed | None, actor: Actor
) -> None:
    if agreed is not None:
        text = "They agree: resolve it as corrected, or as upheld."
        raise Problem(409, "agreed", text)
    opponents = set(record.players) - {dispute.player}
    both = dispute.player in dispute.consents and opponents & set(dispute.consents)
    if actor.role != "host" and not both:
        text = "Both sides are to say first what lies on the tray; or the host gives it up."
        raise Problem(409, "consent_missing", text)


def _who_is_missing(record: Record, dispute: DisputeRecord) -> str:
    if dispute.player not in dispute.consents:
        return f"The consent of {dispute.player}, whose tray it is, is missing."
    if len(record.players) == 1:
        return "Nothing was consented to."
    silent = sorted(
        player
        for player in record.own_means
        if player not in dispute.consents or not is_own(dispute.consents[player])
    )
    if silent and not all(is_own(given) for given in dispute.consents.values()):
        return (
            f"{', '.join(silent)} must say so on a device or with a PIN of their own; "
            "what the host's device says for others does not count without that."
        )
    return f"No opponent consents to what {dispute.player} says."


def possible_layouts(record: Record, dispute: DisputeRecord) -> list[Layout]:
    """What the photos leave possible, the layout that counts now first."""
    current = Layout.parse(dispute.layout)
    sent = record.plays[dispute.round - 1].trays[dispute.player]
    read = dispute.reading or sent.reading
    if read is None:
        return [current]
    chances = Reading.from_json(dict(read)).possibilities
    likely = [layout for layout, p in chances.items() if p >= _POSSIBLE and not layout.problems()]
    return [current, *(layout for layout in likely if layout != current)]


def _favoured(
    record: Record, dispute: DisputeRecord, favoured: Literal["owner", "opponents"]
) -> Layout:
    """Of the layouts that are possible, the best or the worst for the tray's owner."""
    game, round_ = record.game, record.game.rounds[dispute.round - 1]
    others = [len(tray.layout) for player, tray in round_.trays.items() if player != dispute.player]

    def worth(layout: Layout) -> tuple[int, int]:
        most = max([len(layout), *others]) if others else None
        score = score_round(layout, round_.cards, game.edition, game.settings.rulings, most)
        return score.points, score.bonus

    layouts = possible_layouts(record, dispute)
    return max(layouts, key=worth) if favoured == "owner" else min(layouts, key=worth)


def _ending(
    record: Record,
    dispute: DisputeRecord,
    outcome: Outcome,
    layout: Layout,
    agreed: Agreed | None,
    now: float,
) -> Draft:
    reason = f"dispute {dispute.id}: {outcome}"
    event = None
    if not layout.same_as(Layout.parse(dispute.layout)):
        event = event_to_json(
            TrayCorrected(dispute.round, dispute.player, str(layout), reason, now)
        )
    game, round_ = record.game, record.game.rounds[dispute.round - 1]
    score = score_round(layout, round_.cards, game.edition, game.settings.rulings)
    body = {
        **_about(dispute),
        "event": event,
        "outcome": outcome,
        "before": dispute.layout,
        "after": str(layout) if event else dispute.layout,
        "points": score.points,
        "favoured": record.opened["unresolved"] if outcome == "unresolved" else None,
        "withdrawn_by": None,
        "reason": reason,
        "spoken_for": list(agreed.spoken_for) if agreed else [],
    }
    return Draft("dispute_resolved", body)


def _about(dispute: DisputeRecord) -> dict[str, Any]:
    return {"dispute": dispute.id, "round": dispute.round, "player": dispute.player}
