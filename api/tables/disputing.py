"""What clients ask in a dispute: each function is one command, done once and answered."""

from collections.abc import Callable

from pydantic import BaseModel

from api.models.disputes import ConsentAsked, DisputeAsked, ResolutionRequest
from api.problems import Problem
from api.storage import tables
from api.tables import disputes
from api.tables.dispute_view import dispute_state
from api.tables.joining import show_pin
from api.tables.play import known_player
from api.tables.service import Answered, Asking, Change, Scene, Sight, TableService
from api.tables.voices import Voice, voice


def open_dispute(
    service: TableService, table: str, asked: DisputeAsked, asking: Asking
) -> Answered:
    """A dispute is opened."""

    def command(scene: Scene) -> Change:
        about = asked.model_dump(exclude=set(DisputeAsked.model_fields))
        disputed = disputes.Disputed(asked.round, asked.player, about, asked.text)
        draft = disputes.open_dispute(scene.record, scene.actor, disputed)
        return Change([draft], dispute_answer(draft.body["dispute"]), status=201)

    return service.change(table, asking, command)


def consent(
    service: TableService, table: str, number: int, asked: ConsentAsked, asking: Asking
) -> Answered:
    """A player says what lies on the tray, by their token or their PIN."""
    seen = service.begin(table, asking)
    if isinstance(seen, Answered):
        return seen
    who = _who(service, seen, asked)
    if who is None:
        text = "Say who consents, and by which PIN; or use the player's own device."
        raise Problem(403, "pin_needed", text)

    def command(scene: Scene) -> Change:
        said: str = getattr(asked, scene.record.game.names.position)
        draft = disputes.consent(scene.record, scene.actor, number, who, said)
        return Change([draft], dispute_answer(number))

    return service.change(table, asking, command)


def resolve(
    service: TableService, table: str, number: int, asked: ResolutionRequest, asking: Asking
) -> Answered:
    """A dispute ends."""
    seen = service.begin(table, asking)
    if isinstance(seen, Answered):
        return seen
    who = _who(service, seen, asked)

    def command(scene: Scene) -> Change:
        draft = disputes.resolve(scene.record, number, asked.outcome, scene.actor, who, scene.now)
        return Change([draft], dispute_answer(number))

    return service.change(table, asking, command)


def _who(
    service: TableService, seen: Sight, asked: ConsentAsked | ResolutionRequest
) -> Voice | None:
    """The player who has shown who they are; None for a host who names nobody."""
    named = asked.player or seen.actor.player
    if named is None:
        return None
    known_player(seen.record, named)
    if named == seen.actor.player and asked.pin is None:
        return voice(seen.record, seen.actor, named, "token")
    if asked.pin is None:
        raise Problem(403, "pin_needed", f"{named} consents by PIN here, or on their own device.")
    show_pin(service, seen.row.id, named, asked.pin)
    return voice(seen.record, seen.actor, named, "pin")


def dispute_answer(number: int) -> Callable[[Scene], BaseModel]:
    """How a command about this dispute is answered."""

    def answer(scene: Scene) -> BaseModel:
        files = tables.files(scene.connection, scene.row.id)
        return dispute_state(scene.record, scene.record.disputes[number - 1], files)

    return answer
