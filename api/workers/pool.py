"""A pool of workers behind a bounded queue, for asynchronous callers.

A worker that dies may have been killed by anything: the job it was at is tried once more, in the
worker that replaces it. Each try has the job's whole time and memory, and there are no more than
two. A job that was too slow was stopped by ourselves, and is not tried again.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self, TypeVar

from api.limits.fairness import NOBODY, FairQueue, asking_address
from api.workers.process import Job, JobFailed, JobLimits, JobMistake, Worker, WorkerDied

T = TypeVar("T")

_AGAIN_S = 1.0
"""Between two tries to start a worker."""
_TRIES = 2

_log = logging.getLogger("trayscore.workers")


class QueueFull(Exception):
    """More is waiting already than may wait."""


@dataclass(frozen=True)
class QueueLimits:
    """What may wait for a worker at a time."""

    jobs: int
    bytes: int


@dataclass(frozen=True)
class _Wanted:
    job: Job[Any]
    size: int
    result: "asyncio.Future[Any]"
    tries: int
    """How many are left."""


class WorkerPool:
    """Workers that take jobs from one queue, by turns of the addresses that ask.

    One address may fill half of the queue, so that there is room for others.
    """

    def __init__(
        self,
        count: int,
        prepare: Callable[[], None],
        job: JobLimits,
        queue: QueueLimits,
        tries: int = _TRIES,
    ) -> None:
        self._workers = [Worker(prepare, job) for _ in range(count)]
        self._limits = queue
        self._tries = tries
        self._queue: FairQueue[_Wanted] = FairQueue()
        self._waiting_bytes = 0
        self._ready = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(count, "worker")

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._tend(worker)) for worker in self._workers]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        for worker in self._workers:
            worker.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._queue.empty():
            self._queue.get_nowait().result.cancel()
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
        for worker in self._workers:
            worker.stop()

    @property
    def ready(self) -> int:
        """How many workers can take a job, or are at one."""
        return self._ready

    @property
    def waiting(self) -> int:
        """How many jobs wait for a worker."""
        return self._queue.qsize()

    @property
    def pids(self) -> list[int]:
        """The numbers of the workers' processes."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def run(self, job: Job[T], size: int = 0) -> T:
        """The job's result or exception; ``size`` is what its photos take while it waits.

        Raises ``QueueFull`` at once if too much is waiting already.
        """
        address = asking_address.get()
        full = self._queue.qsize() >= self._limits.jobs
        if address != NOBODY and 2 * self._queue.length_of(address) >= max(2, self._limits.jobs):
            raise QueueFull
        if full or (self.waiting and self._waiting_bytes + size > self._limits.bytes):
            raise QueueFull
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting_bytes += size
        self._queue.put_nowait(_Wanted(job, size, result, self._tries))
        return await result

    async def _tend(self, worker: Worker) -> None:
        """Give a worker one job after the other, as long as the pool is there."""
        again: _Wanted | None = None
        try:
            while True:
                await self._start(worker)
                self._ready += 1
                try:
                    again = await self._feed(worker, again)
                finally:
                    self._ready -= 1
        finally:
            if again is not None:
                again.result.cancel()

    async def _start(self, worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                return await loop.run_in_executor(self._threads, worker.start)
            except (JobFailed, JobMistake, OSError) as error:
                _log.error("a worker did not start: %s", error)
                await asyncio.sleep(_AGAIN_S)

    async def _feed(self, worker: Worker, first: _Wanted | None) -> _Wanted | None:
        """Run jobs until one fails and the worker with it; that one, if it is to be tried again."""
        wanted = first
        while True:
            wanted = wanted or await self._next()
            if not wanted.result.done():  # otherwise whoever asked has gone
                try:
                    await self._run(worker, wanted)
                except WorkerDied as error:
                    if wanted.tries > 1:
                        _log.warning("a worker died, its job is tried again: %s", error)
                        return replace(wanted, tries=wanted.tries - 1)
                    _fail(wanted, error)
                    return None
                except JobFailed as error:
                    _fail(wanted, error)
                    return None
            wanted = None

    async def _next(self) -> _Wanted:
        wanted = await self._queue.get()
        self._waiting_bytes -= wanted.size
        return wanted

    async def _run(self, worker: Worker, wanted: _Wanted) -> None:
        """Run a job for whoever asked; raises ``JobFailed`` if the worker is to be replaced."""
        loop = asyncio.get_running_loop()
        try:
            result = await loop.run_in_executor(self._threads, worker.run, wanted.job)
        except asyncio.CancelledError:  # the pool ends
            wanted.result.cancel()
            raise
        except JobFailed:
            raise
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asked
            if not wanted.result.done():
                wanted.result.set_exception(error)
        else:
            if not wanted.result.done():
                wanted.result.set_result(result)


def _fail(wanted: _Wanted, error: JobFailed) -> None:
    """Tell whoever asked that a job came to nothing."""
    _log.warning("a job failed: %s", error)
    if not wanted.result.done():
        wanted.result.set_exception(error)
