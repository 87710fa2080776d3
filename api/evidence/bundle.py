"""The evidence bundle: ledger, photos, drawings, and a page that a person can open offline."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from api.evidence.archive import archive
from api.evidence.missing import MISSING, declaration
from api.evidence.page import page
from api.evidence.strict_json import strict_json
from api.evidence.unpacking import FILES, LEDGER, PAGE
from api.ledger.chain import Entry, canonical

FIRST_FORMAT, FORMAT = "trayscore-evidence/1", "trayscore-evidence/2"
"""The first one named the program beside the history; since the second it is in the history."""

_FIELDS = {"format", "program", "table", "head", "fingerprint", "entries"}


@dataclass(frozen=True)
class Ledger:
    """A ledger as it is written: the history, and what is said about it."""

    table: str
    entries: Sequence[Entry]
    format: str = FORMAT
    program: str | None = None
    head: str | None = None
    fingerprint: str | None = None


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
    ledger = ledger_text(Ledger(table, entries)).encode()
    return archive(_bundle_files(shown, ledger, entries, suffixes, content, lost))


def _bundle_files(
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
            yield file_name(digest, suffixes[digest]), found
    if lost:
        yield MISSING, declaration(lost)


def file_name(digest: str, suffix: str) -> str:
    """What a photo or a drawing is called in a bundle."""
    return f"{FILES}/{digest}.{suffix}"


def wanted_files(entries: Sequence[Entry]) -> list[str]:
    """The hashes of all files that the history points to, in order."""
    return list(dict.fromkeys(digest for entry in entries for digest in entry.files))


def ledger_text(ledger: Ledger) -> str:
    """The ledger as a JSON text with an entry a line."""
    named = {} if ledger.program is None else {"program": ledger.program}
    head = canonical({"format": ledger.format, **named, "table": ledger.table})[:-1]
    rows = ",\n".join(canonical(entry.to_json()) for entry in ledger.entries)
    return f'{head},"entries":[\n{rows}\n]}}\n'


def parse_ledger(text: bytes | str) -> Ledger:
    """The ledger in a text; raises ``ValueError`` if it is none."""
    data = strict_json(text.encode("utf-8", "replace") if isinstance(text, str) else text)
    if not isinstance(data, dict) or data.get("format") not in (FIRST_FORMAT, FORMAT):
        raise ValueError("it is no ledger of Trayscore, or one of a newer Trayscore")
    if unknown := sorted(set(data) - _FIELDS):
        raise ValueError(f"a ledger has no field “{unknown[0]}”")
    rows = data.pop("entries", None)
    if "table" not in data or not isinstance(rows, list):
        raise ValueError("table or entries are missing")
    if (data["format"] == FIRST_FORMAT) and "program" not in data:
        raise ValueError("its program is missing")
    if odd := sorted(name for name, value in data.items() if not isinstance(value, str)):
        raise ValueError(f"“{odd[0]}” is no text")
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("its entries are none")
    return Ledger(entries=[Entry.from_json(row) for row in rows], **data)
