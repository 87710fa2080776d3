"""Pieces of HTML for the page of a bundle: whatever a history says comes out as text."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape


def table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts."""
    head = "".join(f"<th>{text(one)}" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{text(one)}' for one in row)}</tr>\n" for row in rows)
    return f"<table><tr>{head}</tr>\n{body}</table>"


def text(value: object) -> str:
    """Whatever the history says, as a text between tags or quotation marks."""
    return escape(str(value))


def count(number: int, thing: str) -> str:
    """So many things, in words."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def time(at: float) -> str:
    """A moment, by universal time."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
