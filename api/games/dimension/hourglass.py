"""The hourglass: what turning and ending it adds to the history, and its command."""

from collections.abc import Callable, Mapping

from pydantic import BaseModel

from api.evidence.deed import Deed
from api.problems import Problem
from api.tables.access import Actor
from api.tables.commands import files
from api.tables.draft import Draft
from api.tables.play import open_round
from api.tables.record import Record
from api.tables.service import Answered, Asking, Change, Scene, TableService
from api.tables.view import round_state
from rules.dimension.game import HourglassEnded, HourglassStarted, event_to_json


def turn(record: Record, actor: Actor, number: int, start: bool, now: float) -> Draft:
    """The hourglass is turned, or ended by hand."""
    if record.game.id != "dimension":
        raise Problem(409, "other_game", "This game has no hourglass.")
    actor.hosts()
    open_round(record, number)
    event = HourglassStarted(now) if start else HourglassEnded(now)
    kind = "hourglass_started" if start else "hourglass_stopped"
    return Draft(kind, {"event": event_to_json(event), "round": number})


def command(
    service: TableService, table: str, number: int, start: bool, asking: Asking
) -> Answered:
    """The hourglass starts, or is stopped."""

    def shown(after: Scene) -> BaseModel:
        return round_state(after.record, number, files(after), after.now)

    def turned(scene: Scene) -> Change:
        draft = turn(scene.record, scene.actor, number, start, scene.now)
        return Change([draft], shown)

    return service.change(table, asking, turned)


def _told(start: bool) -> Callable[[Deed], Draft]:
    def turned(deed: Deed) -> Draft:
        return turn(deed.record, deed.actor, deed.body.number("round"), start, deed.entry.at)

    return turned


DEEDS: Mapping[str, Callable[[Deed], Draft]] = {
    "hourglass_started": _told(True),
    "hourglass_stopped": _told(False),
}
"""What entries about the hourglass should say (see ``api.evidence.deeds``)."""
