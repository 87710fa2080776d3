"""A table of two to four players as a pure state machine over recorded events."""

from rules.cube.game.events import (
    BuildingTold,
    Claimed,
    Drawn,
    Event,
    Finished,
    Moved,
    Refilled,
    SetUp,
    TwinPlaced,
    event_from_json,
    event_to_json,
)
from rules.cube.game.hands import SecretCard, commitment, shuffled
from rules.cube.game.state import Claim, FinalScore, Game
from rules.cube.game.table import apply, replay
from rules.playing import IllegalMove

__all__ = [
    "BuildingTold",
    "Claim",
    "Claimed",
    "Drawn",
    "Event",
    "FinalScore",
    "Finished",
    "Game",
    "IllegalMove",
    "Moved",
    "Refilled",
    "SecretCard",
    "SetUp",
    "TwinPlaced",
    "apply",
    "commitment",
    "event_from_json",
    "event_to_json",
    "replay",
    "shuffled",
]
