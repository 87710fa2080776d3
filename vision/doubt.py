"""Scores under doubt, for any game: sums over the positions that a photo may show.

Often the score is certain though the position is not: all that it may be may be worth the same.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rules.worth import Scoring

FloatArray = NDArray[np.float64]
PositionT = TypeVar("PositionT")

SETTLED = 0.995
"""Points at least this probable are taken as settled: no part of the position decides any more."""

_AS_DECISIVE = 0.5
"""Parts that tell at least this share of what the most telling one tells are named with it."""


@dataclass(frozen=True, eq=False)
class Weighed:
    """What positions are worth, weighed by how probable each is."""

    points: dict[int, float]
    """Probability of each number of points, most probable first."""
    cards: dict[str, float]
    """Probability that each card is fulfilled."""
    chances: FloatArray
    """Probability of each position; they add up to one."""
    outcomes: NDArray[np.intp]
    """A number for each position, equal for positions worth the same."""

    @property
    def is_settled(self) -> bool:
        """Whether the points are as good as certain."""
        return max(self.points.values()) >= SETTLED


def weigh(possibilities: Mapping[PositionT, float], scoring: Scoring[PositionT]) -> Weighed:
    """What positions are worth; their probabilities are taken relative to each other."""
    chances = np.array(list(possibilities.values()), dtype=np.float64)
    chances = np.ones_like(chances) if chances.sum() == 0 else chances
    chances = chances / chances.sum()
    worth = scoring(list(possibilities))
    both = np.stack([worth.points, worth.bonus])
    return Weighed(
        points=_by_points(worth.points, chances),
        cards={card: float(chances @ fulfilled) for card, fulfilled in worth.cards.items()},
        chances=chances,
        outcomes=np.unique(both, axis=1, return_inverse=True)[1].reshape(-1),
    )


def decisive(weighed: Weighed, parts: Mapping[str, Sequence[Hashable]]) -> tuple[str, ...]:
    """The parts of a position that tell most about its worth, by mutual information.

    ``parts`` says of each part, such as a seat, what it is in each of the positions.
    """
    if weighed.is_settled:
        return ()
    told = {part: _information(kinds, weighed) for part, kinds in parts.items()}
    best = max(told.values())
    if best <= 1e-9:
        return ()
    ranked = sorted(told, key=lambda part: -told[part])
    return tuple(part for part in ranked if told[part] >= _AS_DECISIVE * best)


def _by_points(points: NDArray[np.int64], chances: FloatArray) -> dict[int, float]:
    totals = {int(n): float(chances[points == n].sum()) for n in np.unique(points)}
    return dict(sorted(totals.items(), key=lambda entry: (-entry[1], -entry[0])))


def _information(kinds: Sequence[Hashable], weighed: Weighed) -> float:
    """How much knowing what a part is would tell about the outcome, in nats."""
    left = 0.0
    for kind in set(kinds):
        these = np.array([other == kind for other in kinds])
        chances = weighed.chances[these]
        left += chances.sum() * _entropy(chances, weighed.outcomes[these])
    return _entropy(weighed.chances, weighed.outcomes) - left


def _entropy(chances: FloatArray, outcomes: NDArray[np.intp]) -> float:
    totals = np.bincount(outcomes, weights=chances)
    shares = totals[totals > 0] / max(float(totals.sum()), 1e-300)
    return float(-(shares * np.log(shares)).sum())
