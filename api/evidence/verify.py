"""Whether a bundle is as it was made: every byte, every row, every order, every score."""

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import sha256
from pathlib import Path
from typing import Any

from api.evidence.archive import archive
from api.evidence.bundle import (
    FILES,
    LEDGER,
    PAGE,
    bundle_files,
    ledger_text,
    parse_ledger,
    wanted_files,
)
from api.evidence.chain import Entry, breaks, genesis, head, seed_digest
from api.evidence.fingerprint import fingerprint
from api.evidence.missing import MISSING, declared, missing_notes, wrong_declaration
from api.evidence.page import page
from api.evidence.seals import SealWords, sealings_after, words_of
from api.tables.record import Record
from api.trays import version_of
from api.versions import program_version
from rules.dimension.game import draw, event_to_json
from rules.errors import RulesError


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
    words: tuple[SealWords, ...] = ()
    """The words that devices showed for each seal, if the history is intact."""
    missing: tuple[str, ...] = ()
    """The hashes of photos that the bundle says it lacks."""

    @property
    def intact(self) -> bool:
        """Whether nothing was changed."""
        return not self.problems

    @property
    def whole(self) -> bool:
        """Whether every photo is there too."""
        return self.intact and not self.missing


def verify(path: Path) -> Verification:
    """What can be said of a bundle, or of a ledger alone (JSON)."""
    try:
        if not zipfile.is_zipfile(path):
            return verify_ledger(path.read_text("utf-8"))
        with zipfile.ZipFile(path) as bundle:
            return _verify_bundle(path, bundle)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, NotImplementedError) as error:
        return Verification((f"It cannot be read as evidence: {error}",))


def verify_ledger(text: str) -> Verification:
    """What can be said of a ledger by itself."""
    table, _, entries = parse_ledger(text)
    told = json.loads(text).get("head")
    wrong = [*_wrong_history(table, entries)]
    if told is not None and told != head(table, entries):
        wrong.append("The history does not end with the entry that it says.")
    found = _found(table, entries, wrong)
    return replace(found, notes=(*found.notes, "Photos are not in it, so they were not checked."))


def _verify_bundle(path: Path, bundle: zipfile.ZipFile) -> Verification:
    table, program, entries = parse_ledger(bundle.read(LEDGER).decode())
    lost = declared(bundle.read(MISSING) if MISSING in bundle.namelist() else None)
    wrong = [*_wrong_history(table, entries), *_wrong_files(bundle, entries, lost)]
    if wrong:  # what is in it differs already: how it is packed says nothing more
        return _found(table, entries, wrong)
    names = {Path(name).stem: name for name in bundle.namelist() if name.startswith(f"{FILES}/")}
    suffixes = {digest: name.rpartition(".")[2] for digest, name in names.items()}
    own = program == program_version()
    shown = page(table, entries, suffixes).encode() if own else bundle.read(PAGE)
    ledger = ledger_text(table, entries, program).encode()
    files = bundle_files(
        shown, ledger, entries, suffixes, lambda one: bundle.read(names[one]), lost
    )
    if not _same_bytes(path, archive(files)):
        return _found(table, entries, ["The page or the archive itself was changed."])
    note = f"Its page was made by Trayscore {program}: what it shows was not compared."
    notes = (*missing_notes(lost), *(() if own else (note,)))
    return replace(_found(table, entries, ()), notes=notes, missing=tuple(lost))


def _found(table: str, entries: Sequence[Entry], wrong: Sequence[str]) -> Verification:
    seals = [
        (int(entry.body["round"]), fingerprint(entry.hash))
        for entry in entries
        if entry.kind == "round_locked" and isinstance(entry.body.get("round"), int)
    ]
    return Verification(
        tuple(wrong),
        (),
        table,
        len(entries),
        len(wanted_files(entries)),
        fingerprint(head(table, entries)),
        tuple(seals),
        () if wrong else words_of(reduce(sealings_after, entries, {})),
    )


def _wrong_history(table: str, entries: Sequence[Entry]) -> Iterator[str]:
    if not entries:
        yield "The history is empty."
        return
    broken = [place.text for place in breaks(table, entries)]
    yield from broken
    if not broken:
        yield from _wrong_game(table, entries)


def _wrong_game(table: str, entries: Sequence[Entry]) -> Iterator[str]:
    """What the rules say against the history: moves that cannot be, other scores, other cards."""
    seed = _told_seed(entries)
    if seed is not None and entries[0].body.get("seed_sha256") != seed_digest(seed):
        yield "The seed that was told at the end is not the one of the beginning."
    record = Record(table, seed or 0, head=genesis(table))
    known = seed is not None or entries[0].body.get("seed_sha256") is None
    for entry in entries:
        try:
            if entry.kind == "round_locked":
                yield from _wrong_scores(record, entry)
            if entry.kind == "cards_revealed" and entry.body["drawn"] and known:
                yield from _wrong_cards(record, entry)
            if entry.kind == "tray_set":
                yield from _wrong_profile(entry)
            record = record.after(entry)
        except (RulesError, KeyError, TypeError, IndexError, ValueError) as error:
            yield f"Entry {entry.sequence} ({entry.kind}) cannot have happened: {error}"
            return


def _told_seed(entries: Sequence[Entry]) -> int | None:
    told = [entry.body.get("seed") for entry in entries if entry.kind == "game_finished"]
    return int(told[0]) if told and isinstance(told[0], str) and told[0].isdecimal() else None


def _wrong_scores(record: Record, entry: Entry) -> Iterator[str]:
    number: int = entry.body["round"]
    scores: dict[str, Any] = entry.body["scores"]
    for player, told in scores.items():
        score = record.game.score(number, player)
        if (score.points, score.bonus) != (told["points"], told["bonus"]):
            yield f"In round {number}, {player} scored {score.points}, not {told['points']}."


def _wrong_cards(record: Record, entry: Entry) -> Iterator[str]:
    drawn = event_to_json(draw(record.game, entry.body["event"]["at"]))
    if json.loads(json.dumps(drawn)) != entry.body["event"]:
        yield f"The cards of round {entry.body['round']} are not those of the shuffled stack."


def _wrong_profile(entry: Entry) -> Iterator[str]:
    profile = entry.body["profile"]
    if profile is not None and version_of(profile) != entry.body["version"]:
        yield f"The tray profile of entry {entry.sequence} is not of the version that it says."


def _wrong_files(
    bundle: zipfile.ZipFile, entries: Sequence[Entry], lost: Mapping[str, str]
) -> Iterator[str]:
    wanted, there = set(wanted_files(entries)), set()
    for info in bundle.infolist():
        folder, _, name = info.filename.partition("/")
        if folder != FILES:
            continue
        if info.compress_type != zipfile.ZIP_STORED:
            yield f"{info.filename} was packed by another program."
            continue
        digest = name.partition(".")[0]
        try:
            content = bundle.read(info)
        except zipfile.BadZipFile:
            content = b""
        if sha256(content).hexdigest() != digest:
            yield f"{info.filename} was changed."
        elif digest not in wanted:
            yield f"{info.filename} does not belong here."
        there.add(digest)
    missing = wanted - there - lost.keys()
    yield from (f"The file {digest} is missing." for digest in sorted(missing))
    yield from wrong_declaration(lost, wanted)


def _same_bytes(path: Path, pieces: Iterator[bytes]) -> bool:
    with path.open("rb") as file:
        return all(file.read(len(piece)) == piece for piece in pieces) and not file.read(1)
