"""The whole table for one device."""

from pydantic import BaseModel

from api.storage import tables
from api.tables.service import TableService
from api.tables.solo import final_result
from api.tables.view import table_state


def show(service: TableService, table: str, token: str | None) -> tuple[BaseModel, int]:
    """All there is to show, and its version; raises ``Problem`` for who may not see it."""
    seen = service.look(table, token)
    record = seen.record
    with service.store.database.reading() as connection:
        files = tables.files(connection, table)
        alone = len(record.players) == 1
        game = record.game.id
        history = tables.solo_games(connection, record.players[0], game) if alone else []
    result = final_result(record, history)
    return table_state(record, seen.row, seen.actor, files, seen.now, result), record.length
