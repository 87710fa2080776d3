"""What a game at a table need not say: no camera yet, nothing that happens by itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.tables.dispute_record import DisputeRecord
from api.tables.draft import Draft
from api.tables.record import Record
from api.tables.table_game import Json, SoloGame, TableGame, rules
from api.workers.crop import Box
from rules.errors import RulesError
from vision.readers import GameReading

_ADVICE = "Nobody photographed it: say what lies there."


class PlainGame(TableGame):
    """A game whose positions are sent in by hand; all else is up to it."""

    profile_kind: str | None = None
    wrong_in_itself: frozenset[str] = frozenset()
    own_kinds: frozenset[str] = frozenset()

    def told_draw(self, _state: Any, event: Json, now: float) -> Json:
        """What was drawn, as the history tells it."""
        return {**event, "at": now}

    def due(self, _state: Any, _now: float) -> list[Draft]:
        """Nothing happens by itself."""
        return []

    def legal(self, position: str) -> str:
        """The position as it is written; parsing it says what is wrong."""
        return str(rules(self).parse(position))

    def same(self, one: str, other: str) -> bool:
        """Whether two positions are written alike."""
        return self.legal(one) == self.legal(other)

    def parse_reading(self, _reading: Json) -> GameReading:
        """No photo of this game can have been read."""
        raise RulesError("no_reader", "photos of this game cannot be read yet")

    def possibilities(self, _reading: Json) -> Mapping[str, float]:
        """None: no photo of this game can have been read."""
        return {}

    def doubt(self, _state: Any, _number: int, _reading: Any) -> Json | None:
        """None: no photo of this game can have been read."""
        return None

    def hangs_on(self, _state: Any, dispute: Json, _reading: Json | None) -> Json:
        """What is disputed; only people can settle it."""
        about = [str(value) for value in dispute["about"].values() if value is not None]
        return {"doubt": None, "hangs_on": about, "advice": _ADVICE}

    def marked(self, _state: Any, _dispute: DisputeRecord) -> Any | None:
        """Nothing: there is no photo to mark it in."""
        return None

    def disputed_box(self, _reading: Json, _dispute: DisputeRecord) -> Box | None:
        """None: there is no photo."""
        return None

    def table_shown(self, _record: Record) -> Json:
        """Nothing more than all games show."""
        return {}

    def dispute_shown(self, _record: Record, _dispute: DisputeRecord) -> Json:
        """Nothing more than all games show."""
        return {}

    def compared(self, own: SoloGame, others: Sequence[SoloGame]) -> Json:
        """Place, best and average by total among all games played the same way."""
        totals = [one.total for one in others if one.way == own.way] + [own.total]
        return {
            "total": own.total,
            "place": 1 + sum(total > own.total for total in totals),
            "games": len(totals),
            "best": max(totals),
            "average": sum(totals) / len(totals),
        }
