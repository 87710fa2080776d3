"""Our rulings where the book is silent: a setting of each table, defaults first."""

from dataclasses import dataclass
from typing import Literal

from rules.rulings import TableRulings


@dataclass(frozen=True)
class Rulings(TableRulings):
    """How a table decides what the book leaves open.

    ``taboo``: the cube that may not be moved is one moved in the turn just before, or also one
    drawn and placed then.
    ``pile``: when the pile is empty, discarded cards are shuffled into a new one, or nobody
    refills.
    ``rows``: cubes in a full row of four may be moved, or stay (the book's variant).
    """

    taboo: Literal["moved", "placed"] = "moved"
    pile: Literal["refill", "empty"] = "refill"
    rows: Literal["open", "closed"] = "open"
