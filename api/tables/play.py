"""Playing a round: what each command adds to the history, or why it cannot be done now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.problems import Problem
from api.tables.access import Actor
from api.tables.draft import Draft
from api.tables.photo_reading import PhotoReading
from api.tables.record import Record
from api.tables.round_record import Sent
from api.tables.table_game import TableGame, rules
from rules.playing import IllegalMove

_WRONG_IN_ITSELF = frozenset({"bad_players", "unknown_player"})
"""What the rules of every game refuse whatever the table's state."""


@dataclass(frozen=True)
class TrayPlace:
    """Whose tray, in which round, at which table."""

    table: str
    round: int
    player: str


def refused(move: IllegalMove, game: TableGame) -> Problem:
    """The problem for what the rules do not allow; what is a matter of time has the status 409."""
    wrong = move.code in _WRONG_IN_ITSELF | game.wrong_in_itself
    return Problem(422 if wrong else 409, move.code, move.text)


def reveal(record: Record, actor: Actor, terms: Any | None, now: float) -> Draft:
    """A round begins: with these terms (cards, a challenge), or with those drawn next."""
    actor.hosts()
    body = {
        "event": record.game.reveal(record.state, terms, now),
        "round": len(record.state.rounds) + 1,
        "drawn": terms is None,
    }
    return Draft(record.game.names.revealed, body)


def refuse_submission(record: Record, actor: Actor, place: TrayPlace) -> None:
    """Raise ``Problem`` if this player's tray cannot be sent in now by this actor."""
    known_player(record, place.player)
    actor.acts_for(place.player)
    open_round(record, place.round)


def submit(record: Record, actor: Actor, place: TrayPlace, position: str, at: float) -> Draft:
    """A position is entered by hand."""
    refuse_submission(record, actor, place)
    names = record.game.names
    body = {
        "event": record.game.submitted(place.player, position, at),
        "round": place.round,
        "player": place.player,
        "by": "hand",
        "at": at,
        names.position: position,
    }
    return Draft(names.submitted, body)


def arrival(record: Record, number: int, arrived: float, now: float) -> float:
    """When photos count as sent in: when they came, not when they had been read.

    Clocks are set, and a round may begin while photos come in: never before it did.
    """
    return min(max(arrived, record.plays[number - 1].revealed_at), now)


def submit_photos(
    record: Record, actor: Actor, place: TrayPlace, seen: PhotoReading, at: float
) -> Draft:
    """A position is sent in by photo; one that cannot be waits to be corrected."""
    refuse_submission(record, actor, place)
    game = record.game
    legal = not rules(game).problems(seen.position)
    body = {
        "event": game.submitted(place.player, seen.position, at) if legal else None,
        "round": place.round,
        "player": place.player,
        "by": "photo",
        "at": at,
        game.names.position: seen.position,
        "reading": seen.reading,
        "doubt": seen.doubt,
        "reader": seen.reader,
    }
    return Draft(game.names.submitted, body, seen.photos)


def correct(
    record: Record, actor: Actor, place: TrayPlace, position: str, reason: str, now: float
) -> Draft | None:
    """A position is put right before the round is locked; None if it was right."""
    refuse_submission(record, actor, place)
    game, sent = record.game, sent_in(record, place.round, place.player)
    before, after = str(rules(game).parse(sent.position)), game.legal(position)
    if after == before:
        return None
    event = (
        game.corrected(place.round, place.player, after, reason, now)
        if sent.legal
        else game.submitted(place.player, after, sent.at)  # the rules have not seen it before
    )
    body = {
        "event": event,
        "round": place.round,
        "player": place.player,
        "before": before,
        "after": after,
        "reason": reason,
    }
    return Draft(game.names.corrected, body)


def lock(
    record: Record, actor: Actor, number: int, overlays: Mapping[str, str], now: float
) -> Draft:
    """A round is locked, with what everything sent in scored and the drawings of its photos."""
    actor.hosts()
    play = record.plays[open_round(record, number) - 1]
    unfinished = [player for player, sent in play.sent.items() if not sent.legal]
    if unfinished:
        text = f"No tray can be as the photo of {', '.join(unfinished)} was read: correct it first."
        raise Problem(409, "tray_unfinished", text)
    strangers = [player for player in overlays if not play.sent[player].photos]
    if strangers:
        raise Problem(409, "no_photo", f"No photo was taken of the tray of {strangers[0]}.")
    game = record.game
    body = {
        "event": game.closed(now),
        "round": number,
        "scores": {player: game.locked_score(record.state, number, player) for player in play.sent},
        "overlays": dict(overlays),
    }
    return Draft("round_locked", body, tuple(sorted(set(overlays.values()))))


def finish(record: Record, actor: Actor, now: float) -> Draft:
    """The game ends; a seed that was secret is told."""
    actor.hosts()
    still_open = [dispute.id for dispute in record.disputes if dispute.settled is None]
    if still_open:
        raise Problem(409, "dispute_open", f"Dispute {still_open[0]} is to be resolved first.")
    secret = record.opened["seed_sha256"] is not None
    body = {
        "event": record.game.ended(now),
        "standings": record.game.standings(record.state),
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


def sent_in(record: Record, number: int, player: str) -> Sent:
    """What a player sent in for a round; raises ``Problem`` if it has not been sent in."""
    known_player(record, player)
    sent = record.plays[known_round(record, number) - 1].sent.get(player)
    if sent is None:
        text = f"{player} has sent in no tray in round {number}."
        raise Problem(404, "no_tray", text)
    return sent
