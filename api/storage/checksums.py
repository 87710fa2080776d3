"""Checksums of rows outside the histories, so that a changed row is found.

Databases do not notice when a disk flips a bit in a row. The chain of a history does for its
entries; this does for the rest: who hosts, who sits there, which photos belong to a table.
Covered is what lasts; how often a wrong PIN was given is not.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, select

from api.ledger.chain import canonical
from api.storage import schema

COVERED: Mapping[Table, tuple[str, ...]] = {
    schema.tables: ("id", "code", "created_at", "host_hash", "seed", "game"),
    schema.players: ("table_id", "name", "token_hash", "pin_hash"),
    schema.files: ("table_id", "sha256", "suffix", "size"),
    schema.answers: ("scope", "key", "request", "status", "body", "nonce", "table_id", "at"),
    schema.solo_games: ("table_id", "player", "at", "way", "total", "game"),
}


def with_checksum(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    """The row's values and their checksum."""
    return {**values, "checksum": checksum(table, values)}


def checksum(table: Table, values: Mapping[str, Any]) -> str:
    """The checksum of a row."""
    told = [table.name, *(values[column] for column in COVERED[table])]
    return sha256(canonical(told).encode()).hexdigest()


def changed_rows(connection: Connection) -> Iterator[str]:
    """A sentence for each row that is not as it was written; names and secrets are not told."""
    for table in COVERED:
        order = list(table.primary_key.columns)
        found = connection.execute(select(table).order_by(*order)).mappings()
        for number, row in enumerate(found, 1):
            if not _holds(table, row):
                owner = row.get("id") or row.get("table_id")
                yield f"Row {number} of {table.name}, of table {owner}, was changed."


def _holds(table: Table, row: Mapping[Any, Any]) -> bool:
    values = {str(column): value for column, value in row.items()}
    try:
        return bool(values["checksum"] == checksum(table, values))
    except (TypeError, ValueError):  # bytes, or a number that is none: no checksum covers them
        return False
