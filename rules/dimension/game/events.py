"""What happens at a table, as values that can be stored and told again.

Times are seconds since 1970 by the one clock that counts, the service's.
"""

from dataclasses import dataclass, field

from rules.dimension.rulings import Rulings
from rules.events import EventJson


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
_EVENTS = EventJson[Event](_TYPES)
event_to_json = _EVENTS.to_json
event_from_json = _EVENTS.from_json
