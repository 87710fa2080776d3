"""The chain of a table's history: each entry's hash covers all of it and the hash before it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

_DIGEST = re.compile(r"[0-9a-f]{64}\Z")


def is_digest(value: object) -> bool:
    """Whether this is a SHA-256 in hexadecimal digits."""
    return isinstance(value, str) and _DIGEST.match(value) is not None


@dataclass(frozen=True)
class Entry:
    """Something that happened at a table."""

    sequence: int
    """Counts from one."""
    at: float
    actor: str
    """``host``, ``player:Ada``, or ``service``."""
    kind: str
    body: Mapping[str, Any]
    files: tuple[str, ...] = ()
    """SHA-256 of the photos and drawings that belong to it."""
    previous: str = ""
    hash: str = ""

    def to_json(self) -> dict[str, Any]:
        """The entry as in the ledger."""
        return {**self.hashed(), "hash": self.hash}

    def hashed(self) -> dict[str, Any]:
        """All that the hash covers."""
        return {
            "sequence": self.sequence,
            "at": self.at,
            "actor": self.actor,
            "kind": self.kind,
            "body": self.body,
            "files": list(self.files),
            "previous": self.previous,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Entry":
        """The entry in a row of a ledger; raises ``ValueError`` if it is none."""
        if set(data) != {*cls(1, 0.0, "", "", {}).hashed(), "hash"}:
            raise ValueError("its fields are not those of an entry")
        wanted = {"sequence": int, "at": (int, float), "body": dict, "files": list}
        for name, value in data.items():
            if isinstance(value, bool) or not isinstance(value, wanted.get(name, str)):  # type: ignore[arg-type]
                raise ValueError(f"{name} is not what it should be")
        if not all(isinstance(digest, str) for digest in data["files"]):
            raise ValueError("files are not what they should be")
        if not all(map(is_digest, (data["previous"], data["hash"]))):
            raise ValueError("a hash is none")
        return cls(**{**data, "files": tuple(data["files"])})


def genesis(table: str) -> str:
    """What the first entry of a table follows upon."""
    return sha256(f"trayscore table {table}".encode()).hexdigest()


def seed_digest(seed: int) -> str:
    """What the history holds of a secret seed until the game is over."""
    return sha256(f"trayscore seed {seed}".encode()).hexdigest()


def canonical(value: object) -> str:
    """JSON in the one way of writing that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def linked(entry: Entry, previous: str) -> Entry:
    """The entry as it follows upon another, its hash computed."""
    bound = replace(entry, previous=previous)
    return replace(bound, hash=sha256(canonical(bound.hashed()).encode()).hexdigest())


@dataclass(frozen=True)
class Break:
    """Where a chain does not hold, and a sentence for people."""

    sequence: int
    text: str


def breaks(table: str, entries: Sequence[Entry]) -> Iterator[Break]:
    """Every place where the history was changed: a row, its order, one left out or put in."""
    previous = genesis(table)
    for number, entry in enumerate(entries, 1):
        if entry.sequence != number:
            yield Break(number, f"Entry {number} is numbered {entry.sequence}.")
        if entry.previous != previous:
            yield Break(number, f"Entry {number} does not follow upon the one before it.")
        if linked(entry, entry.previous).hash != entry.hash:
            yield Break(number, f"Entry {number} ({entry.kind}) was changed.")
        previous = entry.hash


def head(table: str, entries: Iterable[Entry]) -> str:
    """The hash of the newest entry."""
    newest = genesis(table)
    for entry in entries:
        newest = entry.hash
    return newest
