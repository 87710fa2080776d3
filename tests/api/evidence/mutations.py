"""Every field of every entry changed in every way that its type allows, one at a time."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from tests.api.evidence.recorded import Row, Rows

NAMES = {"Ada": "Ben", "Ben": "Ada"}
ACTORS = ("host", "service", "player:Ada", "player:Ben", "player:Eve", "Ada", "")
DIGEST = "5" * 64


@dataclass(frozen=True)
class Mutation:
    """A change of one entry: which, where, and what it was made into."""

    entry: int
    kind: str
    path: str
    """Names from the entry inward, like ``body.scores.Ben.points``; numbers of lists are ``#``."""
    value: Any
    keys: tuple[str | int, ...]

    def of(self, rows: Rows) -> Rows:
        """The history with it."""
        changed = replaced(rows[self.entry], self.keys, self.value)
        return [*rows[: self.entry], changed, *rows[self.entry + 1 :]]

    def __str__(self) -> str:
        return f"{self.kind}:{self.path} = {self.value!r}"


def mutations(rows: Rows) -> Iterator[Mutation]:
    """All changes of all entries; hashes and numbers are the chain's, and made anew anyway."""
    for place, row in enumerate(rows):
        for keys, value in _changes(row):
            path = ".".join("#" if isinstance(key, int) else key for key in keys)
            yield Mutation(place, row["kind"], path, value, keys)


def _changes(row: Row) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    at, files = row["at"], row["files"]
    choices: dict[str, Sequence[Any]] = {
        "actor": ACTORS,
        "at": (at + 0.5, at - 0.5, at - 1e6, at + 1e6, 1e300, -1.0),
        "files": ([*files, DIGEST], files[1:], ["x"], [*files, *files]),
        "kind": ("unknown", "pin_set", "game_finished", "program_changed", "round_locked"),
    }
    for name, values in choices.items():
        yield from (((name,), value) for value in values if value != row[name])
    yield from _within(("body",), row["body"])


class Gone:
    """Instead of a value: the field is left out."""

    def __repr__(self) -> str:
        return "left out"


GONE = Gone()
Keys = tuple[str | int, ...]


def _within(keys: Keys, value: Any) -> Iterator[tuple[Keys, Any]]:
    """Where something in a body can be changed, and into what."""
    if len(keys) > 1:
        yield from ((keys, other) for other in _others(value))
        if isinstance(keys[-1], str):
            yield keys, GONE
    if isinstance(value, dict):
        yield (*keys, "unknown"), 1
        for name, inner in value.items():
            yield from _within((*keys, name), inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _within((*keys, place), inner)


def _others(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield from (not value, int(value))
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, -value - 1, str(value), 10**400)
    elif isinstance(value, str):
        yield from (NAMES.get(value, f"{value}x"), value[:-1], "", 7)
    elif isinstance(value, list):
        yield from ([*value, *value] or ["x"], value[1:] or ["y"], "x")
        if len(value) > 1:
            yield [*reversed(value)]
    elif isinstance(value, dict):
        yield from ({}, [], "x")
    if value is not None:
        yield None
    else:
        yield from ("x", 0, {})


def replaced(body: Any, keys: Keys, value: Any) -> Any:
    changed = deepcopy(body)
    inner = changed
    for key in keys[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[keys[-1]]
    else:
        inner[keys[-1]] = value
    return changed
