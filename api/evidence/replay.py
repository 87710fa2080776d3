"""A history played again: whether every entry is what the service would have written.

The chain's hashes show that nobody changed a history after it was made. Whoever runs the service
can make another one with right hashes; that it also keeps to the rules is checked here, entry by
entry, by the very functions that decide when the game is played.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import process_time
from typing import Any

from pydantic import ValidationError

from api.evidence.comparing import differences
from api.evidence.deed import Deed
from api.evidence.deeds import deeds
from api.evidence.expected import is_ours
from api.evidence.told import Falsehood, Told, is_time, title
from api.ledger.chain import Entry, genesis, is_digest, seed_digest
from api.problems import Problem
from api.tables.access import SERVICE, Actor
from api.tables.bounds import refuse_endless
from api.tables.draft import Draft
from api.tables.due import due
from api.tables.record import Record
from api.tables.table_game import TableGame, table_game
from rules.errors import RulesError
from rules.games import DEFAULT

PATIENCE_S = 6.0
"""Of the processor's time. The longest evening takes a second."""

_LACKING = {
    "table_opened": ("program",),
    "tray_submitted": ("reader",),
    "dispute_photos": ("reader",),
    "pin_set": ("made_by",),
    "dispute_opened": ("made_by",),
    "dispute_consent": ("made_by",),
    "dispute_resolved": ("withdrawn_by", "spoken_for"),
}
"""What entries of these kinds lacked before histories told which program wrote them."""

_WITHOUT_DUE = ("player_joined",)
"""Of histories of the beginning: joining did not look at the hourglass."""


@dataclass(frozen=True)
class Found:
    """What a replay found: sentences of what is false, and of what cannot be checked."""

    problems: tuple[str, ...]
    notes: tuple[str, ...]


def replayed(table: str, entries: Sequence[Entry], patience_s: float = PATIENCE_S) -> Found:
    """What the service's own decisions say of a history whose chain holds."""
    replay = Replay(table, entries, patience_s)
    problems = tuple(replay.problems())
    return Found(problems, tuple(dict.fromkeys(replay.notes)))


class Replay:
    """A history being played again; ``notes`` are complete once all problems were told."""

    def __init__(
        self, table: str, entries: Sequence[Entry], patience_s: float = PATIENCE_S
    ) -> None:
        self.entries = entries
        self.patience_s = patience_s
        self.seed = _told_seed(entries)
        self.record = Record(table, self.seed or 0, head=genesis(table))
        self.notes: list[str] = []

    def problems(self) -> Iterator[str]:
        """What is false, one sentence after the other, up to where nothing can be played on."""
        begun = process_time()
        for entry in self.entries:
            if process_time() - begun > self.patience_s:
                yield (
                    f"Entries from {entry.sequence} on were not checked, for it takes too long: if "
                    "you want to wait, say --large."
                )
                return
            try:
                draft = self._decided(entry)
                yield from differences(entry, draft, is_ours(self._written_by(entry)))
                # What should have been is played on, so that one lie is not told many times.
                right = replace(entry, body=draft.body, files=draft.files)
                self.record = self.record.after(right)
            except (Falsehood, Problem, RulesError) as error:
                yield f"{title(entry)} is false: {error.text.rstrip('.')}."
                return
            except ValidationError as error:
                place = ".".join(map(str, error.errors()[0]["loc"]))
                yield f"{title(entry)} is false: “{place}” is not as it can be."
                return
            except _UNFORESEEN as error:
                yield f"{title(entry)} cannot have happened: {type(error).__name__} {error}."
                return
        self._tell_of_cards()

    def _written_by(self, entry: Entry) -> Record:
        """The record as of the program that wrote the entry."""
        if entry.kind in ("table_opened", "program_changed"):
            return replace(self.record, program=entry.body.get("program"))
        return self.record

    def _decided(self, entry: Entry) -> Draft:
        """The draft that the service gives for this entry; raises if it gives none."""
        record = self.record
        if (record.set_up is None) != (entry.kind == "table_opened"):
            raise Falsehood("a table is opened once, and first")
        if not all(map(is_digest, entry.files)):
            raise Falsehood("it has files without a SHA-256")
        self._check_time(entry)
        actor = _actor(record, entry)
        if actor == SERVICE:
            return self._due(entry)
        if record.set_up is not None:
            self._check_nothing_due(entry)
        known = deeds(self._game(entry))
        if entry.kind not in known:
            raise Falsehood("nobody knows this kind, or nobody does it by hand")
        if is_ours(record):  # another version may have had other bounds
            refuse_endless(record, entry.kind, entry.body, entry.actor)
        deed = Deed(record, actor, entry, self._seed_is_known)
        return self._as_then(entry, known[entry.kind](deed))

    def _game(self, entry: Entry) -> TableGame:
        if self.record.set_up is None:
            return table_game(str(entry.body.get("game", DEFAULT)))
        return self.record.game

    @property
    def _seed_is_known(self) -> bool:
        return self.seed is not None or self.entries[0].body.get("seed_sha256") is None

    def _check_time(self, entry: Entry) -> None:
        if not is_time(entry.at):
            raise Falsehood("it has no time")
        if entry.at >= self.record.at:
            return
        if self.record.program is not None:
            raise Falsehood("time runs backwards")
        self.notes.append(
            f"Before entry {entry.sequence} the clock was set back. Trayscore did not mind then."
        )

    def _due(self, entry: Entry) -> Draft:
        program = self.record.program
        if entry.kind == "program_changed":
            program = Told(entry.body).program()
        for draft in due(self.record, program, entry.at):
            if draft.kind == entry.kind:
                return draft
        raise Falsehood("the service does nothing of that kind by itself then")

    def _check_nothing_due(self, entry: Entry) -> None:
        missing = due(self.record, self.record.program, entry.at)
        if missing and not (self.record.program is None and entry.kind in _WITHOUT_DUE):
            raise Falsehood(f"{missing[0].kind} should have been noted before it")

    def _as_then(self, entry: Entry, draft: Draft) -> Draft:
        """The draft without what the program of the time did not say."""
        if self._written_by(entry).program is not None:
            return draft
        self.notes.append(
            "It began before Trayscore noted its own version in histories: what the program said "
            "to doubts was not compared, nor who withdrew a dispute by PIN."
        )
        lacking = [name for name in _LACKING.get(entry.kind, ()) if name not in entry.body]
        body = {name: value for name, value in draft.body.items() if name not in lacking}
        return replace(draft, body=body)

    def _tell_of_cards(self) -> None:
        drawn = any(play.drawn for play in self.record.plays)
        if drawn and not self._seed_is_known:
            self.notes.append(
                "Whether the cards are those of the shuffled stack is told when the game is over."
            )
        programs = [self.record.opened.get("program"), *_programs(self.entries)]
        if any(
            one is not None and not is_ours(replace(self.record, program=one)) for one in programs
        ):
            self.notes.append(
                "Another version of Trayscore wrote some of it: what that one said to doubts was "
                "not compared."
            )


_UNFORESEEN = (KeyError, TypeError, IndexError, ValueError, AttributeError, ArithmeticError)
"""What values of a wrong shape end in, deep inside."""


def _programs(entries: Sequence[Entry]) -> Iterator[Mapping[str, Any] | None]:
    return (entry.body.get("program") for entry in entries if entry.kind == "program_changed")


def _told_seed(entries: Sequence[Entry]) -> int | None:
    """The secret seed as the end of the game tells it, if it is the one of the beginning."""
    for entry in entries:
        told = entry.body.get("seed")
        if entry.kind == "game_finished" and isinstance(told, str) and _is_seed(told):
            seed = int(told)
            return seed if seed_digest(seed) == entries[0].body.get("seed_sha256") else None
    return None


def _is_seed(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 40


def _actor(record: Record, entry: Entry) -> Actor:
    """Who did it; raises ``Falsehood`` for somebody who is not at the table."""
    role, _, player = entry.actor.partition(":")
    if entry.actor == "host":
        return Actor("host")
    if entry.actor == "service":
        return SERVICE
    if role != "player" or record.set_up is None or player not in record.players:
        raise Falsehood("nobody of that name is at the table")
    if player not in record.joined and entry.kind != "player_joined":
        raise Falsehood(f"{player} had not joined by then")
    return Actor("player", player)
