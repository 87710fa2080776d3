"""Pictures of readings: drawn by workers when asked for, kept when a round is locked."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.concurrency import run_in_threadpool

from api.ledger.chain import canonical
from api.problems import Problem
from api.tables import commands, disputes, play
from api.tables.dispute_record import DisputeRecord
from api.tables.kept_photos import Kept, keeping
from api.tables.play import TrayPlace
from api.tables.record import Record
from api.tables.round_record import Json, Sent
from api.tables.service import Answered, Asking, TableService
from api.workers.readers import ReadingPool

_REMEMBERED = 64

log = logging.getLogger("trayscore.tables")


@dataclass
class Drawings:
    """Draws, and remembers the last drawings: a page asks for them again and again."""

    service: TableService
    readers: ReadingPool
    disk_limit: int
    _known: "OrderedDict[str, bytes]" = field(default_factory=OrderedDict)

    async def of_tray(self, place: TrayPlace, token: str | None) -> bytes:
        """The photo of a tray with its reading drawn on it; the kept one if there is one."""
        seen = await run_in_threadpool(self.service.look, place.table, token)
        sent = play.sent_in(seen.record, place.round, place.player)
        if sent.overlay is not None:
            return await run_in_threadpool(self._stored, place.table, sent.overlay)
        return await self._drawn(seen.record, sent)

    async def of_dispute(self, table: str, number: int, token: str | None) -> bytes:
        """The disputed tray's photo, with the parts marked that the verdict points at."""
        seen = await run_in_threadpool(self.service.look, table, token)
        dispute = disputes.known_dispute(seen.record, number)
        digest, read = _evidence(seen.record, dispute)
        game = seen.record.game
        reading, marked = game.parse_reading(read), game.marked(seen.record.state, dispute)

        async def draw(photo: bytes) -> bytes:
            return await self.readers.overlay(photo, reading, marked, game=game.id)

        about = [read, None if marked is None else marked.to_json()]
        return await self._picture(table, digest, about, draw)

    async def crop(self, table: str, number: int, token: str | None) -> bytes:
        """What is disputed, enlarged."""
        seen = await run_in_threadpool(self.service.look, table, token)
        dispute = disputes.known_dispute(seen.record, number)
        digest, read = _evidence(seen.record, dispute)
        box = seen.record.game.disputed_box(read, dispute)
        if box is None:
            raise _nothing_to_show()

        async def cut(photo: bytes) -> bytes:
            return await self.readers.crop(photo, box)

        return await self._picture(table, digest, list(box), cut)

    async def lock(self, table: str, number: int, asking: Asking) -> Answered:
        """A round is locked, the drawings of its photos kept with it."""
        seen = await run_in_threadpool(self.service.begin, table, asking)
        if isinstance(seen, Answered):
            return seen
        seen.actor.hosts()
        play.open_round(seen.record, number)
        photographed = {
            player: sent
            for player, sent in seen.record.plays[number - 1].sent.items()
            if sent.photos and sent.legal
        }
        pictures = await asyncio.gather(
            *(self._drawn_if_possible(seen.record, sent) for sent in photographed.values())
        )
        drawn = {
            player: (sent, Kept.of(picture, "webp"))
            for (player, sent), picture in zip(photographed.items(), pictures, strict=True)
            if picture is not None
        }

        return await run_in_threadpool(self._locked, table, number, drawn, asking)

    def _locked(
        self, table: str, number: int, drawn: Mapping[str, tuple[Sent, Kept]], asking: Asking
    ) -> Answered:
        """A round is locked with these drawings; without, if there is no room for them."""
        try:
            with keeping(self.service.store, [one for _, one in drawn.values()], self.disk_limit):
                return commands.lock(self.service, table, number, drawn, asking)
        except Problem as problem:
            if problem.code != "disk_full":
                raise
        log.warning("a round of table %s is locked without drawings: no room", table)
        return commands.lock(self.service, table, number, {}, asking)

    async def _drawn_if_possible(self, record: Record, sent: Sent) -> bytes | None:
        """The drawing; None if it cannot be had, for that must not hold up a game."""
        try:
            return await self._drawn(record, sent)
        except Problem as problem:
            log.warning("a photo of table %s is not drawn: %s", record.table, problem.text)
            return None

    async def _drawn(self, record: Record, sent: Sent) -> bytes:
        if not sent.photos or sent.reading is None:
            raise _nothing_to_show()
        game = record.game
        reading = game.parse_reading(sent.reading)

        async def draw(photo: bytes) -> bytes:
            return await self.readers.overlay(photo, reading, game=game.id)

        return await self._picture(record.table, sent.photos[0], sent.reading, draw)

    async def _picture(
        self, table: str, digest: str, about: object, make: Callable[[bytes], Awaitable[bytes]]
    ) -> bytes:
        """What is made of a photo; from memory if it was made not long ago."""
        key = f"{digest} {sha256(canonical(about).encode()).hexdigest()}"
        picture = self._known.pop(key, None)
        if picture is None:
            picture = await make(await run_in_threadpool(self._stored, table, digest))
        self._known[key] = picture
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return picture

    def _stored(self, table: str, digest: str) -> bytes:
        return self.service.content(table, digest)[0]


def _evidence(record: Record, dispute: DisputeRecord) -> tuple[str, Json]:
    """The first photo of the disputed tray, and what all of them together show."""
    sent = record.plays[dispute.round - 1].sent[dispute.player]
    photos, read = (*sent.photos, *dispute.photos), dispute.reading or sent.reading
    if not photos or read is None:
        raise _nothing_to_show()
    return photos[0], read


def _nothing_to_show() -> Problem:
    return Problem(404, "no_photo", "No photo was taken of this tray.")
