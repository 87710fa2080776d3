"""The tables of the database.

Entries are only ever added, and all that happened is told by them. Secrets stand beside the
history, never in it. An entry is bound by the chain of its history; other rows have a ``checksum``.
"""

from sqlalchemy import (
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

from rules.games import DEFAULT

metadata = MetaData()

identity = Table("identity", metadata, Column("id", String(32), primary_key=True))
"""One row, which the data directory holds too: so both know that they belong together."""

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(12), nullable=False, unique=True),
    Column("created_at", Float(53), nullable=False),
    Column("host_hash", String(64), nullable=False),
    Column("seed", String(40), nullable=False),
    Column("length", Integer, nullable=False),
    Column("head", String(64), nullable=False),
    Column("checksum", String(64)),
    Column("game", String(40), nullable=False, server_default=DEFAULT),
)

players = Table(
    "players",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("name", String(80), nullable=False),
    Column("token_hash", String(64)),
    Column("pin_hash", String(200)),
    Column("pin_tries", Integer, nullable=False, default=0),
    Column("pin_rests_until", Float(53), nullable=False, default=0.0),
    Column("checksum", String(64)),
    PrimaryKeyConstraint("table_id", "name"),
    ForeignKeyConstraint(["table_id"], ["tables.id"]),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("at", Float(53), nullable=False),
    Column("actor", String(120), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("body", Text, nullable=False),
    Column("files", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    PrimaryKeyConstraint("table_id", "sequence"),
    ForeignKeyConstraint(["table_id"], ["tables.id"]),
)

files = Table(
    "files",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("suffix", String(8), nullable=False),
    Column("size", Integer, nullable=False),
    Column("checksum", String(64)),
    PrimaryKeyConstraint("table_id", "sha256"),
    ForeignKeyConstraint(["table_id"], ["tables.id"]),
    Index("files_by_content", "sha256"),
)

answers = Table(
    "answers",
    metadata,
    Column("scope", String(64), nullable=False),
    Column("key", String(64), nullable=False),
    Column("request", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("nonce", String(64)),
    Column("table_id", String(32)),
    Column("at", Float(53), nullable=False),
    Column("checksum", String(64)),
    PrimaryKeyConstraint("scope", "key"),
    Index("answers_by_age", "at"),
)

solo_games = Table(
    "solo_games",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("player", String(80), nullable=False),
    Column("at", Float(53), nullable=False),
    Column("way", String(120), nullable=False),
    Column("total", Integer, nullable=False),
    Column("checksum", String(64)),
    Column("game", String(40), nullable=False, server_default=DEFAULT),
    Column("par", Float(53)),
    ForeignKeyConstraint(["table_id"], ["tables.id"]),
    Index("solo_games_by_player", "player"),
)
