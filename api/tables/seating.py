"""Who sits at a table: what opening, joining, new tokens and PINs add to its history."""

from collections.abc import Mapping

from api.ledger.chain import seed_digest
from api.models.tables import OpeningRequest
from api.problems import Problem
from api.tables.access import Actor
from api.tables.draft import Draft
from api.tables.play import known_player, refused
from api.tables.record import Record
from api.tables.table_game import rules, table_game
from api.tables.voices import pin_maker
from rules.playing import IllegalMove


def open_table(
    actor: Actor, asked: OpeningRequest, seed: int, program: Mapping[str, str], now: float
) -> Draft:
    """The table is set up. A seed of the table's own choice is no secret."""
    actor.hosts()
    game = table_game(asked.game)
    event = dict(game.set_up(asked, seed, now))
    try:
        rules(game).after(None, event)
    except IllegalMove as move:
        raise refused(move, game) from move
    if asked.seed is None:
        del event["seed"]
    body = {
        "game": game.id,
        "event": event,
        "seed_sha256": seed_digest(seed) if asked.seed is None else None,
        "tray": asked.tray,
        "unresolved": asked.unresolved,
        "program": program,
    }
    return Draft("table_opened", body)


def join(record: Record, actor: Actor, player: str) -> Draft:
    """A player sits down at a place that is still free."""
    known_player(record, player)
    if actor != Actor("player", player):
        raise Problem(403, "not_your_place", f"Only {player} can sit down as {player}.")
    if player in record.joined:
        text = f"{player} has joined already. On a new device, ask the host for a new token."
        raise Problem(409, "already_joined", text)
    return Draft("player_joined", {"player": player})


def reissue(record: Record, actor: Actor, player: str) -> Draft:
    """The host gives a player a new token; the old one is void."""
    actor.hosts()
    known_player(record, player)
    return Draft("token_reissued", {"player": player})


def set_pin(record: Record, actor: Actor, player: str) -> Draft:
    """A player has a PIN, or another one."""
    known_player(record, player)
    actor.acts_for(player)
    return Draft("pin_set", {"player": player, "made_by": pin_maker(record, actor, player)})
