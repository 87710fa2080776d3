"""What a backup file is: a tar archive whose last file is a record of all the others.

Format 1 had no record; it is still read, and held to what can be known without one.
"""

import json
import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from api.ledger.chain import canonical
from rules.errors import RulesError

FORMAT_1, FORMAT = "trayscore-backup/1", "trayscore-backup/2"
MANIFEST, RECORD = "manifest.json", "record.json"
PHOTO = re.compile(r"photos/([0-9a-f]{2})/(\1[0-9a-f]{62})\.([a-z]{3,4})")
TRAY = re.compile(r"trays/([A-Za-z0-9][A-Za-z0-9._-]{0,63}\.json)")
ROWS = re.compile(r"rows/([a-z_]{1,40})\.jsonl")
_ROWS_1 = {f"rows/{name}.jsonl" for name in ("tables", "players", "entries", "files", "solo_games")}
_CHUNK = 1 << 20
_BLOCK = 512
_UNREADABLE = (OSError, tarfile.TarError, ValueError, EOFError)

Members = Mapping[str, tuple[int, str]]
"""Size and hash of each file in the archive, by its name."""


class BackupError(RulesError):
    """A backup that cannot be taken or restored, with the reason."""


@dataclass(frozen=True)
class Record:
    """What a backup says of itself at its end."""

    members: Members
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many rows of each kind."""
    lost: Mapping[str, str] = field(default_factory=dict)
    """Photos that were missing or damaged when the backup was taken, by their names in it."""
    broken: tuple[str, ...] = ()
    """What was not as it was written in the database, in sentences."""

    def to_bytes(self) -> bytes:
        """The record as it stands in the file, bound by a hash of its own."""
        told = self._told()
        return canonical({**told, "sha256": _digest(told)}).encode()

    def _told(self) -> dict[str, Any]:
        return {
            "members": {name: list(facts) for name, facts in self.members.items()},
            "counts": dict(self.counts),
            "lost": dict(self.lost),
            "broken": list(self.broken),
        }

    @classmethod
    def from_bytes(cls, content: bytes) -> "Record":
        """The record; raises ``ValueError`` if it is none, or was changed."""
        told = json.loads(content)
        if not isinstance(told, dict) or told.pop("sha256", None) != _digest(told):
            raise ValueError("its record was changed")
        members = {
            name: (int(size), str(digest)) for name, (size, digest) in told["members"].items()
        }
        return cls(members, told["counts"], told["lost"], tuple(told["broken"]))


@dataclass(frozen=True)
class Contents:
    """What a whole backup holds."""

    revision: str
    """Of the database that it was taken of."""
    record: Record

    @property
    def photos(self) -> list[str]:
        """The names of all photos in it."""
        return [name for name in self.record.members if PHOTO.fullmatch(name)]


def members(source: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Names and contents in their order; raises ``BackupError`` for what cannot be read.

    It ends with the record: what follows is only there to fill up.
    """
    try:
        with tarfile.open(source, "r:") as tar:
            for member in tar:
                file = tar.extractfile(member) if member.isreg() and _known(member.name) else None
                if file is None:
                    raise BackupError("bad_file", f"{member.name!r} does not belong into a backup.")
                yield member.name, file
                if member.name == RECORD:
                    return
    except _UNREADABLE as error:
        raise _no_backup(source, error) from error


def contents(source: Path) -> Contents:
    """What the backup holds, if it is whole; raises ``BackupError`` otherwise."""
    try:
        return _contents(source)
    except _UNREADABLE as error:
        raise _no_backup(source, error) from error


def _contents(source: Path) -> Contents:
    found: dict[str, tuple[int, str]] = {}
    told: dict[str, bytes] = {}
    for name, file in members(source):
        if name in (MANIFEST, RECORD):
            told[name] = file.read()
            file.seek(0)
        size, digest = _measured(file)
        if name in found:
            raise BackupError("damaged", f"{name} is twice in {source}.")
        photo = PHOTO.fullmatch(name)
        if photo is not None and photo[2] != digest:
            raise BackupError("damaged", f"{name} in {source} is damaged.")
        found[name] = size, digest
    format_, revision = _manifest(source, told.get(MANIFEST, b""))
    if format_ == FORMAT_1:
        _check_format_1(source, found)
        return Contents(revision, Record(found))
    if found.pop(RECORD, None) is None:
        raise _cut_off(source)
    try:
        record = Record.from_bytes(told[RECORD])
    except (ValueError, KeyError, TypeError) as error:
        raise _no_backup(source, error) from error
    _compare(source, record.members, found)
    return Contents(revision, record)


def _compare(source: Path, wanted: Members, found: Members) -> None:
    for name, facts in wanted.items():
        if name not in found:
            raise BackupError("damaged", f"{name} is missing in {source}.")
        if found[name] != facts:
            raise BackupError("damaged", f"{name} in {source} is damaged.")
    if len(found) > len(wanted):
        raise BackupError("damaged", f"{source} holds files that its record does not know.")


def _check_format_1(source: Path, found: Members) -> None:
    """Raise ``BackupError`` if the file was cut off; its end is all there is to tell by."""
    with source.open("rb") as file:
        file.seek(0, 2)
        size = file.tell()
        file.seek(max(0, size - 2 * _BLOCK))
        ended = file.read() == bytes(2 * _BLOCK) and size % tarfile.RECORDSIZE == 0
    if not ended or not found.keys() >= _ROWS_1:
        raise _cut_off(source)


def _known(name: str) -> bool:
    return name in (MANIFEST, RECORD) or any(
        pattern.fullmatch(name) for pattern in (PHOTO, TRAY, ROWS)
    )


def _measured(file: IO[bytes]) -> tuple[int, str]:
    """Size and hash of a file."""
    size, digest = 0, sha256()
    while piece := file.read(_CHUNK):
        size += len(piece)
        digest.update(piece)
    return size, digest.hexdigest()


def _manifest(source: Path, content: bytes) -> tuple[str, str]:
    """Format and revision."""
    try:
        told = json.loads(content)
    except ValueError as error:
        raise _no_backup(source, error) from error
    if not isinstance(told, dict) or told.get("format") not in (FORMAT_1, FORMAT):
        text = f"{source} is no backup of Trayscore, or of a newer version."
        raise BackupError("bad_file", text)
    return told["format"], str(told.get("revision"))


def _digest(told: object) -> str:
    return sha256(canonical(told).encode()).hexdigest()


def _cut_off(source: Path) -> BackupError:
    text = f"{source} is not whole: its end is missing. Nothing was changed; use another backup."
    return BackupError("damaged", text)


def _no_backup(source: Path, error: Exception) -> BackupError:
    text = f"{source} is no backup, or damaged: {error}. Nothing was changed."
    return BackupError("bad_file", text)
