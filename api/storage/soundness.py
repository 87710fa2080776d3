"""Whether what stands in the database is as it was written: chains, checksums, photos, seats."""

from collections.abc import Iterator

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import SQLAlchemyError

from api.ledger.chain import breaks, genesis
from api.storage import schema, tables
from api.storage.checksums import changed_rows
from rules.games import DEFAULT

UNREADABLE = (SQLAlchemyError, TypeError, ValueError, KeyError, AttributeError, RecursionError)
"""What reading a damaged row may end with."""
_SEATED = select(schema.players.c.name).where(schema.players.c.table_id == bindparam("table"))


def problems(connection: Connection) -> Iterator[str]:
    """A sentence for everything in the database that is not as it was written."""
    try:
        ids = table_ids(connection)
    except UNREADABLE as error:
        yield f"The tables cannot be read: {_reason(error)}"
        return
    for table in ids:
        yield from table_problems(connection, table)
    yield from row_problems(connection)


def table_ids(connection: Connection) -> list[str]:
    """The ids of all tables."""
    return list(connection.execute(select(schema.tables.c.id)).scalars())


def table_problems(connection: Connection, table: str) -> Iterator[str]:
    """What is wrong with a table's history."""
    try:
        yield from _history_problems(connection, table)
    except UNREADABLE as error:
        yield f"Table {table}: it cannot be read: {_reason(error)}"


def row_problems(connection: Connection) -> Iterator[str]:
    """What is wrong with the rows outside the histories."""
    try:
        yield from changed_rows(connection)
    except UNREADABLE as error:
        yield f"Rows cannot be read: {_reason(error)}"


def _history_problems(connection: Connection, table: str) -> Iterator[str]:
    row = tables.by_id(connection, table)
    if row is None:  # deleted meanwhile; an id that cannot be one has no right checksum
        return
    entries = tables.entries(connection, table)
    yield from (f"Table {table}: {one.text}" for one in breaks(table, entries))
    head = entries[-1].hash if entries else genesis(table)
    if (len(entries), head) != (row.length, row.head):
        told = f"it should have {row.length} entries and has {len(entries)}"
        yield f"Table {table}: its history does not end where it should ({told})."
    pointed_to = {digest for entry in entries for digest in entry.files}
    for digest in sorted(pointed_to - set(tables.files(connection, table))):
        yield f"Table {table}: the photo {digest} of its history is not among its files."
    if entries and entries[0].body.get("game", DEFAULT) != row.game:
        yield f"Table {table}: its history is of another game than its row says."
    told_of = set(entries[0].body["event"]["players"]) if entries else set()
    if told_of - set(connection.execute(_SEATED, {"table": table}).scalars()):
        yield f"Table {table}: players of its history have no row."


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip() or type(error).__name__
