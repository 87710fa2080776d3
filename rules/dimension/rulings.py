"""Our rulings where the books are silent: a setting of each table, defaults first."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, get_args, get_type_hints

from rules.errors import RulesError


@dataclass(frozen=True)
class Rulings:
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

    @classmethod
    def parse(cls, given: Mapping[str, object]) -> "Rulings":
        """The rulings of a mapping; what it leaves out keeps its default."""
        choices = ruling_choices()
        for name, choice in given.items():
            if name not in choices:
                raise RulesError(
                    "bad_ruling", f"There is no ruling {name!r}: use {', '.join(choices)}."
                )
            if choice not in choices[name]:
                raise RulesError(
                    "bad_ruling", f"{name} is one of {', '.join(choices[name])}, not {choice!r}."
                )
        return replace(cls(), **given)  # type: ignore[arg-type]  # checked above

    def other(self, name: str) -> "Rulings":
        """These rulings with one of them decided the other way."""
        first, second = ruling_choices()[name]
        chosen = second if getattr(self, name) == first else first
        return replace(self, **{name: chosen})  # type: ignore[arg-type]

    def to_json(self) -> dict[str, str]:
        """The rulings by name."""
        return asdict(self)


def ruling_choices() -> dict[str, tuple[str, ...]]:
    """The choices of each ruling, its default first."""
    hints = get_type_hints(Rulings)
    return {field.name: get_args(hints[field.name]) for field in fields(Rulings)}
