"""A record as every device shows it: what all games have; each game adds its own."""

from typing import Any

from pydantic import BaseModel

from api.ledger.fingerprint import fingerprint
from api.ledger.seals import last_seal
from api.models.tables import LedgerHead, PlayerState, You
from api.storage.tables import TableRow
from api.tables.access import Actor
from api.tables.dispute_view import dispute_state
from api.tables.record import Record
from api.tables.seal_view import made_seal
from api.tables.submission_view import Files, submission_state, tray_in_use


def table_state(
    record: Record,
    row: TableRow,
    actor: Actor,
    files: Files,
    now: float,
    result: BaseModel | dict[str, Any] | None,
) -> BaseModel:
    """The whole table for a device that shows it; ``result`` is how the game ended."""
    numbers = range(1, len(record.plays) + 1)
    shown = {
        "id": row.id,
        "code": row.code,
        "version": record.length,
        "created_at": record.created_at,
        "server_now": now,
        "you": You(role="host" if actor.role == "host" else "player", player=actor.player),
        "settings": settings(record),
        "players": [player_state(record, name, files) for name in record.players],
        "rounds": [round_state(record, number, files, now) for number in numbers],
        "rounds_left": record.state.rounds_left,
        "disputes": [dispute_state(record, one, files) for one in record.disputes],
        "ledger": ledger_head(record),
        "finished": record.state.finished,
        "result": result,
        "seal": made_seal(record, last_seal(record.game.rounds)),
        **record.game.standing_shown(record),
    }
    return record.game.models.table.model_validate({**shown, **record.game.table_shown(record)})


def player_state(record: Record, name: str, files: Files) -> PlayerState:
    """A player and what they play with."""
    return PlayerState(
        name=name,
        joined=name in record.joined,
        pin=name in record.pins,
        token_by=record.joined.get(name),
        pin_by=record.pins.get(name),
        tray=tray_in_use(record, name, files),
    )


def settings(record: Record) -> BaseModel:
    """How the table plays. A secret seed is not shown."""
    shown = {
        **record.game.settings_shown(record),
        "game": record.game.id,
        "seed": record.state.settings.seed if record.opened["seed_sha256"] is None else None,
        "tray": record.opened["tray"],
        "unresolved": record.opened["unresolved"],
    }
    return record.game.models.settings.model_validate(shown)


def round_state(record: Record, number: int, files: Files, now: float) -> BaseModel:
    """A round with everybody's submission."""
    play, game = record.plays[number - 1], record.game
    seal = play.seal
    shown = {
        "number": number,
        "drawn": play.drawn,
        game.names.submissions: {
            player: submission_state(record, number, player, files)
            for player in record.players
            if player in play.sent
        },
        "missing": [
            player
            for player in record.players
            if player not in play.sent or not play.sent[player].legal
        ],
        "frozen": record.is_frozen(number),
        "locked": seal is not None,
        "locked_at": None if seal is None else seal.at,
        "seal": made_seal(record, number),
        **game.round_shown(record, number, now),
    }
    return game.models.round.model_validate(shown)


def ledger_head(record: Record) -> LedgerHead:
    """Where the history stands."""
    return LedgerHead(length=record.length, head=record.head, fingerprint=fingerprint(record.head))
