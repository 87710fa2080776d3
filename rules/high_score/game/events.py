"""What happens at a table, as values that can be stored and told again.

Times are seconds since 1970 by the one clock that counts, the service's.
"""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from rules.errors import RulesError
from rules.high_score.rulings import Rulings


@dataclass(frozen=True)
class SetUp:
    """Players sit down, clockwise, and agree how to play.

    ``starter`` begins the first round, the first player if nobody is named; ``deck`` replaces
    our deck by a table's own.
    """

    players: tuple[str, ...]
    starter: str | None = None
    rulings: Rulings = field(default_factory=Rulings)
    seed: int = 0
    deck: tuple[str, ...] | None = None
    at: float = 0.0


@dataclass(frozen=True)
class Revealed:
    """The challenge of a round is on the table."""

    challenge: str
    at: float = 0.0


@dataclass(frozen=True)
class Rolled:
    """A roll on the way, with its number; told again, it replaces what was told before.

    ``dice`` lie on the table; ``aside`` was set aside before this roll.
    """

    player: str
    roll: int
    dice: str
    aside: str = ""
    at: float = 0.0


@dataclass(frozen=True)
class DiceSubmitted:
    """The final dice of a player's turn; sent again, they replace what was sent before."""

    player: str
    dice: str
    at: float = 0.0


@dataclass(frozen=True)
class DiceCorrected:
    """Final dice of this or an earlier round were read or entered wrongly and are put right."""

    round: int
    player: str
    dice: str
    reason: str
    at: float = 0.0


@dataclass(frozen=True)
class RoundClosed:
    """All dice of the round are in and agreed on; chips are handed out."""

    at: float = 0.0


@dataclass(frozen=True)
class Finished:
    """After the last round, chips are counted."""

    at: float = 0.0


Event = SetUp | Revealed | Rolled | DiceSubmitted | DiceCorrected | RoundClosed | Finished

_TYPES: dict[str, type[Event]] = {
    "set_up": SetUp,
    "revealed": Revealed,
    "rolled": Rolled,
    "dice_submitted": DiceSubmitted,
    "dice_corrected": DiceCorrected,
    "round_closed": RoundClosed,
    "finished": Finished,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object, its type named."""
    return {"type": _NAMES[type(event)], **asdict(event)}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event of a JSON object; raises ``RulesError`` if it is none."""
    name = data.get("type")
    kind = _TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RulesError("bad_event", f"There is no event of type {name!r}.")
    values = {key: _frozen(key, value) for key, value in data.items() if key != "type"}
    hints = get_type_hints(kind)
    optional = {own.name for own in fields(kind) if own.default is not MISSING} | {"rulings"}
    odd = sorted((set(values) - set(hints)) | (set(hints) - optional - set(values)))
    odd += [key for key, value in values.items() if key in hints and not _fits(value, hints[key])]
    if odd:
        raise RulesError("bad_event", f"In a {name} event, these are wrong: {', '.join(odd)}.")
    return kind(**values)


def _frozen(name: str, value: Any) -> Any:
    if name == "rulings" and isinstance(value, Mapping):
        return Rulings.parse(value)
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
