"""Trays by photo: read by a worker, then kept with what was read.

Reading takes a while, so it is done outside of any transaction: first whether the photo is wanted
at all, then the reading, then the entry, if the table still wants it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from api.problems import Problem
from api.profiles import Trays
from api.tables import commands, disputes, play
from api.tables.disputing import dispute_answer
from api.tables.kept_photos import Kept, cleaned_photos, heal, keeping
from api.tables.photo_reading import PhotoReading, photo_names, reader, worth
from api.tables.play import TrayPlace
from api.tables.record import Record
from api.tables.round_record import Json
from api.tables.service import Answered, Asking, Change, Scene, TableService
from api.tables.table_game import TableGame
from api.workers.readers import ReadingPool, called, refuse_bad_images
from calibration.profile_files import Profile
from calibration.profiles import profile_kind
from vision.readers import GameReading, can_read


@dataclass(frozen=True)
class Camera:
    """What photos are read and kept with."""

    service: TableService
    readers: ReadingPool
    trays: Trays
    disk_limit: int

    async def submit(self, place: TrayPlace, photos: Sequence[bytes], asking: Asking) -> Answered:
        """A tray sent in by photos of it; where they show none, nothing is recorded."""
        arrived = self.service.now()
        wanted = await run_in_threadpool(self._begin, place, photos, asking)
        if isinstance(wanted, Answered):
            return wanted
        game = wanted.record.game
        reading = await self.read(game, wanted.kept, wanted.profile)
        read = reading.to_json()
        if read[game.names.position] is None:
            version = wanted.record.length
            told = {"version": version, "reading": read, "score": None, "late": False}
            nothing = game.models.submission.model_validate({**told, game.names.submission: None})
            return Answered(200, nothing.model_dump_json(), version)
        return await run_in_threadpool(self._record, wanted, reading, read, arrived)

    def _begin(
        self, place: TrayPlace, photos: Sequence[bytes], asking: Asking
    ) -> "Answered | _Wanted":
        """What this very request was answered before, or all that its photos are read with."""
        asking = asking.with_photos(photos)
        seen = self.service.begin(place.table, asking)
        if isinstance(seen, Answered):
            return seen
        try:
            play.refuse_submission(seen.record, seen.actor, place)
        except Problem:  # too late for the round, but not for a photo that the disk has lost
            heal(self.service.store, place.table, cleaned_photos(photos))
            raise
        refuse_unread(seen.record.game)
        profile = chosen_profile(seen.record, place.player, self.trays)
        return _Wanted(place, asking, seen.record, cleaned_photos(photos), profile)

    def _record(
        self, wanted: "_Wanted", reading: GameReading, read: Json, arrived: float
    ) -> Answered:
        place, kept, game = wanted.place, wanted.kept, wanted.record.game
        # A round's cards never change, so what the reading is worth is found out beforehand:
        # others need not wait for it.
        seen = PhotoReading(
            tuple(one.sha256 for one in kept),
            read,
            read[game.names.position],
            worth(wanted.record, place.round, reading),
            reader(game, wanted.profile),
        )

        def command(scene: Scene) -> Change:
            play.refuse_submission(scene.record, scene.actor, place)
            at = play.arrival(scene.record, place.round, arrived, scene.now)
            draft = play.submit_photos(scene.record, scene.actor, place, seen, at)
            return Change(
                [draft],
                lambda after: commands.submission(after, place),
                status=201,
                files=[one.row for one in kept],
            )

        with keeping(self.service.store, kept, self.disk_limit):
            return self.service.change(place.table, wanted.asking, command)

    async def add_to_dispute(
        self, table: str, number: int, photos: Sequence[bytes], asking: Asking
    ) -> Answered:
        """Further photos of a disputed tray, read together with those before."""
        asking = await run_in_threadpool(asking.with_photos, photos)
        seen = await run_in_threadpool(self.service.begin, table, asking)
        if isinstance(seen, Answered):
            return seen
        dispute = disputes.open_one(seen.record, number)
        refuse_unread(seen.record.game)
        before = disputes.photos_of(seen.record, dispute)
        kept = await run_in_threadpool(cleaned_photos, photos)
        await run_in_threadpool(heal, self.service.store, table, kept)
        earlier = await run_in_threadpool(self._contents, table, before)
        added = tuple(one.sha256 for one in kept)
        disputes.refuse_photos(seen.record, dispute, added)
        profile = await run_in_threadpool(chosen_profile, seen.record, dispute.player, self.trays)
        game = seen.record.game
        reading = await self.read(game, [*earlier, *kept], profile)
        read = reading.to_json()
        if read[game.names.position] is None:
            raise Problem(422, "no_tray", reading.message)

        def command(scene: Scene) -> Change:
            now_open = disputes.open_one(scene.record, number)
            if now_open.photos != dispute.photos:
                raise Problem(409, "stale", "Other photos were added meanwhile: send it again.")
            draft = disputes.add_photos(scene.record, number, added, read, reader(game, profile))
            return Change([draft], dispute_answer(number), files=[one.row for one in kept])

        def recorded() -> Answered:
            with keeping(self.service.store, kept, self.disk_limit):
                return self.service.change(table, asking, command)

        return await run_in_threadpool(recorded)

    def _contents(self, table: str, digests: Sequence[str]) -> list[Kept]:
        found = [self.service.content(table, digest) for digest in digests]
        return [Kept(content, row.suffix, row.sha256) for content, row in found]

    async def read(
        self, game: TableGame, kept: Sequence[Kept], profile: Profile | None
    ) -> GameReading:
        """What the photos, all of one position, show; they are called by their hashes."""
        contents = [one.content for one in kept]
        found = await self.readers.read(contents, profile, len(contents) > 1, game.id)
        refuse_bad_images(found)
        names = tuple(one.sha256 for one in kept)
        return called(found[0], photo_names(names))


def refuse_unread(game: TableGame) -> None:
    """Raise ``Problem`` if nobody can read photos of this game."""
    if not can_read(game.id):
        text = "Photos of this game cannot be read yet: enter it by hand."
        raise Problem(422, "no_reader", text)


@dataclass(frozen=True)
class _Wanted:
    """Photos of a tray that the table wants, and what they are read with."""

    place: TrayPlace
    asking: Asking
    record: Record
    kept: Sequence[Kept]
    profile: Profile | None


def chosen_profile(record: Record, player: str | None, trays: Trays) -> Profile | None:
    """The profile for a player's tray, or the table's; None: the built-in ones are tried."""
    choice = record.tray if player is None else record.tray_of(player)
    kind = record.game.profile_kind
    if choice is None or kind is None:
        return None
    if choice.profile is None:
        return trays.get(choice.name)
    profile: Profile = profile_kind(kind).parse(choice.profile)  # as it was then, whatever is now
    return profile
