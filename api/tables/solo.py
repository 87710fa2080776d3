"""Solo games: the end of a game beside all earlier ones of the same player."""

from collections.abc import Sequence
from typing import Any

from api.models.tables import SoloGameState, SoloHistory
from api.problems import Problem
from api.storage import tables
from api.storage.tables import SoloRow
from api.tables.record import Record
from api.tables.service import TableService
from api.tables.table_game import SoloGame


def final_result(record: Record, history: Sequence[SoloRow]) -> dict[str, Any] | None:
    """How the game ended, a solo one compared with the history; None while it is played."""
    if not record.state.finished:
        return None
    game, ended = record.game, dict(record.game.result_shown(record.state))
    if len(record.players) > 1:
        return {**ended, "solo": None}
    own = game.solo_game(record.state)
    others = [
        SoloGame(row.at, row.way, row.total, row.par)
        for row in history
        if row.table_id != record.table
    ]
    return {**ended, "solo": {"way": own.way, **game.compared(own, others)}}


def solo_history(service: TableService, table: str, token: str | None) -> SoloHistory:
    """All finished solo games of the player of this table, in the same game."""
    record = service.look(table, token).record
    if len(record.players) > 1:
        raise Problem(409, "not_solo", "More than one plays at this table.")
    player, game = record.players[0], record.game.id
    with service.store.database.reading() as connection:
        rows = tables.solo_games(connection, player, game)
    best: dict[str, int] = {}
    for row in rows:
        best[row.way] = max(row.total, best.get(row.way, row.total))
    games = [
        SoloGameState(table=row.table_id, at=row.at, way=row.way, total=row.total) for row in rows
    ]
    return SoloHistory(player=player, game=game, games=games, best=best)
