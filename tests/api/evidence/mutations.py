"""Every field of every entry changed in every way that its type allows, one at a time."""

from collections.abc import Iterator
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
    row: Row

    def of(self, rows: Rows) -> Rows:
        """The history with it."""
        return [*rows[: self.entry], self.row, *rows[self.entry + 1 :]]

    def __str__(self) -> str:
        return f"{self.kind}:{self.path} = {self.value!r}"


def mutations(rows: Rows) -> Iterator[Mutation]:
    """All changes of all entries; hashes and numbers are the chain's, and made anew anyway."""
    for place, row in enumerate(rows):
        for path, value, changed in _changed(row):
            yield Mutation(place, row["kind"], path, value, changed)


def _changed(row: Row) -> Iterator[tuple[str, Any, Row]]:
    for actor in ACTORS:
        if actor != row["actor"]:
            yield "actor", actor, {**row, "actor": actor}
    for at in (row["at"] + 0.5, row["at"] - 0.5, row["at"] - 1e6, row["at"] + 1e6, 1e300, -1.0):
        yield "at", at, {**row, "at": at}
    for files in ([*row["files"], DIGEST], row["files"][1:], ["x"], [*row["files"], *row["files"]]):
        if files != row["files"]:
            yield "files", files, {**row, "files": files}
    for kind in ("unknown", "pin_set", "game_finished", "program_changed", "round_locked"):
        if kind != row["kind"]:
            yield "kind", kind, {**row, "kind": kind}
    for keys, value in _within((), row["body"]):
        path = ".".join(["body", *("#" if isinstance(key, int) else key for key in keys)])
        yield path, value, {**row, "body": _replaced(row["body"], keys, value)}


class Gone:
    """Instead of a value: the field is left out."""

    def __repr__(self) -> str:
        return "left out"


GONE = Gone()
Keys = tuple[str | int, ...]


def _within(keys: Keys, value: Any) -> Iterator[tuple[Keys, Any]]:
    """Where something in a body can be changed, and into what."""
    if keys:
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


def _replaced(body: Any, keys: Keys, value: Any) -> Any:
    changed = deepcopy(body)
    inner = changed
    for key in keys[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[keys[-1]]
    else:
        inner[keys[-1]] = value
    return changed
