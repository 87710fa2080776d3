"""Trays by photo: read by a worker, then kept with what was read.

Reading takes a while, so it is done outside of any transaction: first whether the photo is wanted
at all, then the reading, then the entry, if the table still wants it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from starlette.concurrency import run_in_threadpool

from api.models.trays import Submission
from api.problems import Problem
from api.profiles import Trays
from api.tables import commands, disputes, play
from api.tables.disputing import dispute_answer
from api.tables.keeping import Kept, cleaned_photos, heal, keeping
from api.tables.photo_reading import PhotoReading, photo_names, reader, worth
from api.tables.play import TrayPlace
from api.tables.record import Record
from api.tables.service import Answered, Asking, Change, Scene, TableService
from api.workers.readers import ReadingPool, refuse_bad_images
from calibration.dimension.profile import TrayProfile
from vision.dimension.reading import Reading


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
        reading = await self.read(wanted.kept, wanted.profile)
        if reading.layout is None:
            version = wanted.record.length
            told = {"version": version, "reading": reading.to_json()}
            nothing = Submission.model_validate(
                {**told, "score": None, "late": False, "tray": None}
            )
            return Answered(200, nothing.model_dump_json(), version)
        return await run_in_threadpool(self._record, wanted, reading, arrived)

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
        profile = chosen_profile(seen.record, place.player, self.trays)
        return _Wanted(place, asking, seen.record, cleaned_photos(photos), profile)

    def _record(self, wanted: "_Wanted", reading: Reading, arrived: float) -> Answered:
        assert reading.layout is not None
        place, kept = wanted.place, wanted.kept
        # A round's cards never change, so what the reading is worth is found out beforehand:
        # others need not wait for it.
        seen = PhotoReading(
            tuple(one.sha256 for one in kept),
            reading.to_json(),
            reading.layout,
            worth(wanted.record, place.round, reading),
            reader(wanted.profile),
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
        before = disputes.photos_of(seen.record, dispute)
        kept = await run_in_threadpool(cleaned_photos, photos)
        await run_in_threadpool(heal, self.service.store, table, kept)
        earlier = await run_in_threadpool(self._contents, table, before)
        added = tuple(one.sha256 for one in kept)
        disputes.refuse_photos(seen.record, dispute, added)
        profile = await run_in_threadpool(chosen_profile, seen.record, dispute.player, self.trays)
        reading = await self.read([*earlier, *kept], profile)
        if reading.layout is None:
            raise Problem(422, "no_tray", reading.message)

        def command(scene: Scene) -> Change:
            now_open = disputes.open_one(scene.record, number)
            if now_open.photos != dispute.photos:
                raise Problem(409, "stale", "Other photos were added meanwhile: send it again.")
            draft = disputes.add_photos(
                scene.record, number, added, reading.to_json(), reader(profile)
            )
            return Change([draft], dispute_answer(number), files=[one.row for one in kept])

        def recorded() -> Answered:
            with keeping(self.service.store, kept, self.disk_limit):
                return self.service.change(table, asking, command)

        return await run_in_threadpool(recorded)

    def _contents(self, table: str, digests: Sequence[str]) -> list[Kept]:
        found = [self.service.content(table, digest) for digest in digests]
        return [Kept(content, row.suffix, row.sha256) for content, row in found]

    async def read(self, kept: Sequence[Kept], profile: TrayProfile | None) -> Reading:
        """What the photos, all of one tray, show; they are called by their hashes."""
        contents = [one.content for one in kept]
        found = await self.readers.read(contents, profile, same_tray=len(contents) > 1)
        refuse_bad_images(found)
        names = tuple(one.sha256 for one in kept)
        return replace(found[0], photo=photo_names(names))


@dataclass(frozen=True)
class _Wanted:
    """Photos of a tray that the table wants, and what they are read with."""

    place: TrayPlace
    asking: Asking
    record: Record
    kept: Sequence[Kept]
    profile: TrayProfile | None


def chosen_profile(record: Record, player: str | None, trays: Trays) -> TrayProfile | None:
    """The profile for a player's tray, or the table's; None: the built-in ones are tried."""
    choice = record.tray if player is None else record.tray_of(player)
    if choice is None:
        return None
    if choice.profile is None:
        known: TrayProfile = trays.get(choice.name)
        return known
    return TrayProfile.from_json(choice.profile)  # as it was when it was set, whatever the file is
