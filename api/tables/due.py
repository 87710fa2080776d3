"""What the service itself adds to a history before anybody's command: nobody asks for it."""

from collections.abc import Mapping
from typing import Any

from api.tables.play import Draft
from api.tables.record import Record
from api.tables.sealing import overdue
from rules.dimension.game import HourglassEnded, event_to_json


def due(record: Record, program: Mapping[str, Any] | None, now: float) -> list[Draft]:
    """All that is to be written now, before anything else is, by this program."""
    return [*_continued(record, program), *_running_out(record, now), *overdue(record, now)]


def _continued(record: Record, program: Mapping[str, Any] | None) -> list[Draft]:
    """Another program plays on: what it says and draws may differ from what was said before."""
    if record.program == program:
        return []
    return [Draft("program_changed", {"program": program})]


def _running_out(record: Record, now: float) -> list[Draft]:
    """The hourglass ran out, if it did since the last entry: an event at its own time."""
    round_ = record.game.current
    if round_ is None or round_.started_at is None or round_.ended_at is not None:
        return []
    ends_at = round_.started_at + record.game.settings.hourglass_s
    if now < ends_at:
        return []
    event = event_to_json(HourglassEnded(ends_at))
    return [Draft("hourglass_ran_out", {"event": event, "round": round_.number})]
