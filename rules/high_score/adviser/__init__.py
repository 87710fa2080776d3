"""The adviser: what to keep, exactly, by dynamic programming over all rolls. Needs numpy."""

from rules.high_score.adviser.advice import Advice, Option, advise, par
from rules.high_score.adviser.goals import EXPECT, AtLeast, Chips, Expect, Goal

__all__ = [
    "EXPECT",
    "Advice",
    "AtLeast",
    "Chips",
    "Expect",
    "Goal",
    "Option",
    "advise",
    "par",
]
