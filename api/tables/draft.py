"""An entry of the ledger before it is numbered and linked to the history."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Draft:
    """An entry to be: what happened, and the files that belong to it."""

    kind: str
    body: Mapping[str, Any]
    files: tuple[str, ...] = field(default=())
