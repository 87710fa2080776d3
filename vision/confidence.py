"""How sure a reading is: the posterior turned into a probability that means what it says.

The evidence of neighbouring pixels is not independent and poses are not perfect, so a posterior is
too sure of itself. A straight line on its log-odds, fitted on pictures that trained nothing, sets
that right. The line and the bar for ``certain`` are in ``data/confidence.json``, with the
experiment that set them.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, log

BLOCKING = frozenset({"unknown_tray", "color_count_impossible", "views_disagree", "hand_in_view"})
"""Warnings with which no reading is certain, however clear it seems."""

_LARGEST_ODDS = 36.0  # e³⁶ : 1, where a probability's last digit ends


@dataclass(frozen=True)
class Confidence:
    """The map from a posterior's probability to a calibrated one, and the bar for ``certain``."""

    slope: float
    offset: float
    ceiling: float
    """No reading is surer than this: some errors leave no trace in the posterior."""
    certain_from: float
    experiment: str

    def calibrated(self, p: float) -> float:
        """The probability that a layout is right to which the posterior gives ``p``."""
        odds = self.slope * log_odds(p) + self.offset
        return min(self.ceiling, 1.0 / (1.0 + exp(-max(-_LARGEST_ODDS, odds))))

    def is_certain(self, confidence: float, warnings: Collection[str]) -> bool:
        """Whether a reading may be scored without a look."""
        return confidence >= self.certain_from and BLOCKING.isdisjoint(warnings)


@cache
def shipped_confidence() -> Confidence:
    """The map that comes with the program."""
    file = resources.files("vision") / "data" / "confidence.json"
    return Confidence(**json.loads(file.read_text(encoding="utf-8")))


def log_odds(p: float) -> float:
    """The logarithm of p : 1 − p, kept finite."""
    if p <= 0.0 or p >= 1.0:
        return -_LARGEST_ODDS if p <= 0.0 else _LARGEST_ODDS
    return max(-_LARGEST_ODDS, min(_LARGEST_ODDS, log(p) - log(1.0 - p)))
