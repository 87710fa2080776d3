"""A pool of workers behind a bounded queue, for asynchronous callers."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from api.fairness import NOBODY, FairQueue, asking_address
from api.workers import Job, JobFailed, JobLimits, JobMistake, Worker

T = TypeVar("T")

_AGAIN_S = 1.0
"""Between two tries to start a worker."""

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


class WorkerPool:
    """Workers that take jobs from one queue, by turns of the addresses that ask.

    One address may fill half of the queue, so that there is room for others.
    """

    def __init__(
        self, count: int, prepare: Callable[[], None], job: JobLimits, queue: QueueLimits
    ) -> None:
        self._workers = [Worker(prepare, job) for _ in range(count)]
        self._limits = queue
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
        self._queue.put_nowait(_Wanted(job, size, result))
        return await result

    async def _tend(self, worker: Worker) -> None:
        """Give a worker one job after the other, as long as the pool is there."""
        while True:
            await self._start(worker)
            self._ready += 1
            try:
                await self._feed(worker)
            finally:
                self._ready -= 1

    async def _start(self, worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                return await loop.run_in_executor(self._threads, worker.start)
            except (JobFailed, JobMistake, OSError) as error:
                _log.error("a worker did not start: %s", error)
                await asyncio.sleep(_AGAIN_S)

    async def _feed(self, worker: Worker) -> None:
        """Run jobs until one fails and the worker with it."""
        loop = asyncio.get_running_loop()
        while True:
            wanted = await self._queue.get()
            self._waiting_bytes -= wanted.size
            if wanted.result.done():  # whoever asked has gone
                continue
            try:
                result = await loop.run_in_executor(self._threads, worker.run, wanted.job)
            except Exception as error:  # noqa: BLE001 - it belongs to whoever asked
                if not wanted.result.done():
                    wanted.result.set_exception(error)
                if isinstance(error, JobFailed):
                    _log.warning("a job failed: %s", error)
                    return
            else:
                if not wanted.result.done():
                    wanted.result.set_result(result)
