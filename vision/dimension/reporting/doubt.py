"""What a reading is worth: how probable points and cards are, and which spheres decide."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.dimension.board import SEATS
from rules.dimension.layout import Layout
from rules.worth import Scoring
from vision.dimension.reading import Reading
from vision.dimension.reporting.advice import seat_name
from vision.dimension.reporting.viewpoint import better_view
from vision.doubt import decisive, weigh


@dataclass(frozen=True)
class Doubt:
    """What a reading is worth, as far as it can be told."""

    points: dict[int, float] = field(hash=False)
    """Probability of each number of points, most probable first."""
    cards: dict[str, float] = field(hash=False)
    """Probability that each card is fulfilled."""
    decisive: tuple[str, ...]
    """The seats whose colour decides about the points, the most telling first."""
    advice: str

    def to_json(self) -> dict[str, Any]:
        """The doubt in JSON: ``doubt`` in the answer to a score."""
        return {
            "points": [{"points": n, "p": round(p, 6)} for n, p in self.points.items()],
            "cards": {card: round(p, 6) for card, p in self.cards.items()},
            "decisive": list(self.decisive),
            "advice": self.advice,
        }


def doubt(reading: Reading, scoring: Scoring[Layout]) -> Doubt:
    """What a reading is worth over all layouts that it holds possible.

    Raises ``ValueError`` for a reading without a layout. Probabilities are relative to the
    layouts that the reading names, which cover 0.99 or are ten.
    """
    if reading.layout is None:
        raise ValueError("There is nothing to score: the photo shows no tray.")
    layouts = list(reading.possibilities)
    weighed = weigh(reading.possibilities, scoring)
    colors = {seat: [layout.cells[i] for layout in layouts] for i, seat in enumerate(SEATS)}
    deciding = decisive(weighed, colors)
    return Doubt(
        points=weighed.points,
        cards=weighed.cards,
        decisive=deciding,
        advice=_advice(reading, weighed.points, deciding),
    )


def _advice(reading: Reading, points: dict[int, float], deciding: Sequence[str]) -> str:
    if not deciding:
        if reading.status == "certain":
            return ""
        return "All likely layouts score the same points."
    named = deciding[:2]
    names = " and ".join(seat_name(seat) for seat in named)
    worths = " or ".join(str(n) for n in sorted(points))
    text = f"It is worth {worths} points: {names} {'decide' if len(named) > 1 else 'decides'}."
    hint = better_view(reading, named) or better_view(reading, named[:1])
    if hint is None:
        return f"{text} No other view shows much more: please look at the tray."
    return f"{text} To settle it, {hint.text}."
