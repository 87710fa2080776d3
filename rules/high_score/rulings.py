"""Our rulings where the book is silent: a setting of each table, defaults first."""

from dataclasses import dataclass
from typing import Literal

from rules.rulings import TableRulings


@dataclass(frozen=True)
class Rulings(TableRulings):
    """How a table decides the three questions that the book leaves open.

    ``pairs``: four or six equal dice are two or three pairs, or just one pair of each number.
    ``vortex``: a vortex matches dice that show its value, or only other vortices. That decides
    in same, pairs, triples and whether it fills a gap in a run. Where only the value is asked
    for (odd, shown, tens), a vortex has its value either way.
    ``tens``: dice are grouped as is best, or by the largest first: each ten takes the largest
    die that can still be part of one, then the next largest that fits.
    """

    pairs: Literal["all", "one"] = "all"
    vortex: Literal["matches", "apart"] = "matches"
    tens: Literal["best", "largest"] = "best"
