"""The evidence bundle: ledger, photos, drawings, and a page that a person can open offline."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from api.evidence.archive import archive
from api.evidence.chain import Entry, canonical
from api.evidence.missing import MISSING, declaration
from api.evidence.page import page
from api.versions import program_version

FORMAT = "trayscore-evidence/1"
LEDGER, PAGE, FILES = "ledger.json", "index.html", "files"


def bundle(
    table: str,
    entries: Sequence[Entry],
    suffixes: Mapping[str, str],
    content: Callable[[str], bytes | None],
    lost: Mapping[str, str],
) -> Iterator[bytes]:
    """The bundle as a zip archive, piece by piece.

    ``suffixes`` are those of all files by hash, and ``content`` gives a file's content. What is
    ``lost``, or turns out to be, is declared in the bundle.
    """
    suffixes = {digest: suffix for digest, suffix in suffixes.items() if digest not in lost}
    shown = page(table, entries, suffixes).encode()
    ledger = ledger_text(table, entries, program_version()).encode()
    return archive(bundle_files(shown, ledger, entries, suffixes, content, lost))


def bundle_files(
    shown: bytes,
    ledger: bytes,
    entries: Sequence[Entry],
    suffixes: Mapping[str, str],
    content: Callable[[str], bytes | None],
    lost: Mapping[str, str],
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of all files of a bundle, in their order."""
    yield PAGE, shown
    yield LEDGER, ledger
    lost = dict(lost)
    for digest in wanted_files(entries):
        found = None if digest in lost else content(digest)
        if found is None:
            lost.setdefault(digest, "missing")
        else:
            yield f"{FILES}/{digest}.{suffixes[digest]}", found
    if lost:
        yield MISSING, declaration(lost)


def wanted_files(entries: Sequence[Entry]) -> list[str]:
    """The hashes of all files that the history points to, in order."""
    return list(dict.fromkeys(digest for entry in entries for digest in entry.files))


def ledger_text(table: str, entries: Sequence[Entry], program: str) -> str:
    """The ledger as a JSON text with an entry a line."""
    head = canonical({"format": FORMAT, "program": program, "table": table})[:-1]
    rows = ",\n".join(canonical(entry.to_json()) for entry in entries)
    return f'{head},"entries":[\n{rows}\n]}}\n'


def parse_ledger(text: str) -> tuple[str, str, list[Entry]]:
    """Table, program and entries of a ledger; raises ``ValueError`` if it is none."""
    data: Any = json.loads(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError("it is no ledger of Trayscore, or of a newer one")
    table, program, rows = data.get("table"), data.get("program"), data.get("entries")
    if not isinstance(table, str) or not isinstance(program, str) or not isinstance(rows, list):
        raise ValueError("table, program or entries are missing")
    return table, program, [Entry.from_json(row) for row in rows]
