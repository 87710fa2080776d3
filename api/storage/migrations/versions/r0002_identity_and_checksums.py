"""The id that data directory and database share; checksums of rows that are no entries.

They are computed as ``api.storage.checksums`` does, written out: a step stays what it was.
"""

import json
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_COVERED = {
    "tables": ("id", "code", "created_at", "host_hash", "seed"),
    "players": ("table_id", "name", "token_hash", "pin_hash"),
    "files": ("table_id", "sha256", "suffix", "size"),
    "answers": ("scope", "key", "request", "status", "body", "nonce", "table_id", "at"),
    "solo_games": ("table_id", "player", "at", "way", "total"),
}
_KEYS = {
    "tables": ("id",),
    "players": ("table_id", "name"),
    "files": ("table_id", "sha256"),
    "answers": ("scope", "key"),
    "solo_games": ("table_id",),
}


def upgrade() -> None:
    """Bring the database to this form."""
    op.create_table("identity", sa.Column("id", sa.String(32), primary_key=True))
    for name, columns in _COVERED.items():
        op.add_column(name, sa.Column("checksum", sa.String(64)))
        _fill(name, columns, _KEYS[name])


def _fill(name: str, columns: tuple[str, ...], keys: tuple[str, ...]) -> None:
    connection = op.get_bind()
    table = sa.table(name, *(sa.column(column) for column in (*columns, "checksum")))
    found = connection.execute(sa.select(*(table.c[column] for column in columns))).all()
    for row in found:
        text = json.dumps([name, *row], separators=(",", ":"))
        checksum = sha256(text.encode()).hexdigest()
        places = [table.c[key] == row[columns.index(key)] for key in keys]
        connection.execute(sa.update(table).where(*places).values(checksum=checksum))
