"""The whole table for one device."""

from api.models.tables import TableState
from api.storage import tables
from api.tables.service import TableService
from api.tables.solo import final_result
from api.tables.view import table_state


def show(service: TableService, table: str, token: str | None) -> TableState:
    """All there is to show; raises ``Problem`` for who may not see it."""
    seen = service.look(table, token)
    with service.store.database.reading() as connection:
        files = tables.files(connection, table)
        alone = len(seen.record.players) == 1
        history = tables.solo_games(connection, seen.record.players[0]) if alone else []
    state = table_state(seen.record, seen.row, seen.actor, files, seen.now)
    return state.model_copy(update={"result": final_result(seen.record, history)})
