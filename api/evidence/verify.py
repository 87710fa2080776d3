"""Whether evidence is as it was made: every byte, every row, and every move by the rules."""

import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from math import inf
from pathlib import Path

from api.evidence.archive import LOCAL
from api.evidence.bundle import (
    FIRST_FORMAT,
    Ledger,
    file_name,
    ledger_text,
    parse_ledger,
    wanted_files,
)
from api.evidence.missing import (
    MISSING,
    declaration,
    declared,
    missing_notes,
    wrong_declaration,
)
from api.evidence.page import page
from api.evidence.replay import PATIENCE_S, replayed
from api.evidence.unpacking import LEDGER, MOST_LEDGER, PAGE, Unpacked, unpack
from api.ledger.chain import Entry, breaks, head
from api.ledger.fingerprint import fingerprint
from api.ledger.seals import Sealing, SealWords, last_seal, sealings_after, words_of
from api.photos.cleaning import suffix_of
from api.tables.table_game import table_game
from api.versions import program
from rules.games import DEFAULT as FIRST_GAME


@dataclass(frozen=True)
class Budget:
    """What checking may take; memory is bounded anyway."""

    bytes: float = 1_000_000_000
    """Of a bundle; a hundred photos have half of it."""
    replay_s: float = PATIENCE_S


DEFAULT = Budget()
UNBOUNDED = Budget(inf, inf)

_MOST_PROBLEMS = 50
_LONGEST_TEXT = 300

_NO_PHOTOS = "Photos are not in it, so they were not checked."
_OTHER_PAGE = (
    "Its page (index.html) was made by another version of Trayscore and was not compared: do not "
    "rely on it. `trayscore verify --page FILE` writes one that you can rely on."
)


@dataclass(frozen=True)
class Verification:
    """What was found: all that is wrong, what could not be checked, and the fingerprints."""

    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    table: str = ""
    entries: int = 0
    files: int = 0
    fingerprint: str = ""
    seals: tuple[tuple[int, str], ...] = ()
    """Round and fingerprint, for each that was locked."""
    format: str = ""
    programs: tuple[str, ...] = ()
    """The versions of Trayscore that wrote the history, as far as it says."""
    readable: bool = True
    """Whether it is evidence at all, in whatever state."""
    words: tuple[SealWords, ...] = ()
    """The words that devices showed for each seal, if the history is intact."""
    missing: tuple[str, ...] = ()
    """The hashes of photos that the bundle says it lacks."""
    page: str = ""
    """The page that the history gives, if nothing is wrong with it."""

    @property
    def intact(self) -> bool:
        """Whether nothing was changed."""
        return not self.problems

    @property
    def whole(self) -> bool:
        """Whether every photo is there too."""
        return self.intact and not self.missing


def verify(path: Path, budget: Budget = DEFAULT) -> Verification:
    """What can be said of a bundle, or of a ledger alone (JSON)."""
    try:
        found = _verified(path, budget)
    except (OSError, ValueError, RecursionError, OverflowError, MemoryError) as error:
        found = _unreadable(f"It cannot be read as evidence: {_reason(error).rstrip('.')}.")
    told = [*map(plain, found.problems[:_MOST_PROBLEMS])]
    if left := len(found.problems) - len(told):
        told.append(f"And {left} more.")
    return replace(
        found,
        problems=tuple(told),
        notes=tuple(map(plain, found.notes)),
        table=plain(found.table),
        programs=tuple(map(plain, found.programs)),
    )


def verify_ledger(text: str) -> Verification:
    """What can be said of a ledger by itself; raises ``ValueError`` if it is none."""
    return _verify_ledger(text.encode("utf-8", "replace"), DEFAULT)


def plain(text: str) -> str:
    """A text as one line that any terminal can show: names in a history may be anything."""
    shown = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
    return shown if len(shown) <= _LONGEST_TEXT else f"{shown[:_LONGEST_TEXT]}…"


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or "it cannot be opened"
    return "it is nested too deep" if isinstance(error, RecursionError) else str(error)


def _unreadable(text: str) -> Verification:
    return Verification((text,), readable=False)


def _verified(path: Path, budget: Budget) -> Verification:
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        return _unreadable("It is no file.")
    if facts.st_size > budget.bytes:
        return _unreadable(
            f"It has {facts.st_size / 1e9:.1f} GB: if you want to wait, say --large."
        )
    with path.open("rb") as file:
        is_archive = file.read(len(LOCAL)) == LOCAL
        file.seek(0)
        if is_archive:
            return _verify_bundle(unpack(file), budget)
        content = file.read(MOST_LEDGER + 1)
    if len(content) > MOST_LEDGER:
        return _unreadable(
            "It is no bundle, and as a ledger it is larger than "
            f"{MOST_LEDGER // 1_000_000} MB: no game's is."
        )
    return _verify_ledger(content, budget)


def _verify_ledger(text: bytes, budget: Budget) -> Verification:
    ledger = parse_ledger(text)
    found = _history(ledger, budget)
    return replace(found, notes=(*found.notes, _NO_PHOTOS))


def _verify_bundle(unpacked: Unpacked, budget: Budget) -> Verification:
    damage = [unpacked.damage] if unpacked.damage else []
    if LEDGER not in unpacked.texts:
        return _unreadable(damage[0] if damage else "There is no ledger in it.")
    try:
        ledger = parse_ledger(unpacked.texts[LEDGER])
        lost = declared(unpacked.texts.get(MISSING))
    except ValueError as error:
        return _unreadable(damage[0] if damage else f"Its ledger cannot be read: {error}.")
    found = _history(ledger, budget)
    wrong = [*found.problems, *_wrong_files(unpacked, ledger.entries, lost), *damage]
    if not wrong:  # what is in it differs already: how it is packed says nothing more
        wrong += _wrong_packing(unpacked, ledger, lost)
    if wrong:
        return replace(found, problems=tuple(wrong), words=())
    notes = (*found.notes, *missing_notes(lost))
    return _with_page(replace(found, notes=notes, missing=tuple(lost)), unpacked, ledger)


def _history(ledger: Ledger, budget: Budget) -> Verification:
    """What the history says of itself: hashes, rules, and what is written around it."""
    entries = ledger.entries
    seals = [
        (number, fingerprint(entry.hash))
        for entry in entries
        if entry.kind == "round_locked" and isinstance(number := entry.body.get("round"), int)
    ]
    found = Verification(
        (),
        (),
        ledger.table,
        len(entries),
        len(wanted_files(entries)),
        fingerprint(head(ledger.table, entries)),
        tuple(seals),
        ledger.format,
        _programs(entries),
    )
    broken = ["The history is empty."] if not entries else []
    broken += [place.text for place in islice(breaks(ledger.table, entries), 2 * _MOST_PROBLEMS)]
    if broken:
        return replace(found, problems=tuple(broken))
    judged = replayed(ledger.table, entries, budget.replay_s)
    problems = (*judged.problems, *_wrong_around(ledger))
    words = () if problems else _words(entries)
    return replace(found, problems=problems, notes=judged.notes, words=words)


def _words(entries: Sequence[Entry]) -> tuple[SealWords, ...]:
    last = last_seal(table_game(entries[0].body.get("game", FIRST_GAME)).rounds)
    sealings: Mapping[int, Sealing] = {}
    for entry in entries:
        sealings = sealings_after(sealings, entry, last)
    return words_of(sealings, last)


def _programs(entries: Sequence[Entry]) -> tuple[str, ...]:
    told = [entry.body.get("program") for entry in entries]
    named = [one.get("version") for one in told if isinstance(one, dict)]
    return tuple(dict.fromkeys(one for one in named if isinstance(one, str)))


def _wrong_around(ledger: Ledger) -> Iterator[str]:
    """What is said beside the history and does not follow from it."""
    newest = head(ledger.table, ledger.entries)
    if ledger.head not in (None, newest):
        yield "The history does not end with the entry that it says."
    elif ledger.fingerprint not in (None, fingerprint(newest)):
        yield "The words beside the history are not its fingerprint."
    programs = _programs(ledger.entries)
    if ledger.format == FIRST_FORMAT:
        if programs:
            yield "It says that it is of an older format than its history is."
    elif ledger.program is not None and ledger.program != (programs or ("",))[-1]:
        yield "Another program is named beside the history than in it."


def _wrong_files(
    unpacked: Unpacked, entries: Sequence[Entry], lost: Mapping[str, str]
) -> Iterator[str]:
    wanted, there = set(wanted_files(entries)), set()
    for digest, suffix, file in unpacked.photos():
        there.add(digest)
        if file.sha256 != digest:
            yield f"{file.packed.name} was changed."
        elif digest not in wanted:
            yield f"{file.packed.name} does not belong here."
        elif suffix_of(file.beginning) != suffix:
            yield f"{file.packed.name} is no picture of the kind that its name says."
    missing = wanted - there - lost.keys()
    yield from (f"The file {digest} is missing." for digest in sorted(missing))
    yield from wrong_declaration(lost, wanted)


def _wrong_packing(unpacked: Unpacked, ledger: Ledger, lost: Mapping[str, str]) -> Iterator[str]:
    suffixes = {digest: suffix for digest, suffix, _ in unpacked.photos()}
    there = [one for one in wanted_files(ledger.entries) if one not in lost]
    names = [file_name(one, suffixes[one]) for one in there]
    if list(unpacked.files) != [PAGE, LEDGER, *names, *([MISSING] if lost else [])]:
        yield "There are files in it that do not belong there, or not in their order."
    said = replace(ledger, head=None, fingerprint=None)
    if ledger_text(said).encode() != unpacked.texts[LEDGER]:
        yield "Its ledger is not written as the service writes it."
    if lost and declaration(lost) != unpacked.texts[MISSING]:
        yield f"Its {MISSING} is not written as the service writes it."


def _with_page(found: Verification, unpacked: Unpacked, ledger: Ledger) -> Verification:
    """What was found, the page compared with the one that the history gives."""
    suffixes = {digest: suffix for digest, suffix, _ in unpacked.photos()}
    shown = page(ledger.table, ledger.entries, suffixes)
    found = replace(found, page=shown)
    if sha256(shown.encode()).hexdigest() == unpacked.files[PAGE].sha256:
        return found
    if _made_here(ledger):
        text = "Its page (index.html) does not show what the history says."
        return replace(found, problems=(text,))
    return replace(found, notes=(*found.notes, _OTHER_PAGE))


def _made_here(ledger: Ledger) -> bool:
    """Whether this program should have made the page, as far as the history tells."""
    told = [entry.body.get("program") for entry in ledger.entries]
    return [one for one in told if one is not None][-1:] == [program()]
