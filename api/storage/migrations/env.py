"""Alembic runs this: it migrates through the connection it is given, in that transaction."""

from alembic import context

from api.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by making a new one
)
context.run_migrations()
