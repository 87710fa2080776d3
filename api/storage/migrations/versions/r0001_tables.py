"""Tables, players, the ledger, files, answers and solo games.

Written out, not made of ``schema``: a step stays what it was when the schema moves on.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this form."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(12), nullable=False, unique=True),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("host_hash", sa.String(64), nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
    )
    op.create_table(
        "players",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("token_hash", sa.String(64)),
        sa.Column("pin_hash", sa.String(200)),
        sa.Column("pin_tries", sa.Integer, nullable=False),
        sa.Column("pin_rests_until", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "name"),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("actor", sa.String(120), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("files", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "sequence"),
    )
    op.create_table(
        "files",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("suffix", sa.String(8), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "sha256"),
    )
    op.create_index("files_by_content", "files", ["sha256"])
    op.create_table(
        "answers",
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("nonce", sa.String(64)),
        sa.Column("table_id", sa.String(32)),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("scope", "key"),
    )
    op.create_index("answers_by_age", "answers", ["at"])
    op.create_table(
        "solo_games",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("player", sa.String(80), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("way", sa.String(120), nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
    )
    op.create_index("solo_games_by_player", "solo_games", ["player"])
