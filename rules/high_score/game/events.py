"""What happens at a table, as values that can be stored and told again.

Times are seconds since 1970 by the one clock that counts, the service's.
"""

from dataclasses import dataclass, field

from rules.events import EventJson
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
_EVENTS = EventJson[Event](_TYPES)
event_to_json = _EVENTS.to_json
event_from_json = _EVENTS.from_json
