"""What happens at a table, as values that can be stored and told again.

Times are seconds since 1970 by the one clock that counts, the service's.
"""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from rules.dimension.rulings import Rulings
from rules.errors import RulesError


@dataclass(frozen=True)
class SetUp:
    """Players sit down and agree how to play.

    ``deck`` replaces the standard deck where a table's box differs; ``without`` leaves out kinds:
    ``exactly``, or ``more_sum4`` for both of these.
    """

    players: tuple[str, ...]
    edition: str = "en"
    cards_per_round: int = 6
    without: tuple[str, ...] = ()
    put_back: bool = False
    rulings: Rulings = field(default_factory=Rulings)
    hourglass_s: int = 60
    seed: int = 0
    deck: tuple[str, ...] | None = None
    at: float = 0.0


@dataclass(frozen=True)
class Revealed:
    """The cards of a round are on the table; ``put_back`` went under the stack on the way."""

    cards: tuple[str, ...]
    put_back: tuple[str, ...] = ()
    at: float = 0.0


@dataclass(frozen=True)
class HourglassStarted:
    """Everybody builds."""

    at: float = 0.0


@dataclass(frozen=True)
class HourglassEnded:
    """Nobody may touch a sphere any more."""

    at: float = 0.0


@dataclass(frozen=True)
class TraySubmitted:
    """What a player's tray shows; sent again, it replaces what was sent before."""

    player: str
    layout: str
    at: float = 0.0


@dataclass(frozen=True)
class TrayCorrected:
    """A tray of this or an earlier round was read or entered wrongly and is put right."""

    round: int
    player: str
    layout: str
    reason: str
    at: float = 0.0


@dataclass(frozen=True)
class RoundClosed:
    """All trays of the round are in and agreed on; tokens change hands."""

    at: float = 0.0


@dataclass(frozen=True)
class Finished:
    """After the last round, bonus tokens are turned into points."""

    at: float = 0.0


Event = (
    SetUp
    | Revealed
    | HourglassStarted
    | HourglassEnded
    | TraySubmitted
    | TrayCorrected
    | RoundClosed
    | Finished
)

_TYPES: dict[str, type[Event]] = {
    "set_up": SetUp,
    "revealed": Revealed,
    "hourglass_started": HourglassStarted,
    "hourglass_ended": HourglassEnded,
    "tray_submitted": TraySubmitted,
    "tray_corrected": TrayCorrected,
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
