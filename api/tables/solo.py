"""Solo games: the end of a game beside all earlier ones of the same player."""

from collections.abc import Sequence

from api.models.tables import Result, SoloComparison, SoloGameState, SoloHistory
from api.problems import Problem
from api.storage import tables
from api.storage.tables import SoloRow
from api.tables.record import Record
from api.tables.service import TableService
from api.tables.view import result
from rules.dimension.game.solo import SoloGame, compare, solo_game


def final_result(record: Record, history: Sequence[SoloRow]) -> Result | None:
    """How the game ended, a solo one compared with the history; None while it is played."""
    ended = result(record)
    if ended is None or len(record.players) > 1:
        return ended
    own = solo_game(record.game)
    others = [
        SoloGame(row.at, row.way, row.total) for row in history if row.table_id != record.table
    ]
    found = compare(own, others)
    comparison = SoloComparison(
        way=own.way,
        total=found.total,
        place=found.place,
        games=found.games,
        best=found.best,
        average=found.average,
    )
    return ended.model_copy(update={"solo": comparison})


def solo_history(service: TableService, table: str, token: str | None) -> SoloHistory:
    """All finished solo games of the player of this table."""
    record = service.look(table, token).record
    if len(record.players) > 1:
        raise Problem(409, "not_solo", "More than one plays at this table.")
    player = record.players[0]
    with service.store.database.reading() as connection:
        rows = tables.solo_games(connection, player)
    best: dict[str, int] = {}
    for row in rows:
        best[row.way] = max(row.total, best.get(row.way, row.total))
    games = [
        SoloGameState(table=row.table_id, at=row.at, way=row.way, total=row.total) for row in rows
    ]
    return SoloHistory(player=player, games=games, best=best)
