"""A table of one to five players as a pure state machine over recorded events."""

from rules.high_score.game.events import (
    DiceCorrected,
    DiceSubmitted,
    Event,
    Finished,
    Revealed,
    Rolled,
    RoundClosed,
    SetUp,
    event_from_json,
    event_to_json,
)
from rules.high_score.game.state import (
    FinalScore,
    Game,
    Round,
    Standing,
    Turn,
)
from rules.high_score.game.table import apply, draw, enter, replay
from rules.playing import IllegalMove

__all__ = [
    "DiceCorrected",
    "DiceSubmitted",
    "Event",
    "FinalScore",
    "Finished",
    "Game",
    "IllegalMove",
    "Revealed",
    "Rolled",
    "Round",
    "RoundClosed",
    "SetUp",
    "Standing",
    "Turn",
    "apply",
    "draw",
    "enter",
    "event_from_json",
    "event_to_json",
    "replay",
]
