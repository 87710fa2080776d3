"""Where an entry differs from what the service's decisions give, in sentences."""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from api.evidence.told import title
from api.ledger.chain import Entry, canonical
from api.tables.draft import Draft

WORDS_OF_THE_PROGRAM = ("advice", "hangs_on", "decisive")
"""What the program says of a doubt. Another one may choose its words and seats otherwise."""

_CLOSE = 2e-6
"""Probabilities are told to six digits; the last may come out otherwise on another machine."""

_LONGEST = 60


def differences(entry: Entry, draft: Draft, ours: bool) -> Iterator[str]:
    """Every difference, and what it should be.

    ``ours``: this very program wrote the entry, so that its words are compared too.
    """
    if list(entry.files) != list(draft.files):
        yield f"{title(entry)} does not have just the files that it must have."
    right = canonical(draft.body)
    if canonical(entry.body) == right:
        return
    wanted = json.loads(right)
    for path, told, due in _apart("", _comparable(entry.body), _comparable(wanted)):
        if ours or not path.endswith(WORDS_OF_THE_PROGRAM):
            yield f"{title(entry)} says {path}{_said(told)}; by the rules it is {_shown(due)}."


class _Nothing:
    """Where there is no value at all."""


_NOTHING = _Nothing()


def _apart(path: str, told: Any, right: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(told, Mapping) and isinstance(right, Mapping):
        for name in sorted({*told, *right}):
            place = f"{path}.{name}" if path else name
            yield from _apart(place, told.get(name, _NOTHING), right.get(name, _NOTHING))
    elif not _same(told, right) and not (_is_chance(path) and _close(told, right)):
        yield path, told, right


def _same(told: Any, right: Any) -> bool:
    if told is _NOTHING or right is _NOTHING:
        return told is right
    return canonical(told) == canonical(right)


def _is_chance(path: str) -> bool:
    return path.startswith("doubt.")


def _close(told: Any, right: Any) -> bool:
    return type(told) is type(right) is float and bool(abs(told - right) <= _CLOSE)


def _comparable(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The body with the points under doubt by their number: equal chances have no order."""
    doubt = body.get("doubt")
    points = doubt.get("points") if isinstance(doubt, dict) else None
    if doubt is None or not isinstance(points, list):
        return body
    if not all(map(_is_chance_of_points, points)):
        return body
    falling = all(one["p"] >= next_["p"] - _CLOSE for one, next_ in pairwise(points))
    by_number = {f"{one['points']}": one["p"] for one in points}
    if not falling or len(by_number) < len(points):
        return body
    return {**body, "doubt": {**doubt, "points": by_number}}


def _is_chance_of_points(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"points", "p"}
        and type(value["points"]) is int
        and type(value["p"]) in (int, float)
    )


def _said(value: Any) -> str:
    return " is missing" if value is _NOTHING else f" is {_shown(value)}"


def _shown(value: Any) -> str:
    text = "not there" if value is _NOTHING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
