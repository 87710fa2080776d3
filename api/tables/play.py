"""Playing a round: what each command adds to the history, or why it cannot be done now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.problems import Problem
from api.tables.access import Actor
from api.tables.photo_reading import PhotoReading
from api.tables.record import Record
from api.tables.round_record import Sent
from rules.dimension.game import Event as GameEvent
from rules.dimension.game import (
    Finished,
    HourglassEnded,
    HourglassStarted,
    IllegalMove,
    RoundClosed,
    TrayCorrected,
    TraySubmitted,
    draw,
    enter,
    event_to_json,
)
from rules.dimension.layout import Layout, LayoutError

_WRONG_IN_ITSELF = {
    *("bad_players", "bad_variant", "bad_hourglass", "bad_deck", "bad_count"),
    *("not_in_deck", "unknown_player"),
}
"""What the rules refuse whatever the table's state; all else may be right at another time."""


@dataclass(frozen=True)
class Draft:
    """An entry to be: what happened, before it is numbered and linked to the history."""

    kind: str
    body: Mapping[str, Any]
    files: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class TrayPlace:
    """Whose tray, in which round, at which table."""

    table: str
    round: int
    player: str


def refused(move: IllegalMove) -> Problem:
    """The problem for what the rules do not allow."""
    return Problem(422 if move.code in _WRONG_IN_ITSELF else 409, move.code, move.text)


def reveal(record: Record, actor: Actor, cards: Sequence[str] | None, now: float) -> Draft:
    """Cards are revealed: these, or the next of the stack."""
    actor.hosts()
    if cards is None and (
        record.game.finished or record.game.current or not record.game.rounds_left
    ):
        event: GameEvent = enter((), now)  # the rules say what is wrong
    else:
        event = draw(record.game, now) if cards is None else enter(cards, now)
    body = {
        "event": event_to_json(event),
        "round": len(record.game.rounds) + 1,
        "drawn": cards is None,
    }
    return Draft("cards_revealed", body)


def turn_hourglass(record: Record, actor: Actor, number: int, start: bool, now: float) -> Draft:
    """The hourglass is turned, or ended by hand."""
    actor.hosts()
    open_round(record, number)
    event = HourglassStarted(now) if start else HourglassEnded(now)
    kind = "hourglass_started" if start else "hourglass_stopped"
    return Draft(kind, {"event": event_to_json(event), "round": number})


def refuse_submission(record: Record, actor: Actor, place: TrayPlace) -> None:
    """Raise ``Problem`` if this player's tray cannot be sent in now by this actor."""
    known_player(record, place.player)
    actor.acts_for(place.player)
    open_round(record, place.round)


def submit(record: Record, actor: Actor, place: TrayPlace, layout: str, at: float) -> Draft:
    """A tray is entered by hand."""
    refuse_submission(record, actor, place)
    event = event_to_json(TraySubmitted(place.player, layout, at))
    body = {
        "event": event,
        "round": place.round,
        "player": place.player,
        "by": "hand",
        "at": at,
        "layout": layout,
    }
    return Draft("tray_submitted", body)


def arrival(record: Record, number: int, arrived: float, now: float) -> float:
    """When photos count as sent in: when they came, not when they had been read.

    Clocks are set, and a round may begin while photos come in: never before it did.
    """
    return min(max(arrived, record.plays[number - 1].revealed_at), now)


def submit_photos(
    record: Record, actor: Actor, place: TrayPlace, seen: PhotoReading, at: float
) -> Draft:
    """A tray is sent in by photo; one that no tray can be waits to be corrected."""
    refuse_submission(record, actor, place)
    layout = str(seen.layout)
    legal = not seen.layout.problems()
    body = {
        "event": event_to_json(TraySubmitted(place.player, layout, at)) if legal else None,
        "round": place.round,
        "player": place.player,
        "by": "photo",
        "at": at,
        "layout": layout,
        "reading": seen.reading,
        "doubt": seen.doubt,
        "reader": seen.reader,
    }
    return Draft("tray_submitted", body, seen.photos)


def correct(
    record: Record,
    actor: Actor,
    place: TrayPlace,
    seats: Mapping[str, str | None],
    reason: str,
    now: float,
) -> Draft | None:
    """Seats of a tray are put right before the round is locked; None if they were right."""
    refuse_submission(record, actor, place)
    sent = sent_tray(record, place.round, place.player)
    before = Layout.parse(sent.layout)
    after = before
    for seat, color in seats.items():
        after = after.with_seat(seat, color)
    if after.problems():
        raise LayoutError(after.problems())
    if after == before:
        return None
    event: GameEvent = (
        TrayCorrected(place.round, place.player, str(after), reason, now)
        if sent.legal
        else TraySubmitted(place.player, str(after), sent.at)  # the rules have not seen it before
    )
    body = {
        "event": event_to_json(event),
        "round": place.round,
        "player": place.player,
        "before": str(before),
        "after": str(after),
        "reason": reason,
    }
    return Draft("tray_corrected", body)


def lock(
    record: Record, actor: Actor, number: int, overlays: Mapping[str, str], now: float
) -> Draft:
    """A round is locked, with what every tray scored in it and the drawings of its photos."""
    actor.hosts()
    play = record.plays[open_round(record, number) - 1]
    unfinished = [player for player, sent in play.trays.items() if not sent.legal]
    if unfinished:
        text = f"No tray can be as the photo of {', '.join(unfinished)} was read: correct it first."
        raise Problem(409, "tray_unfinished", text)
    strangers = [player for player in overlays if not play.trays[player].photos]
    if strangers:
        raise Problem(409, "no_photo", f"No photo was taken of the tray of {strangers[0]}.")
    game = record.game
    scores = {}
    for player in play.trays:
        score = game.score(number, player)
        layout = str(game.rounds[number - 1].trays[player].layout)
        scores[player] = {"layout": layout, "points": score.points, "bonus": score.bonus}
    body = {
        "event": event_to_json(RoundClosed(now)),
        "round": number,
        "scores": scores,
        "overlays": dict(overlays),
    }
    return Draft("round_locked", body, tuple(sorted(set(overlays.values()))))


def finish(record: Record, actor: Actor, now: float) -> Draft:
    """Bonus tokens are turned into points; a seed that was secret is told."""
    actor.hosts()
    still_open = [dispute.id for dispute in record.disputes if dispute.settled is None]
    if still_open:
        raise Problem(409, "dispute_open", f"Dispute {still_open[0]} is to be resolved first.")
    secret = record.opened["seed_sha256"] is not None
    standings = {
        player: {"points": standing.points, "bonus": standing.bonus}
        for player, standing in record.game.standings.items()
    }
    body = {
        "event": event_to_json(Finished(now)),
        "standings": standings,
        "seed": str(record.seed) if secret else None,
    }
    return Draft("game_finished", body)


def known_player(record: Record, player: str) -> None:
    """Raise ``Problem`` unless this player is at the table."""
    if player not in record.players:
        names = ", ".join(record.players)
        raise Problem(404, "unknown_player", f"{player!r} does not play here, but {names}.")


def known_round(record: Record, number: int) -> int:
    """The round's number; raises ``Problem`` if there is none with it."""
    if not 1 <= number <= len(record.plays):
        raise Problem(404, "no_round", f"There is no round {number} yet.")
    return number


def open_round(record: Record, number: int) -> int:
    """The round's number; raises ``Problem`` unless it is open and nothing in it disputed."""
    known_round(record, number)
    if record.plays[number - 1].seal is not None:
        text = f"Round {number} is locked: only a dispute can change it."
        raise Problem(409, "round_locked", text)
    if record.is_frozen(number):
        text = f"Round {number} is frozen while a dispute about it is open."
        raise Problem(409, "round_frozen", text)
    return number


def sent_tray(record: Record, number: int, player: str) -> Sent:
    """The tray of a player in a round; raises ``Problem`` if it has not been sent in."""
    known_player(record, player)
    sent = record.plays[known_round(record, number) - 1].trays.get(player)
    if sent is None:
        text = f"{player} has sent in no tray in round {number}."
        raise Problem(404, "no_tray", text)
    return sent
