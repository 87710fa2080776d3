"""JSON from anybody, within bounds: no number that is none, no name twice, nothing endless."""

import json
from collections.abc import Sequence
from typing import Any

_MOST_PARTS = 1_000_000
"""Commas, colons and brackets: what a text is made into is as large as their number."""


def strict_json(content: bytes) -> Any:
    """What the text says; raises ``ValueError`` with what is wrong with it."""
    if sum(content.count(mark) for mark in (b",", b":", b"[", b"{")) > _MOST_PARTS:
        raise ValueError("it has more parts than any game's")
    try:
        return json.loads(
            content.decode("utf-8"), parse_constant=_no_number, object_pairs_hook=_once
        )
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON from character {error.pos} on") from None
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found
