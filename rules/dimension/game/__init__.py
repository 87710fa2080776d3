"""A table of one to four players as a pure state machine over recorded events."""

from rules.dimension.game.events import (
    Event,
    Finished,
    HourglassEnded,
    HourglassStarted,
    Revealed,
    RoundClosed,
    SetUp,
    TrayCorrected,
    TraySubmitted,
    event_from_json,
    event_to_json,
)
from rules.dimension.game.state import Game, Round, Tray
from rules.dimension.game.table import apply, draw, enter, replay
from rules.playing import IllegalMove

__all__ = [
    "Event",
    "Finished",
    "Game",
    "HourglassEnded",
    "HourglassStarted",
    "IllegalMove",
    "Revealed",
    "Round",
    "RoundClosed",
    "SetUp",
    "Tray",
    "TrayCorrected",
    "TraySubmitted",
    "apply",
    "draw",
    "enter",
    "event_from_json",
    "event_to_json",
    "replay",
]
