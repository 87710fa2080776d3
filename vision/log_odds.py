"""Probabilities that mean what they say: straight lines on log-odds.

A model is often too sure of itself, or not sure enough, in the same way everywhere. A line fitted
on pictures that trained nothing sets that right.
"""

from dataclasses import dataclass
from math import exp, log

_LARGEST_ODDS = 36.0  # e³⁶ : 1, where a probability's last digit ends


@dataclass(frozen=True)
class Line:
    """A straight line on log-odds."""

    slope: float
    offset: float

    def calibrated(self, p: float) -> float:
        """The calibrated probability of something given the probability ``p``."""
        odds = self.slope * log_odds(p) + self.offset
        return 1.0 / (1.0 + exp(-max(-_LARGEST_ODDS, odds)))


def log_odds(p: float) -> float:
    """The logarithm of p : 1 − p, kept finite."""
    if p <= 0.0 or p >= 1.0:
        return -_LARGEST_ODDS if p <= 0.0 else _LARGEST_ODDS
    return max(-_LARGEST_ODDS, min(_LARGEST_ODDS, log(p) - log(1.0 - p)))
