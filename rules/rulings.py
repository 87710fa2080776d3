"""Rulings: what a table decides where the books are silent, whatever the game."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Self, get_args, get_type_hints

from rules.errors import RulesError


@dataclass(frozen=True)
class TableRulings:
    """A game's rulings: each field is a ``Literal`` of its choices, and has its default."""

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """The choices of each ruling, its default first."""
        hints = get_type_hints(cls)
        return {field.name: get_args(hints[field.name]) for field in fields(cls)}

    @classmethod
    def parse(cls, given: Mapping[str, object]) -> Self:
        """The rulings of a mapping; what it leaves out keeps its default."""
        choices = cls.choices()
        for name, choice in given.items():
            if name not in choices:
                raise RulesError(
                    "bad_ruling", f"There is no ruling {name!r}. Rulings: {', '.join(choices)}."
                )
            if choice not in choices[name]:
                raise RulesError(
                    "bad_ruling",
                    f"The ruling {name} is {' or '.join(choices[name])}, not {choice!r}.",
                )
        return cls(**given)

    def other(self, name: str) -> Self:
        """These rulings with one of them decided the other way."""
        first, second = self.choices()[name]
        return replace(self, **{name: second if getattr(self, name) == first else first})

    def to_json(self) -> dict[str, str]:
        """The rulings by name."""
        return asdict(self)
