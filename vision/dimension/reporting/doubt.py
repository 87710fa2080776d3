"""Scores under doubt: how probable points and cards are, which spheres decide, how to settle it.

Often the score is certain though a sphere is not: all layouts in question may be worth the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import SEATS
from rules.dimension.cards import Card
from rules.dimension.editions import ENGLISH, Edition
from rules.dimension.layout import Layout
from rules.dimension.many import Groups, color_sets, judge_many, score_many
from rules.dimension.rulings import Rulings
from vision.dimension.reading import Reading
from vision.dimension.reporting.advice import seat_name
from vision.dimension.reporting.viewpoint import better_view

FloatArray = NDArray[np.float64]

SETTLED = 0.995
"""Points at least this probable are taken as settled: no sphere decides any more."""

_AS_DECISIVE = 0.5
"""Spheres that tell at least this share of what the most telling one tells are named with it."""


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
        """The doubt as in contracts.md."""
        return {
            "points": [{"points": n, "p": round(p, 6)} for n, p in self.points.items()],
            "cards": {card: round(p, 6) for card, p in self.cards.items()},
            "decisive": list(self.decisive),
            "advice": self.advice,
        }


def doubt(
    reading: Reading,
    cards: Sequence[Card],
    edition: Edition = ENGLISH,
    rulings: Rulings | None = None,
    most: int | None = None,
) -> Doubt:
    """What a reading is worth over all layouts that it holds possible.

    Raises ``ValueError`` for a reading without a layout. Probabilities are relative to the
    layouts that the reading names, which cover 0.99 or are ten.
    """
    if reading.layout is None:
        raise ValueError("Nothing can be scored: the photo shows no tray.")
    rulings = rulings or Rulings()
    layouts = list(reading.possibilities)
    chances = np.array(list(reading.possibilities.values()), dtype=np.float64)
    chances = np.ones_like(chances) if chances.sum() == 0 else chances
    chances = chances / chances.sum()
    points, bonus = score_many(Groups(color_sets(layouts)), cards, edition, rulings, most)
    fulfilled = chances @ judge_many(layouts, cards, rulings)
    likely = _by_points(points, chances)
    outcome = np.unique(np.stack([points, bonus]), axis=1, return_inverse=True)[1].reshape(-1)
    decisive = () if max(likely.values()) >= SETTLED else _decisive(layouts, chances, outcome)
    return Doubt(
        points=likely,
        cards={str(card): float(p) for card, p in zip(cards, fulfilled, strict=True)},
        decisive=decisive,
        advice=_advice(reading, likely, decisive),
    )


def _by_points(points: NDArray[np.int64], chances: FloatArray) -> dict[int, float]:
    totals = {int(n): float(chances[points == n].sum()) for n in np.unique(points)}
    return dict(sorted(totals.items(), key=lambda entry: (-entry[1], -entry[0])))


def _decisive(
    layouts: Sequence[Layout], chances: FloatArray, outcome: NDArray[np.intp]
) -> tuple[str, ...]:
    """The seats whose colour tells most about the outcome (by mutual information)."""
    told = {
        seat: _information([layout.cells[i] for layout in layouts], chances, outcome)
        for i, seat in enumerate(SEATS)
    }
    best = max(told.values())
    if best <= 1e-9:
        return ()
    ranked = sorted(told, key=lambda seat: -told[seat])
    return tuple(seat for seat in ranked if told[seat] >= _AS_DECISIVE * best)


def _information(colors: Sequence[str], chances: FloatArray, outcome: NDArray[np.intp]) -> float:
    """How much knowing a seat's colour would tell about the outcome, in nats."""
    by_color = np.array(colors)
    left = 0.0
    for color in set(colors):
        these = by_color == color
        left += chances[these].sum() * _entropy(chances[these], outcome[these])
    return _entropy(chances, outcome) - left


def _entropy(chances: FloatArray, outcome: NDArray[np.intp]) -> float:
    totals = np.bincount(outcome, weights=chances)
    shares = totals[totals > 0] / max(float(totals.sum()), 1e-300)
    return float(-(shares * np.log(shares)).sum())


def _advice(reading: Reading, points: dict[int, float], decisive: Sequence[str]) -> str:
    if not decisive:
        if reading.status == "certain":
            return ""
        return "The points are the same whichever of the likely layouts it is."
    names = " and ".join(seat_name(seat) for seat in decisive[:2])
    worths = " or ".join(str(n) for n in sorted(points))
    text = f"It is worth {worths} points: {names} decide{'' if len(decisive[:2]) > 1 else 's'}."
    hint = better_view(reading, decisive[:2]) or better_view(reading, decisive[:1])
    if hint is None:
        return f"{text} No other view shows much more: please look."
    return f"{text} To settle it, {hint.text}."
