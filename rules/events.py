"""Events as JSON objects: what happens at a table, stored and told again, whatever the game."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, fields
from types import UnionType
from typing import Any, ClassVar, Generic, Protocol, TypeVar, get_args, get_origin, get_type_hints

from rules.errors import RulesError
from rules.rulings import TableRulings


class Record(Protocol):
    """A dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


EventT = TypeVar("EventT", bound=Record)


class EventJson(Generic[EventT]):
    """Turns the events of a game into JSON and back; ``types`` names each kind of event."""

    def __init__(self, types: Mapping[str, type[EventT]]) -> None:
        self._types = types
        self._names = {kind: name for name, kind in types.items()}

    def to_json(self, event: EventT) -> dict[str, Any]:
        """The event as a JSON object, its type named."""
        return {"type": self._names[type(event)], **asdict(event)}

    def from_json(self, data: Mapping[str, Any]) -> EventT:
        """The event of a JSON object; raises ``RulesError`` if it is none."""
        name = data.get("type")
        kind = self._types.get(name) if isinstance(name, str) else None
        if kind is None:
            raise RulesError("bad_event", f"There is no event of type {name!r}.")
        hints = get_type_hints(kind)
        values = {
            key: _frozen(value, hints.get(key)) for key, value in data.items() if key != "type"
        }
        odd = sorted((set(values) - set(hints)) | (_needed(kind) - set(values)))
        odd += [key for key in values if key in hints and not _fits(values[key], hints[key])]
        if odd:
            raise RulesError(
                "bad_event", f"These fields of a {name} event are wrong: {', '.join(odd)}."
            )
        return kind(**values)


def _needed(kind: type[Record]) -> set[str]:
    return {
        own.name
        for own in fields(kind)
        if own.default is MISSING and own.default_factory is MISSING
    }


def _frozen(value: Any, hint: Any) -> Any:
    if isinstance(value, Mapping) and isinstance(hint, type) and issubclass(hint, TableRulings):
        return hint.parse(value)
    return tuple(value) if isinstance(value, list) else value


def _fits(value: object, hint: Any) -> bool:
    """Whether a value is of an annotated type, for the few types that events are made of."""
    if isinstance(hint, UnionType):
        return any(_fits(value, choice) for choice in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    if hint is float:
        hint = (int, float)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))
