"""Campaigns run on SQLite and on PostgreSQL."""

from tests.api.tables.conftest import database_url, postgres_server

__all__ = ["database_url", "postgres_server"]
