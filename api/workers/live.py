"""Live cameras: frames in, light readings out; each camera sticks to one worker process."""

import secrets
from collections import Counter
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Self

from api.problems import Problem
from api.settings import Settings
from api.workers.jobs import ForgetCamera, Json, TrackFrame, warm_up
from api.workers.pool import QueueFull, QueueLimits, WorkerPool
from api.workers.process import JobFailed, JobLimits
from rules.games import DEFAULT

if TYPE_CHECKING:
    from calibration.profile_files import Profile


class Camera:
    """A live camera that a worker follows."""

    def __init__(self, pool: WorkerPool, profile: "Profile | None", game: str) -> None:
        self.name = secrets.token_hex(8)
        self.pool = pool
        self._profile = profile
        self._game = game

    async def frame(self, content: bytes) -> Json | None:
        """What a frame shows; None if there was no time for it or nothing to be had from it."""
        try:
            frame = TrackFrame(self.name, content, self._profile, self._game)
            return await self.pool.run(frame, len(content))
        except (QueueFull, JobFailed):
            return None

    async def forget(self) -> None:
        """Have the worker forget what it knows of the camera."""
        with suppress(QueueFull, JobFailed):
            await self.pool.run(ForgetCamera(self.name))


class LivePool:
    """Workers for live cameras; they are started when the first one comes."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.live_connections
        limits = JobLimits(settings.reading_timeout_s, settings.reading_memory_mb)
        queue = QueueLimits(2 * self._most, int(self._most * settings.frame_kb * 1e3))
        # A frame is out of date before a fresh worker is warm, so it is tried once only.
        self._pools = [
            WorkerPool(1, warm_up, limits, queue, tries=1) for _ in range(settings.live_workers)
        ]
        self._running: set[WorkerPool] = set()
        self._following: Counter[WorkerPool] = Counter()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    @property
    def cameras(self) -> int:
        """How many cameras are followed."""
        return self._following.total()

    async def open(self, profile: "Profile | None" = None, game: str = DEFAULT) -> Camera:
        """Follow a further camera; raises ``Problem`` if there are too many."""
        if self.cameras >= self._most:
            text = f"{self._most} cameras are live already: take a photo instead."
            raise Problem(503, "busy", text)
        pool = min(self._pools, key=lambda pool: self._following[pool])
        self._following[pool] += 1
        if pool not in self._running:
            self._running.add(pool)
            await self._stack.enter_async_context(pool)
        return Camera(pool, profile, game)

    async def close(self, camera: Camera) -> None:
        """Follow a camera no more."""
        self._following[camera.pool] -= 1
        await camera.forget()
