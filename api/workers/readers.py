"""The service's readers: photos in, readings out, by worker processes that stay warm."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

from api.problems import Problem
from api.settings import Settings
from api.workers.crop import Box, CropPhoto
from api.workers.jobs import (
    BadPhoto,
    DrawReading,
    GameRefused,
    MeasureTray,
    PictureKind,
    ReadPhotos,
    TrayRefused,
    warm_up,
)
from api.workers.pool import QueueFull, QueueLimits, WorkerPool
from api.workers.process import Job, JobFailed, JobLimits, TooSlow
from rules.games import DEFAULT

if TYPE_CHECKING:
    from calibration.profile_files import Profile
    from vision.readers import GameReading

T = TypeVar("T")

_READING_S = 0.25
"""About what a reading takes: for telling when to come again."""


class ReadingPool(WorkerPool):
    """Worker processes for photos. What they refuse is raised as a ``Problem``."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            settings.workers,
            warm_up,
            JobLimits(settings.reading_timeout_s, settings.reading_memory_mb),
            QueueLimits(settings.queue, int(settings.queue_mb * 1e6)),
        )
        self._count = settings.workers

    async def read(
        self,
        photos: Sequence[bytes],
        profile: "Profile | None" = None,
        together: bool = False,
        game: str = DEFAULT,
    ) -> "list[GameReading]":
        """A reading a photo, in their order; one reading of all if they show the same thing.

        A photo that cannot be decoded has the status ``bad_image``; nothing is raised for it.
        """
        return await self._done(ReadPhotos(tuple(photos), profile, together, game), photos)

    async def overlay(
        self,
        photo: bytes,
        reading: "GameReading",
        marked: Any | None = None,
        kind: PictureKind = "webp",
        game: str = DEFAULT,
    ) -> bytes:
        """The photo with the reading drawn on it, and what a verdict points at."""
        return await self._done(DrawReading(photo, reading, marked, kind, game), [photo])

    async def crop(self, photo: bytes, box: Box) -> bytes:
        """A part of the photo, enlarged, as a WebP file; the box is in pixels of the photo."""
        return await self._done(CropPhoto(photo, box), [photo])

    async def measure(
        self,
        photos: Sequence[bytes],
        name: str,
        sphere_mm: float | None = None,
        game: str = DEFAULT,
    ) -> "tuple[Profile, tuple[str, ...]]":
        """The profile measured from these start photos, and warnings about it."""
        return await self._done(MeasureTray(tuple(photos), name, sphere_mm, game), photos)

    async def do(self, job: Job[T], photos: Sequence[bytes]) -> T:
        """What a job makes of these photos."""
        return await self._done(job, photos)

    async def _done(self, job: Job[T], photos: Sequence[bytes]) -> T:
        try:
            return await self.run(job, sum(map(len, photos)))
        except QueueFull:
            later = str(ceil(_READING_S * (self.waiting + 1) / self._count))
            text = f"Many photos are being read: please try again in {later} s."
            raise Problem(503, "busy", text, headers={"Retry-After": later}) from None
        except BadPhoto as error:
            raise Problem(422, "bad_image", error.text) from error
        except GameRefused as error:
            raise Problem(422, "no_reader", error.text) from error
        except TrayRefused as error:
            why = [{"code": error.code, "text": error.text}]
            raise Problem(422, "tray_refused", error.text, errors=why) from error
        except TooSlow as error:
            text = "Reading took too long and was stopped: take or send a smaller photo."
            raise Problem(422, "took_too_long", text) from error
        except JobFailed as error:
            text = "Two readers in a row broke down at this photo: take another one, or use JPEG."
            raise Problem(422, "breaks_readers", text) from error


def called(reading: "GameReading", photo: str | tuple[str, ...]) -> "GameReading":
    """The reading with its photo called so."""
    named: Any = reading  # every game's reading is a dataclass that names its photo
    renamed: GameReading = replace(named, photo=photo)
    return renamed


def refuse_bad_images(readings: "Sequence[GameReading]") -> None:
    """Raise ``Problem`` if a photo could not be decoded."""
    for reading in readings:
        if reading.status == "bad_image":
            raise Problem(422, "bad_image", reading.message)
