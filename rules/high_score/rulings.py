"""Our rulings where the book is silent: a setting of each table, defaults first."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, get_args, get_type_hints

from rules.errors import RulesError


@dataclass(frozen=True)
class Rulings:
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
