"""Rows of tables, players and their histories. Every function works inside a transaction.

The statements of the functions that every request calls are made once: making one takes longer than
SQLite takes to answer it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from api.ledger.chain import Entry, canonical
from api.storage import schema
from api.storage.checksums import COVERED, checksum, with_checksum

_TABLE = select(schema.tables).where(schema.tables.c.id == bindparam("table"))
_TABLE_LOCKED = _TABLE.with_for_update()
_MOVED = update(schema.tables).where(schema.tables.c.id == bindparam("table"))
_PLAYERS = select(schema.players).where(schema.players.c.table_id == bindparam("table"))
_FILES = select(schema.files).where(schema.files.c.table_id == bindparam("table"))
_ENTRIES = (
    select(schema.entries)
    .where(
        schema.entries.c.table_id == bindparam("table"),
        schema.entries.c.sequence > bindparam("after"),
    )
    .order_by(schema.entries.c.sequence)
)
_ADDED_ENTRY = insert(schema.entries)
_ADDED_FILES = insert(schema.files)


@dataclass(frozen=True)
class TableRow:
    """A table as stored: what is secret or must be found fast, and where its history stands."""

    id: str
    code: str
    created_at: float
    host_hash: str
    seed: str
    length: int
    head: str
    game: str


@dataclass(frozen=True)
class PlayerRow:
    """A player's secrets, hashed."""

    name: str
    token_hash: str | None
    pin_hash: str | None
    pin_tries: int
    pin_rests_until: float


@dataclass(frozen=True)
class FileRow:
    """A photo or drawing that belongs to a table."""

    sha256: str
    suffix: str
    size: int


@dataclass(frozen=True)
class SoloRow:
    """A finished solo game."""

    table_id: str
    player: str
    at: float
    way: str
    total: int
    game: str
    par: float | None = None
    """What the best play expects, in games that know it."""


def add_table(connection: Connection, row: TableRow, players: Sequence[str]) -> None:
    """Keep a new table and its players."""
    connection.execute(insert(schema.tables).values(**with_checksum(schema.tables, vars(row))))
    unknown = {"token_hash": None, "pin_hash": None, "pin_tries": 0, "pin_rests_until": 0.0}
    seats = [{"table_id": row.id, "name": name, **unknown} for name in players]
    connection.execute(
        insert(schema.players), [with_checksum(schema.players, one) for one in seats]
    )


def code_taken(connection: Connection, code: str) -> bool:
    """Whether a table has this code."""
    return by_code(connection, code) is not None


def by_code(connection: Connection, code: str) -> TableRow | None:
    """The table that this code joins."""
    return _table(connection.execute(select(schema.tables).filter_by(code=code)).first())


def by_id(connection: Connection, table: str) -> TableRow | None:
    """The table with this id."""
    if not _can_be_id(table):
        return None
    return _table(connection.execute(_TABLE, {"table": table}).first())


def lock(connection: Connection, table: str) -> TableRow | None:
    """The table with this id, kept from all other writers until the transaction ends."""
    if not _can_be_id(table):
        return None
    return _table(connection.execute(_TABLE_LOCKED, {"table": table}).first())


def _can_be_id(text: str) -> bool:
    """Whether the database need be asked; not every text can be put to it."""
    return text.isascii() and text.isalnum()


def _table(row: Row[Any] | None) -> TableRow | None:
    own = TableRow.__dataclass_fields__
    return None if row is None else TableRow(**{name: row._mapping[name] for name in own})


def players(connection: Connection, table: str) -> dict[str, PlayerRow]:
    """The players of a table by name."""
    rows = connection.execute(_PLAYERS, {"table": table}).mappings()
    own = PlayerRow.__dataclass_fields__
    found = [PlayerRow(**{name: row[name] for name in own}) for row in rows]
    return {player.name: player for player in found}


def set_player(connection: Connection, table: str, name: str, **values: object) -> None:
    """Change what is kept of a player."""
    own = (schema.players.c.table_id == table, schema.players.c.name == name)
    connection.execute(update(schema.players).where(*own).values(**values))
    if values.keys().isdisjoint(COVERED[schema.players]):
        return
    row = connection.execute(select(schema.players).where(*own)).mappings().first()
    if row is not None:
        kept = {str(column): value for column, value in row.items()}
        renewed = checksum(schema.players, kept)
        connection.execute(update(schema.players).where(*own).values(checksum=renewed))


def count_pin(
    connection: Connection, table: str, name: str, now: float, most: int, rests_until: float
) -> str | None:
    """The hash of a player's PIN, and one more try of it counted; None if no try is left.

    One statement, so that of many who try at once each is counted.
    """
    own = schema.players.c
    rested = and_(own.pin_tries >= most, own.pin_rests_until <= now)
    return connection.execute(
        update(schema.players)
        .where(own.table_id == table, own.name == name, own.pin_hash.is_not(None))
        .where(or_(own.pin_tries < most, rested))
        .values(pin_tries=case((rested, 1), else_=own.pin_tries + 1), pin_rests_until=rests_until)
        .returning(own.pin_hash)
    ).scalar()


def forgive_pins(connection: Connection, table: str, name: str, pin_hash: str) -> None:
    """Count from the beginning: this PIN was shown, and is still the player's."""
    own = schema.players.c
    connection.execute(
        update(schema.players)
        .where(own.table_id == table, own.name == name, own.pin_hash == pin_hash)
        .values(pin_tries=0, pin_rests_until=0.0)
    )


def entries(connection: Connection, table: str, after: int = 0) -> list[Entry]:
    """The history of a table, from an entry on."""
    return [_entry(row) for row in connection.execute(_ENTRIES, {"table": table, "after": after})]


def _entry(row: Row[Any]) -> Entry:
    return Entry(
        sequence=row.sequence,
        at=row.at,
        actor=row.actor,
        kind=row.kind,
        body=json.loads(row.body),
        files=tuple(json.loads(row.files)),
        previous=row.previous,
        hash=row.hash,
    )


def append(connection: Connection, row: TableRow, entry: Entry) -> TableRow:
    """The table after this entry, which is kept; it is linked to the one before it already."""
    assert (entry.sequence, entry.previous) == (row.length + 1, row.head)
    connection.execute(
        _ADDED_ENTRY,
        {
            "table_id": row.id,
            "sequence": entry.sequence,
            "at": entry.at,
            "actor": entry.actor,
            "kind": entry.kind,
            "body": canonical(entry.body),
            "files": canonical(list(entry.files)),
            "previous": entry.previous,
            "hash": entry.hash,
        },
    )
    moved = {"length": entry.sequence, "head": entry.hash}
    connection.execute(_MOVED, {"table": row.id, **moved})
    return TableRow(**{**vars(row), **moved})


def add_files(connection: Connection, table: str, kept: Iterable[FileRow]) -> None:
    """Note that these files belong to a table; what it has already is passed over."""
    wanted = {row.sha256: row for row in kept}
    own = files(connection, table) if wanted else {}
    new = [
        with_checksum(schema.files, {"table_id": table, **vars(row)})
        for name, row in wanted.items()
        if name not in own
    ]
    if new:
        connection.execute(_ADDED_FILES, new)


def files(connection: Connection, table: str) -> dict[str, FileRow]:
    """The files of a table by their hash."""
    rows = connection.execute(_FILES, {"table": table}).mappings()
    return {row["sha256"]: FileRow(row["sha256"], row["suffix"], row["size"]) for row in rows}


def all_files(connection: Connection) -> set[str]:
    """The hashes of all files that belong to any table."""
    return set(connection.execute(select(schema.files.c.sha256).distinct()).scalars())


def size_of_files(connection: Connection) -> int:
    """What all kept files take, each counted once."""
    once = select(schema.files.c.sha256, schema.files.c.size).distinct().subquery()
    return int(connection.execute(select(func.coalesce(func.sum(once.c.size), 0))).scalar_one())


def shared(connection: Connection, hashes: Iterable[str]) -> set[str]:
    """Those of the files that some table still has."""
    query = select(schema.files.c.sha256).distinct().where(schema.files.c.sha256.in_(list(hashes)))
    return set(connection.execute(query).scalars())


def remove(connection: Connection, table: str) -> None:
    """Forget a table and all that stands in the database of it."""
    for part in (schema.entries, schema.files, schema.answers, schema.solo_games, schema.players):
        connection.execute(delete(part).where(part.c.table_id == table))
    connection.execute(delete(schema.tables).where(schema.tables.c.id == table))


def keep_solo_game(connection: Connection, row: SoloRow) -> None:
    """Keep the end of a solo game, in place of what was known of it before."""
    table = schema.solo_games
    connection.execute(delete(table).where(table.c.table_id == row.table_id))
    connection.execute(insert(table).values(**with_checksum(table, vars(row))))


def solo_games(connection: Connection, player: str, game: str) -> list[SoloRow]:
    """All finished solo games of a player in one game, newest first."""
    table = schema.solo_games
    own = and_(table.c.player == player, table.c.game == game)
    query = select(table).where(own).order_by(table.c.at.desc())
    names = SoloRow.__dataclass_fields__
    rows = connection.execute(query).mappings()
    return [SoloRow(**{name: row[name] for name in names}) for row in rows]
