"""What an entry says, taken part by part: each is of its type, or the entry is false."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeVar

from api.ledger.chain import Entry, is_digest

T = TypeVar("T", bound=str)
V = TypeVar("V")

_LATEST = 1e11
"""No clock shows more: the year 5138."""


class Falsehood(Exception):
    """What an entry says cannot be; the text goes on after “Entry 7 (…) is false:”."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Told:
    """The body of an entry, not to be trusted."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body

    def __contains__(self, name: str) -> bool:
        return name in self._body

    def __getitem__(self, name: str) -> Any:
        if name not in self._body:
            raise Falsehood(f"“{name}” is missing")
        return self._body[name]

    def text(self, name: str) -> str:
        """A text."""
        return self._typed(name, str, "a text")

    def optional(self, name: str) -> str | None:
        """A text or nothing."""
        return None if self[name] is None else self.text(name)

    def number(self, name: str) -> int:
        """A whole number."""
        if isinstance(self[name], bool):
            raise Falsehood(f"“{name}” is no number")
        return self._typed(name, int, "a whole number")

    def flag(self, name: str) -> bool:
        """Yes or no."""
        return self._typed(name, bool, "true or false")

    def time(self, name: str) -> float:
        """A moment."""
        if not is_time(self[name]):
            raise Falsehood(f"“{name}” is no time")
        return float(self[name])

    def texts(self, name: str) -> list[str]:
        """Several texts."""
        found: list[Any] = self._typed(name, list, "a list")
        if not all(isinstance(one, str) for one in found):
            raise Falsehood(f"“{name}” is no list of texts")
        return found

    def mapping(self, name: str) -> Mapping[str, Any]:
        """An object."""
        found: Mapping[str, Any] = self._typed(name, dict, "an object")
        return found

    def optional_mapping(self, name: str) -> Mapping[str, Any] | None:
        """An object; None if there is none."""
        return self.mapping(name) if name in self else None

    def one_of(self, name: str, choices: tuple[T, ...]) -> T:
        """One of these texts."""
        for choice in choices:
            if self[name] == choice:
                return choice
        raise Falsehood(f"“{name}” is none of {', '.join(choices)}")

    def digest(self, name: str) -> str:
        """A SHA-256 in hexadecimal digits."""
        if not is_digest(self[name]):
            raise Falsehood(f"“{name}” is no SHA-256")
        return self.text(name)

    def digests(self, name: str) -> Mapping[str, str]:
        """SHA-256 sums by name."""
        found = self.mapping(name)
        if not all(map(is_digest, found.values())):
            raise Falsehood(f"“{name}” holds what is no SHA-256")
        return found

    def program(self, name: str = "program") -> Mapping[str, str]:
        """The version and the code of a program."""
        found = self.mapping(name)
        if set(found) != {"version", "code"} or not all(isinstance(v, str) for v in found.values()):
            raise Falsehood(f"“{name}” is not a version and a code")
        return found

    def _typed(self, name: str, kind: type[V], words: str) -> V:
        value = self[name]
        if not isinstance(value, kind):
            raise Falsehood(f"“{name}” is not {words}")
        return value


def is_time(value: object) -> bool:
    """Whether a clock can show this."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= _LATEST and isfinite(value)


def title(entry: Entry) -> str:
    """What an entry is called where something is wrong with it."""
    return f"Entry {entry.sequence} ({entry.kind} by {entry.actor})"
