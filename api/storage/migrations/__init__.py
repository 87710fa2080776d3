"""How the database came to its newest form, step by step (Alembic)."""
