"""What the service itself adds to a history before anybody's command: nobody asks for it."""

from collections.abc import Mapping
from typing import Any

from api.tables.draft import Draft
from api.tables.record import Record
from api.tables.sealing import overdue


def due(record: Record, program: Mapping[str, Any] | None, now: float) -> list[Draft]:
    """All that is to be written now, before anything else is, by this program."""
    return [
        *_continued(record, program),
        *record.game.due(record.state, now),
        *overdue(record, now),
    ]


def _continued(record: Record, program: Mapping[str, Any] | None) -> list[Draft]:
    """Another program plays on: what it says and draws may differ from what was said before."""
    if record.program == program:
        return []
    return [Draft("program_changed", {"program": program})]
