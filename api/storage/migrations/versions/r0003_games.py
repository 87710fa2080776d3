"""The game of each table and of each solo game; what was there before is of the first game.

Checksums cover the game from now on. A row whose checksum did not hold keeps it: it was changed
from outside, and must still be found.
"""

import json
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_FIRST_GAME = "dimension"
_COVERED = {
    "tables": ("id", "code", "created_at", "host_hash", "seed"),
    "solo_games": ("table_id", "player", "at", "way", "total"),
}


def upgrade() -> None:
    """Bring the database to this form."""
    for name in _COVERED:
        game = sa.Column("game", sa.String(40), nullable=False, server_default=_FIRST_GAME)
        op.add_column(name, game)
    op.add_column("solo_games", sa.Column("par", sa.Float(53)))
    for name, columns in _COVERED.items():
        _cover_game(name, columns)


def _cover_game(name: str, columns: tuple[str, ...]) -> None:
    connection = op.get_bind()
    table = sa.table(name, *(sa.column(column) for column in (*columns, "game", "checksum")))
    key = table.c[columns[0]]
    read = sa.select(*(table.c[one] for one in (*columns, "checksum")))
    for row in connection.execute(read).all():
        *values, held = row
        if held == _checksum(name, values):
            renewed = _checksum(name, [*values, _FIRST_GAME])
            connection.execute(sa.update(table).where(key == values[0]).values(checksum=renewed))


def _checksum(name: str, values: list[object]) -> str | None:
    try:
        text = json.dumps([name, *values], separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):  # bytes, or a number that is none: no checksum covers them
        return None
    return sha256(text.encode()).hexdigest()
