"""Disputes: what each step adds to the history, who must agree to what, and how they end."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from api.problems import Problem
from api.tables.access import Actor
from api.tables.dispute_record import DisputeRecord, Outcome
from api.tables.draft import Draft
from api.tables.play import known_player, sent_in
from api.tables.record import Record
from api.tables.round_record import Json
from api.tables.table_game import rules
from api.tables.voices import (
    Voice,
    is_own,
    may_withdraw,
    refuse_other_voice,
    refuse_speaking_over,
    spoken_for,
    token_maker,
)

MOST_PHOTOS = 8
"""Photos of one position that are read together."""

_POSSIBLE = 0.01
"""Positions less probable than this are not held possible when a dispute stays unresolved."""


@dataclass(frozen=True)
class Agreed:
    """The position that owner and enough others consented to."""

    position: str
    players: tuple[str, ...]
    spoken_for: tuple[str, ...]
    """Those of them for whom the host's device spoke."""


@dataclass(frozen=True)
class Disputed:
    """What somebody wants to dispute: whose submission, what of it by the game's keys, why."""

    round: int
    player: str
    about: Json
    text: str


def open_dispute(record: Record, actor: Actor, asked: Disputed) -> Draft:
    """A dispute is opened and freezes its round."""
    sent = sent_in(record, asked.round, asked.player)
    if not sent.legal:
        text = "This tray is still to be corrected: there is nothing to dispute yet."
        raise Problem(409, "tray_unfinished", text)
    for dispute in record.disputes:
        same = (dispute.round, dispute.player) == (asked.round, asked.player)
        if same and dispute.settled is None:
            text = f"Dispute {dispute.id} about this tray is open already."
            raise Problem(409, "dispute_open", text)
    game, place = record.game, (asked.round, asked.player)
    about = game.about(record.state, asked.round, asked.about)
    body = {
        "dispute": len(record.disputes) + 1,
        "round": asked.round,
        "player": asked.player,
        **about,
        "text": asked.text,
        game.names.position: sent.position,
        "points": game.worth(record.state, *place, sent.position)[0],
        "made_by": token_maker(record, actor),
    }
    return Draft("dispute_opened", {**body, **_hangs_on(record, *place, about, sent.reading)})


def _hangs_on(
    record: Record, number: int, player: str, about: Json, reading: Json | None
) -> dict[str, Any]:
    dispute = {"round": number, "player": player, "about": about}
    return dict(record.game.hangs_on(record.state, dispute, reading))


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
    """All photos of what is disputed: its own first, then those added."""
    sent = record.plays[dispute.round - 1].sent[dispute.player]
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
    shown = _hangs_on(record, dispute.round, dispute.player, dispute.about, reading)
    body = {**_about(dispute), "reading": reading, "reader": reader, **shown}
    return Draft("dispute_photos", body, photos)


def consent(record: Record, actor: Actor, number: int, who: Voice, position: str) -> Draft:
    """A player says what the position is."""
    dispute = open_one(record, number)
    known_player(record, who.player)
    refuse_other_voice(record, actor, who)
    refuse_speaking_over(dispute, who)
    body = {
        **_about(dispute),
        "consents": who.player,
        "means": who.means,
        "made_by": who.made_by,
        record.game.names.position: record.game.legal(position),
    }
    return Draft("dispute_consent", body)


def agreement(record: Record, dispute: DisputeRecord) -> Agreed | None:
    """What owner and one opponent (alone: the owner) both said; None if they differ."""
    owner, game = dispute.consents.get(dispute.player), record.game
    if owner is None:
        return None
    with_it = {
        player: given
        for player, given in dispute.consents.items()
        if game.same(given.position, owner.position)
    }
    for_whom = spoken_for(record, dispute.player, with_it)
    return None if for_whom is None else Agreed(owner.position, tuple(with_it), for_whom)


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
    as_it_is = agreed is not None and record.game.same(agreed.position, dispute.position)
    if outcome == "upheld":
        withdrawn = may_withdraw(dispute, actor, voice)
        _refuse_upholding(withdrawn or as_it_is)
        ending = _ending(record, dispute, outcome, dispute.position, agreed, now)
        return replace(
            ending, body={**ending.body, "withdrawn_by": dispute.by if withdrawn else None}
        )
    if outcome == "corrected":
        if agreed is None:
            raise Problem(409, "consent_missing", _who_is_missing(record, dispute))
        if as_it_is:
            text = "They agree that the tray is right as it is: resolve it as upheld."
            raise Problem(409, "nothing_to_correct", text)
        return _ending(record, dispute, outcome, agreed.position, agreed, now)
    _refuse_giving_up(record, dispute, agreed, actor)
    favoured: Literal["owner", "opponents"] = record.opened["unresolved"]
    chosen = _favoured(record, dispute, favoured)
    return _ending(record, dispute, outcome, chosen, None, now)


def _refuse_upholding(stands: bool) -> None:
    if stands:
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


def possible_positions(record: Record, dispute: DisputeRecord) -> list[str]:
    """What the photos leave possible, the position that counts now first."""
    current = str(rules(record.game).parse(dispute.position))
    sent = record.plays[dispute.round - 1].sent[dispute.player]
    read = dispute.reading or sent.reading
    if read is None:
        return [current]
    chances = record.game.possibilities(read)
    likely = [position for position, p in chances.items() if p >= _POSSIBLE]
    return [current, *(position for position in likely if position != current)]


def _favoured(
    record: Record, dispute: DisputeRecord, favoured: Literal["owner", "opponents"]
) -> str:
    """Of the positions that are possible, the best or the worst for the owner."""

    def worth(position: str) -> tuple[int, ...]:
        return record.game.worth(record.state, dispute.round, dispute.player, position)

    positions = possible_positions(record, dispute)
    return max(positions, key=worth) if favoured == "owner" else min(positions, key=worth)


def _ending(
    record: Record,
    dispute: DisputeRecord,
    outcome: Outcome,
    position: str,
    agreed: Agreed | None,
    now: float,
) -> Draft:
    reason = f"dispute {dispute.id}: {outcome}"
    game, place, event = record.game, (dispute.round, dispute.player), None
    if not game.same(position, dispute.position):
        event = game.corrected(*place, position, reason, now)
    body = {
        **_about(dispute),
        "event": event,
        "outcome": outcome,
        "before": dispute.position,
        "after": position if event else dispute.position,
        "points": game.worth(record.state, *place, position)[0],
        "favoured": record.opened["unresolved"] if outcome == "unresolved" else None,
        "withdrawn_by": None,
        "reason": reason,
        "spoken_for": list(agreed.spoken_for) if agreed else [],
    }
    return Draft("dispute_resolved", body)


def _about(dispute: DisputeRecord) -> dict[str, Any]:
    return {"dispute": dispute.id, "round": dispute.round, "player": dispute.player}
