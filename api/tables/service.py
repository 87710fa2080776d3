"""The tables of a service: each command is one transaction on one table's history.

A command sees the table as it is, adds entries to its history or is refused, and its answer is
kept with them. Writers of a table come one after the other, so of two hosts who press the same
button at once one is told what the other did.
"""

import hmac
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection

from api.ledger.chain import Entry, canonical, genesis, linked
from api.problems import Problem
from api.storage import answers, tables
from api.storage.answers import Answer
from api.storage.failures import DiskFull
from api.storage.photos import PhotoDamagedError, PhotoMissingError
from api.storage.store import Store
from api.storage.tables import FileRow, SoloRow, TableRow
from api.tables.access import SERVICE, Actor, identify, no_table
from api.tables.bounds import refuse_endless, refuse_idle
from api.tables.draft import Draft
from api.tables.due import due
from api.tables.feed import Feed
from api.tables.guessing import CodeGuesses
from api.tables.play import refused
from api.tables.record import Record
from api.tables.secrets import token as made_token
from api.tables.table_game import TableGame, table_game
from api.versions import program
from rules.playing import IllegalMove

_REMEMBERED = 256
"""Tables whose records are kept in memory."""

_SPARE = 1_000_000
"""Bytes at least that entries may take when photos may not."""

_TOKENS = ("host_token", "player_token")


@dataclass(frozen=True)
class Asking:
    """What a request comes with beside its content: token, idempotency key, awaited version."""

    token: str | None
    key: str | None = None
    digest: str = ""
    """Of all that is asked: a key may be used for one question only."""
    version: int | None = None
    address: str = ""

    def about(self, *asked: object) -> "Asking":
        """The same with the digest of these parts of the request."""
        return replace(self, digest=sha256(canonical(asked).encode()).hexdigest())

    def with_photos(self, photos: Sequence[bytes]) -> "Asking":
        """The same about these photos; a form's writing differs each time it is sent.

        Takes time, if there is a key that it matters for: not to be called in the event loop.
        """
        if self.key is None:
            return self
        return self.about(self.digest, [sha256(photo).hexdigest() for photo in photos])


@dataclass(frozen=True)
class Answered:
    """An answer as it is sent, and sent again."""

    status: int
    body: str
    version: int | None = None


@dataclass(frozen=True)
class Sight:
    """A table at a moment, and who looks at it."""

    row: TableRow
    record: Record
    actor: Actor
    now: float


@dataclass(frozen=True)
class Scene(Sight):
    """What a command sees, inside its transaction, and what happened in it so far."""

    connection: Connection
    news: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Change:
    """What a command does: entries to add, the files they point to, and how it is answered."""

    drafts: Sequence[Draft]
    answer: Callable[[Scene], BaseModel]
    status: int = 200
    files: Sequence[FileRow] = ()
    nonce: str | None = None
    """If the answer holds a token: the number it was made of."""
    extra: Callable[[Connection], None] | None = None
    """What is to be kept beside the history."""


class TableService:
    """All tables of a store."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float] = time.time,
        disk_limit: int | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.program = program()
        self._disk_limit = disk_limit
        self.feed = Feed()
        self.guesses = CodeGuesses()
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._lock = Lock()

    def now(self) -> float:
        """The time that counts, in milliseconds' precision."""
        return round(self.clock(), 3)

    def look(self, table: str, token: str | None) -> Sight:
        """A table for who may see it, at one moment; raises ``Problem`` otherwise."""
        with self.store.database.reading() as connection:
            row, actor = _entered(connection, table, token)
            return self._seen(connection, row, actor)

    def game(self, table: str) -> TableGame:
        """The game of a table; raises ``Problem`` if there is no such table."""
        with self.store.database.reading() as connection:
            row = tables.by_id(connection, table)
        if row is None:
            raise no_table()
        return table_game(row.game)

    def begin(self, table: str, asking: Asking) -> Answered | Sight:
        """What this very request was answered before, or else the table as it is.

        For commands that take long: they look first, and write in the end.
        """
        with self.store.database.reading() as connection:
            row, actor = _entered(connection, table, asking.token)
            before = self.again(connection, _scope(table, actor), asking)
            return self._seen(connection, row, actor) if before is None else before

    def news(self, table: str, token: str | None, after: int) -> list[Entry]:
        """What happened since an entry; raises ``Problem`` for who may not see it any more."""
        with self.store.database.reading() as connection:
            row, _ = _entered(connection, table, token)
            return tables.entries(connection, table, after) if row.length > after else []

    def files(self, table: str) -> Mapping[str, FileRow]:
        """The files of a table."""
        with self.store.database.reading() as connection:
            return tables.files(connection, table)

    def content(self, table: str, digest: str) -> tuple[bytes, FileRow]:
        """A file of a table as it was kept; raises ``Problem`` if that cannot be had."""
        row = self.files(table).get(digest)
        if row is None:
            raise Problem(404, "no_photo", "This table has no such photo.")
        try:
            return self.store.files.read(digest, row.suffix), row
        except PhotoMissingError:
            text = "This photo is missing on the service's disk. Whoever has it may send it again."
            raise Problem(410, "photo_missing", text) from None
        except PhotoDamagedError:
            text = "This photo is damaged on the service's disk. Whoever has it may send it again."
            raise Problem(410, "photo_damaged", text) from None

    def change(self, table: str, asking: Asking, command: Callable[[Scene], Change]) -> Answered:
        """The answer to a command, which is done once however often it is asked."""
        with self.store.database.writing() as connection:
            row = tables.lock(connection, table)
            if row is None:
                raise no_table()
            actor = identify(connection, row, asking.token)
            scope = _scope(table, actor)
            before = self.again(connection, scope, asking)
            if before is not None:
                return before
            if asking.version is not None and asking.version != row.length:
                text = "The table has changed meanwhile: look at it again."
                raise Problem(412, "stale", text)
            scene = self.enter(connection, row, actor)
            scene, answered = self.do(scene, command(scene), scope, asking)
        self.done(scene)
        return answered

    def enter(self, connection: Connection, row: TableRow, actor: Actor) -> Scene:
        """The table as a command meets it, with what was due before it written.

        Clocks are set back now and then; a table's time never runs backwards.
        """
        record = self.record(connection, row)
        scene = Scene(row, record, actor, max(self.now(), record.at), connection)
        return self.write(scene, SERVICE, due(record, self.program, scene.now))

    def do(
        self, scene: Scene, change: Change, scope: str, asking: Asking
    ) -> tuple[Scene, Answered]:
        """The table after a change, and the answer, which is kept with it."""
        tables.add_files(scene.connection, scene.row.id, change.files)
        scene = self.write(scene, scene.actor, change.drafts)
        if change.extra is not None:
            change.extra(scene.connection)
        self._keep_solo_game(scene)
        body = change.answer(scene).model_dump_json(by_alias=True)
        answered = Answered(change.status, body, scene.record.length)
        self._keep(scene, scope, asking, answered, change.nonce)
        self._refuse_when_full(change, answered)
        return scene, answered

    def _refuse_when_full(self, change: Change, answered: Answered) -> None:
        """Raise ``Problem`` if entry and answer are more than may be kept.

        A little more than of photos, so that a game goes on by hand when there is no room for them.
        """
        if self._disk_limit is None:
            return
        more = sum(len(canonical(draft.body)) for draft in change.drafts) + len(answered.body)
        if not self.store.takes(more, self._disk_limit + max(self._disk_limit // 20, _SPARE)):
            text = "There is no room for anything more: delete old tables."
            later = {"Retry-After": str(DiskFull.retry_s)}
            raise Problem(507, "disk_full", text, headers=later)

    def done(self, scene: Scene) -> None:
        """Tell everybody, once a change is committed."""
        self._remember(scene.record)
        self.feed.announce(scene.row.id, scene.news)

    def write(self, scene: Scene, actor: Actor, drafts: Sequence[Draft]) -> Scene:
        """The scene after these entries; raises ``Problem`` for what the rules do not allow."""
        row, record, news = scene.row, scene.record, list(scene.news)
        for draft in drafts:
            refuse_endless(record, draft.kind, draft.body, str(actor))
            entry = Entry(
                row.length + 1, scene.now, str(actor), draft.kind, draft.body, draft.files
            )
            bound = linked(entry, row.head)
            try:
                record = record.after(bound)
            except IllegalMove as move:
                raise refused(move, record.game) from move
            row = tables.append(scene.connection, row, bound)
            news.append(bound)
        return replace(scene, row=row, record=record, news=tuple(news))

    def again(self, connection: Connection, scope: str, asking: Asking) -> Answered | None:
        """The answer that was given to the request with this key."""
        if asking.key is None:
            return None
        found = answers.find(connection, scope, asking.key)
        if found is None:
            return None
        if found.request != self._keyed(asking.digest):
            text = "This idempotency key was used for another request: take a new one."
            raise Problem(422, "idempotency_mismatch", text)
        body = found.body
        if found.nonce is not None:
            told = json.loads(body)
            made = made_token(self.store.secret, found.nonce)
            body = json.dumps({**told, **{name: made for name in _TOKENS if name in told}})
        return Answered(found.status, body)

    def _keep(
        self, scene: Scene, scope: str, asking: Asking, answered: Answered, nonce: str | None
    ) -> None:
        """Keep an answer for when the request comes again; a token in it is left out."""
        if asking.key is None:
            return
        body = answered.body
        if nonce is not None:
            told = json.loads(body)
            body = json.dumps({**told, **{name: "" for name in _TOKENS if name in told}})
        if not scene.news:
            refuse_idle(answers.count(scene.connection, scope), scene.row.length)
        kept = Answer(self._keyed(asking.digest), answered.status, body, nonce)
        answers.keep(scene.connection, scope, asking.key, kept, scene.row.id, scene.now)

    def _keyed(self, digest: str) -> str:
        """A digest by which nobody without the secret can try out what was asked, as PINs."""
        return hmac.digest(self.store.secret, digest.encode(), "sha256").hex()

    def record(self, connection: Connection, row: TableRow) -> Record:
        """The table as its history tells it; raises ``Problem`` if that was tampered with."""
        with self._lock:
            known = self._records.get(row.id)
        if known is None or known.length > row.length:
            known = Record(row.id, int(row.seed), head=genesis(row.id))
        missed = known.length < row.length
        for entry in tables.entries(connection, row.id, known.length) if missed else ():
            if linked(entry, known.head) != entry or entry.sequence != known.length + 1:
                raise _broken(row.id)
            known = known.after(entry)
        if (known.length, known.head) != (row.length, row.head):
            raise _broken(row.id)
        return known

    def forget(self, table: str) -> None:
        """Drop what is remembered of a table, and tell its devices that it is gone."""
        with self._lock:
            self._records.pop(table, None)
        self.feed.announce(table)

    def _seen(self, connection: Connection, row: TableRow, actor: Actor) -> Sight:
        record = self.record(connection, row)
        self._remember(record)
        return Sight(row, record, actor, self.now())

    def _remember(self, record: Record) -> None:
        with self._lock:
            known = self._records.pop(record.table, None)
            newest = known if known is not None and known.length > record.length else record
            self._records[record.table] = newest
            while len(self._records) > _REMEMBERED:
                self._records.popitem(last=False)

    def _keep_solo_game(self, scene: Scene) -> None:
        record = scene.record
        if len(record.players) > 1 or not record.state.finished:
            return
        game, player = record.game, record.players[0]
        ended = game.solo_game(record.state)
        row = SoloRow(record.table, player, ended.at, ended.way, ended.total, game.id, ended.par)
        tables.keep_solo_game(scene.connection, row)


def _entered(connection: Connection, table: str, token: str | None) -> tuple[TableRow, Actor]:
    """The table and who is there with this token; raises ``Problem`` if there is no such thing."""
    row = tables.by_id(connection, table)
    if row is None:
        raise no_table()
    return row, identify(connection, row, token)


def _scope(table: str, actor: Actor) -> str:
    """Within what an idempotency key means the same."""
    return f"{table} {actor}"


def _broken(table: str) -> Problem:
    text = f"The history of table {table} was changed from outside: it is not played on."
    return Problem(500, "ledger_broken", text)


def as_json(answered: Answered) -> dict[str, Any]:
    """The body of an answer."""
    told: dict[str, Any] = json.loads(answered.body)
    return told
