"""Our rulings where the books are silent: a setting of each table, defaults first."""

from dataclasses import dataclass
from typing import Literal

from rules.rulings import TableRulings


@dataclass(frozen=True)
class Rulings(TableRulings):
    """How a table decides the four questions that the rule books leave open.

    ``lone_touch``: the only sphere of a colour under a same-colour touch card.
    ``exactly_pair``: two exactly cards of a colour whose total is missed: both lost, or one task.
    ``total``: whether a running total may fall below zero.
    ``contradiction``: which cards go back under the stack in that variant.
    """

    lone_touch: Literal["fulfilled", "failed"] = "fulfilled"
    exactly_pair: Literal["both", "joint"] = "both"
    total: Literal["negative", "floor"] = "negative"
    contradiction: Literal["pair", "unsatisfiable"] = "pair"


def ruling_choices() -> dict[str, tuple[str, ...]]:
    """The choices of each ruling, its default first."""
    return Rulings.choices()
