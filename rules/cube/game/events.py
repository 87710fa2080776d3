"""What happens at a table, as values that can be stored and told again.

Spaces are written ``x,y`` and cubes ``x,y,z``, from the west, the north and the bottom. Times are
seconds since 1970 by the one clock that counts, the service's.
"""

from dataclasses import dataclass, field

from rules.cube.building import COLORS
from rules.cube.rulings import Rulings
from rules.events import EventJson


@dataclass(frozen=True)
class SetUp:
    """Players sit down, clockwise, and agree how to play.

    ``starter`` begins, the first player if nobody is named. ``corners`` has the colours of the
    first cubes, clockwise from the north-west. ``supply`` is the number of cubes of each colour.
    ``record``: every act is told (``acts``), or only claims with the building as it was
    photographed (``claims``). ``pile`` has a commitment for each card of a dealt pile, in its
    order; without it, hands are paper cards. ``deck`` replaces our deck by a table's own.
    """

    players: tuple[str, ...]
    starter: str | None = None
    colors: str = COLORS
    corners: str | None = None
    supply: int = 16
    record: str = "acts"
    pile: tuple[str, ...] | None = None
    deck: tuple[str, ...] | None = None
    rulings: Rulings = field(default_factory=Rulings)
    at: float = 0.0


@dataclass(frozen=True)
class Drawn:
    """A player draws a cube and places it."""

    player: str
    color: str
    to: str
    at: float = 0.0


@dataclass(frozen=True)
class Moved:
    """A player moves a cube to another space."""

    player: str
    cube: str
    to: str
    at: float = 0.0


@dataclass(frozen=True)
class TwinPlaced:
    """A player places the own twin: upright on a space, or flat on it and a neighbouring one."""

    player: str
    color: str
    to: str
    other: str | None = None
    at: float = 0.0


@dataclass(frozen=True)
class BuildingTold:
    """The building as a photo shows it, where only claims are recorded, or as corrected."""

    board: str
    reason: str = ""
    at: float = 0.0


@dataclass(frozen=True)
class Claimed:
    """A player shows a fulfilled card.

    ``salt`` opens the commitment of a dealt card. ``agreed``: the table's word settles what a
    photo leaves open.
    """

    player: str
    card: str
    salt: str | None = None
    agreed: bool = False
    at: float = 0.0


@dataclass(frozen=True)
class Refilled:
    """The discarded cards were shuffled into a new pile."""

    pile: tuple[str, ...]
    at: float = 0.0


@dataclass(frozen=True)
class Finished:
    """The game is over; what is still tied stays shared."""

    at: float = 0.0


Event = SetUp | Drawn | Moved | TwinPlaced | BuildingTold | Claimed | Refilled | Finished

_TYPES: dict[str, type[Event]] = {
    "set_up": SetUp,
    "drawn": Drawn,
    "moved": Moved,
    "twin_placed": TwinPlaced,
    "building_told": BuildingTold,
    "claimed": Claimed,
    "refilled": Refilled,
    "finished": Finished,
}
_EVENTS = EventJson[Event](_TYPES)
event_to_json = _EVENTS.to_json
event_from_json = _EVENTS.from_json
