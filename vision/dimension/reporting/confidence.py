"""How sure a reading is: the posterior turned into a probability that means what it says.

A reading is right if the view of the tray is right and, in that view, the layout is. Both have a
probability of their own, by the signs of the view and by the evidence of the seats, and both are
too sure or not sure enough of themselves: the evidence of neighbouring pixels is not independent.
A straight line on the log-odds of each, fitted on pictures that trained nothing, sets that right.
The lines and the bar for ``certain`` are in ``data/confidence.json``, with the experiment that set
them.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from vision.log_odds import Line

BLOCKING = frozenset({"unknown_tray", "color_count_impossible", "views_disagree", "hand_in_view"})
"""Warnings with which no reading is certain, however clear it seems."""

STEEPEST = 56.0
"""Degrees from above beyond which no reading is certain. The program is made for 55°; of 110
steeper lab pictures 15 % are read wrongly, one of them without any other sign."""


@dataclass(frozen=True)
class Confidence:
    """The map from a posterior to calibrated probabilities, and the bar for ``certain``."""

    view: Line
    layout: Line
    ceiling: float
    """No reading is surer than this: some errors leave no trace in the posterior."""
    certain_from: float
    experiment: str

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Confidence":
        """The map in a JSON object."""
        lines = {name: Line(**data[name]) for name in ("view", "layout")}
        return cls(**{**data, **lines})

    def calibrated(self, layout: float, view: float) -> float:
        """The probability that a reading is right, from those of its layout and of its view."""
        return min(self.ceiling, self.view.calibrated(view) * self.layout.calibrated(layout))

    def is_certain(self, confidence: float, warnings: Collection[str]) -> bool:
        """Whether a reading may be scored without a check."""
        return confidence >= self.certain_from and BLOCKING.isdisjoint(warnings)


@cache
def shipped_confidence() -> Confidence:
    """The map that comes with the program."""
    file = resources.files("vision.dimension") / "data" / "confidence.json"
    return Confidence.from_json(json.loads(file.read_text(encoding="utf-8")))
