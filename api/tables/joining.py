"""Coming and going: a table is opened, joined, found again after a phone died, and deleted."""

import secrets

from sqlalchemy import Connection

from api.ledger.chain import genesis
from api.models.tables import (
    Joined,
    Lobby,
    LobbyPlayer,
    Opened,
    OpeningRequest,
    PinRequest,
    Reissued,
)
from api.problems import Problem
from api.storage import tables
from api.storage.failures import Conflict
from api.storage.tables import TableRow
from api.tables import seating
from api.tables.access import Actor, count_pin, identify, no_table, wrong_pin
from api.tables.play import known_player
from api.tables.record import Record
from api.tables.secrets import (
    hashed,
    hashed_pin,
    new_code,
    new_id,
    new_nonce,
    pin_fits,
    spelled_code,
    token,
)
from api.tables.service import Answered, Asking, Change, Scene, TableService
from api.tables.view import player_state
from api.tables.voices import needs_old_pin

_SEED_BITS = 128
_TRIES = 20


def open_new(service: TableService, asked: OpeningRequest, asking: Asking) -> Answered:
    """A new table, with its code and the host's token."""
    try:
        return _open_new(service, asked, asking)
    except Conflict:  # the same request twice at once: the other one was first
        return _open_new(service, asked, asking)


def _open_new(service: TableService, asked: OpeningRequest, asking: Asking) -> Answered:
    scope, nonce = f"open {asking.address}", new_nonce()
    seed = secrets.randbits(_SEED_BITS) if asked.seed is None else asked.seed
    host_token = token(service.store.secret, nonce)
    with service.store.database.writing() as connection:
        before = service.again(connection, scope, asking)
        if before is not None:
            return before
        now, name = service.now(), new_id()
        row = TableRow(
            id=name,
            code=_free_code(connection),
            created_at=now,
            host_hash=hashed(host_token),
            seed=str(seed),
            game=asked.game,
            length=0,
            head=genesis(name),
        )
        start = Scene(row, Record(name, seed, head=row.head), Actor("host"), now, connection)
        change = Change(
            [seating.open_table(Actor("host"), asked, seed, service.program, now)],
            lambda scene: Opened(id=name, code=scene.row.code, host_token=host_token),
            status=201,
            nonce=nonce,
        )
        tables.add_table(connection, row, asked.players)
        scene, answered = service.do(start, change, scope, asking)
    service.done(scene)
    service.guesses.opened(asking.address, row.code, now)
    return answered


def _free_code(connection: Connection) -> str:
    for _ in range(_TRIES):
        code = new_code()
        if not tables.code_taken(connection, code):
            return code
    raise Problem(507, "too_many_tables", "No code is free: delete old tables.")


def lobby(service: TableService, code: str, address: str) -> Lobby:
    """Who can join with this code."""
    with service.store.database.reading() as connection:
        row = _by_code(service, connection, code, address)
        record = service.record(connection, row)
    players = [LobbyPlayer(name=name, joined=name in record.joined) for name in record.players]
    return Lobby(table=row.id, players=players)


def join(service: TableService, code: str, player: str, asking: Asking) -> Answered:
    """A player sits down with the table's code and gets a token of their own."""
    scope, nonce = f"join {spelled_code(code)} {asking.address}", new_nonce()
    made = token(service.store.secret, nonce)
    with service.store.database.writing() as connection:
        row = tables.lock(connection, _by_code(service, connection, code, asking.address).id)
        if row is None:
            raise no_table()
        # Only now: of two who send the same at once, the second has waited for the first here.
        before = service.again(connection, scope, asking)
        if before is not None:
            return before
        start = service.enter(connection, row, Actor("player", player))
        change = Change(
            [seating.join(start.record, start.actor, player)],
            lambda scene: Joined(table=scene.row.id, player=player, player_token=made),
            nonce=nonce,
            extra=lambda connection: _give(connection, start.row.id, player, made),
        )
        scene, answered = service.do(start, change, scope, asking)
    service.done(scene)
    return answered


def reissue(service: TableService, table: str, player: str, asking: Asking) -> Answered:
    """A new token for a player whose device died; the history says so, and the old one is void."""
    nonce = new_nonce()
    made = token(service.store.secret, nonce)

    def command(scene: Scene) -> Change:
        return Change(
            [seating.reissue(scene.record, scene.actor, player)],
            lambda _: Reissued(player=player, player_token=made),
            nonce=nonce,
            extra=lambda connection: _give(connection, table, player, made),
        )

    return service.change(table, asking, command)


def _give(connection: Connection, table: str, player: str, made: str) -> None:
    """Let a token be the player's."""
    tables.set_player(connection, table, player, token_hash=hashed(made))


def set_pin(
    service: TableService, table: str, player: str, asked: PinRequest, asking: Asking
) -> Answered:
    """A PIN with which a player consents on a shared tablet.

    The first one is typed there; to change it one needs the old one, or the player's own token. One
    that the host sets is the host's: it is not the player's own consent.
    """
    seen = service.begin(table, asking)
    if isinstance(seen, Answered):
        return seen
    known_player(seen.record, player)
    seen.actor.acts_for(player)
    shown = None
    if needs_old_pin(seen.record, seen.actor, player):
        if asked.old_pin is None:
            raise Problem(
                403, "old_pin_needed", f"To change the PIN of {player}, give the old one."
            )
        shown = show_pin(service, table, player, asked.old_pin)
    digest = hashed_pin(asked.pin)

    def command(scene: Scene) -> Change:
        kept = tables.players(scene.connection, table)[player].pin_hash
        changed = scene.record.pins.get(player) != seen.record.pins.get(player)
        if changed or (shown is not None and shown != kept):
            raise Problem(409, "stale", f"The PIN of {player} was set meanwhile.")
        return Change(
            [seating.set_pin(scene.record, scene.actor, player)],
            lambda after: player_state(after.record, player, tables.files(after.connection, table)),
            extra=lambda connection: tables.set_player(
                connection, table, player, pin_hash=digest, pin_tries=0, pin_rests_until=0.0
            ),
        )

    return service.change(table, asking, command)


def show_pin(service: TableService, table: str, player: str, pin: str) -> str:
    """The hash of the player's PIN, which this is; raises ``Problem`` for a wrong one.

    Every try is counted, and the count kept, before the PIN is looked at: neither many at once nor
    a request that fails gets more than its five.
    """
    with service.store.database.writing() as connection:
        kept = count_pin(connection, table, player, service.now())
    if not pin_fits(pin, kept):
        raise wrong_pin()
    with service.store.database.writing() as connection:
        tables.forgive_pins(connection, table, player, kept)
    return kept


def delete(service: TableService, table: str, asking: Asking) -> None:
    """The table is gone, and its photos, save those that another table has too."""
    with service.store.database.writing() as connection:
        row = tables.lock(connection, table)
        if row is None:
            raise no_table()
        identify(connection, row, asking.token).hosts()
        own = set(tables.files(connection, table))
        tables.remove(connection, table)

    def still_wanted() -> set[str]:
        with service.store.database.reading() as connection:
            return tables.shared(connection, own) if own else set()

    service.store.files.remove(own, still_wanted)
    service.forget(table)


def _by_code(service: TableService, connection: Connection, code: str, address: str) -> TableRow:
    """The table with this code; raises ``Problem`` for a wrong one, which is counted."""
    spelled = spelled_code(code)
    row = service.guesses.look(
        address, spelled, service.now(), lambda: tables.by_code(connection, spelled)
    )
    if row is None:
        raise no_table()
    return row
