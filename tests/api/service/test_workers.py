"""Worker processes: whatever a job does, the service lives on."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from api.workers.pool import QueueFull, QueueLimits, WorkerPool
from api.workers.process import ForeseenError, JobLimits, JobMistake, TooSlow, Worker, WorkerDied
from tests.api.service import jobs

PLENTY = QueueLimits(jobs=100, bytes=10**9)


def pooled(
    test: Callable[[WorkerPool], Awaitable[None]],
    limits: JobLimits | None = None,
    queue: QueueLimits = PLENTY,
    count: int = 1,
) -> None:
    async def run() -> None:
        job = limits or JobLimits(seconds=30, memory_mb=500)
        async with WorkerPool(count, jobs.nothing, job, queue) as pool:
            await test(pool)

    asyncio.run(asyncio.wait_for(run(), 60))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def test_jobs_run_in_another_process_that_stays() -> None:
    async def test(pool: WorkerPool) -> None:
        first, second = await pool.run(jobs.Pid()), await pool.run(jobs.Pid())
        assert first == second == pool.pids[0] != os.getpid()
        assert (pool.ready, pool.waiting) == (1, 0)

    pooled(test)


def test_what_a_job_refuses_and_what_nobody_foresaw() -> None:
    async def test(pool: WorkerPool) -> None:
        pid = await pool.run(jobs.Pid())
        with pytest.raises(ForeseenError, match="not this one"):
            await pool.run(jobs.Refuse())
        with pytest.raises(JobMistake, match=r"(?s)Traceback.*nobody thought of this"):
            await pool.run(jobs.Stumble())
        assert await pool.run(jobs.Pid()) == pid

    pooled(test)


def test_a_job_that_takes_too_long_is_stopped_and_the_next_one_runs() -> None:
    async def test(pool: WorkerPool) -> None:
        pid = await pool.run(jobs.Pid())
        with pytest.raises(TooSlow):
            await pool.run(jobs.Sleep(60))
        assert await pool.run(jobs.Pid()) != pid
        assert await pool.run(jobs.PatientSleep(0.6)) == 0.6  # some kinds of jobs may take longer

    pooled(test, JobLimits(seconds=0.5, memory_mb=500))


def test_a_worker_that_dies_is_replaced() -> None:
    async def test(pool: WorkerPool) -> None:
        with pytest.raises(WorkerDied):
            await pool.run(jobs.Die())
        pid = await pool.run(jobs.Pid())
        os.kill(pid, signal.SIGKILL)  # while it has nothing to do
        await until(lambda: " Z " in Path(f"/proc/{pid}/stat").read_text("ascii"))
        assert await pool.run(jobs.Pid()) != pid

    pooled(test)


def test_the_job_of_a_killed_worker_is_tried_once_more_in_a_fresh_one(tmp_path: Path) -> None:
    async def test(pool: WorkerPool) -> None:
        first = await pool.run(jobs.Pid())
        assert await pool.run(jobs.DieAtFirst(tmp_path, 1)) == 2
        pids = {int(mark.name) for mark in tmp_path.iterdir()}
        assert first in pids
        assert len(pids) == 2
        assert await pool.run(jobs.Pid()) in pids - {first}

    pooled(test)


def test_a_job_that_kills_two_workers_is_not_tried_again(tmp_path: Path) -> None:
    async def test(pool: WorkerPool) -> None:
        waiting = asyncio.create_task(pool.run(jobs.DieAtFirst(tmp_path, 9)))
        others = [asyncio.create_task(pool.run(jobs.Pid())) for _ in range(3)]
        with pytest.raises(WorkerDied):
            await waiting
        assert len(list(tmp_path.iterdir())) == 2
        assert len(set(await asyncio.gather(*others))) == 1  # nobody else comes to harm

    pooled(test)


def test_a_job_without_memory_has_all_of_it_in_a_second_try(tmp_path: Path) -> None:
    async def test(pool: WorkerPool) -> None:
        assert await pool.run(jobs.DieAtFirst(tmp_path, 1, hog_mb=800)) == 2

    pooled(test)


def test_a_job_that_is_too_slow_is_not_tried_again(tmp_path: Path) -> None:
    async def test(pool: WorkerPool) -> None:
        await until(lambda: pool.ready == 1)
        begun = time.monotonic()
        with pytest.raises(TooSlow):
            await pool.run(jobs.Sleep(60))
        assert time.monotonic() - begun < 1.4

    pooled(test, JobLimits(seconds=0.8, memory_mb=500))


def test_a_pool_that_ends_lets_nobody_wait_for_a_second_try(tmp_path: Path) -> None:
    async def test(pool: WorkerPool) -> None:
        waiting = asyncio.create_task(pool.run(jobs.DieAtFirst(tmp_path, 1)))
        await until(lambda: any(tmp_path.iterdir()))
        await pool.__aexit__(None, None, None)
        await asyncio.wait([waiting], timeout=20)
        assert waiting.done()

    pooled(test)


def test_memory_is_limited() -> None:
    async def test(pool: WorkerPool) -> None:
        assert await pool.run(jobs.Hog(60)) == 60_000_000
        with pytest.raises(WorkerDied):
            await pool.run(jobs.Hog(400))
        assert await pool.run(jobs.Hog(60)) == 60_000_000

    pooled(test, JobLimits(seconds=30, memory_mb=300))


def test_the_queue_is_bounded_in_jobs_and_in_bytes() -> None:
    async def test(pool: WorkerPool) -> None:
        running = asyncio.create_task(pool.run(jobs.Sleep(0.5), 10**9))  # alone, it may be large
        await until(lambda: pool.ready == 1 and pool.waiting == 0)
        waiting = [asyncio.create_task(pool.run(jobs.Pid(), 400)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await pool.run(jobs.Pid(), 400)  # too many bytes
        waiting.append(asyncio.create_task(pool.run(jobs.Pid(), 1)))
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await pool.run(jobs.Pid())  # too many jobs
        assert not running.done()  # they were refused at once
        assert await running == 0.5
        await asyncio.gather(*waiting)
        assert await pool.run(jobs.Pid(), 900)

    pooled(test, queue=QueueLimits(jobs=3, bytes=1000))


def test_what_nobody_waits_for_any_more_is_not_done(tmp_path: Path) -> None:
    async def test(pool: WorkerPool) -> None:
        running = asyncio.create_task(pool.run(jobs.Sleep(0.3)))
        await asyncio.sleep(0)
        given_up = asyncio.create_task(pool.run(jobs.Touch(tmp_path / "given-up")))
        wanted = asyncio.create_task(pool.run(jobs.Touch(tmp_path / "wanted")))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(running, wanted)
        assert [file.name for file in tmp_path.iterdir()] == ["wanted"]

    pooled(test)


def test_several_workers_share_the_queue() -> None:
    async def test(pool: WorkerPool) -> None:
        await until(lambda: pool.ready == 2)
        begun = time.monotonic()
        await asyncio.gather(*(pool.run(jobs.Sleep(0.4)) for _ in range(4)))
        assert time.monotonic() - begun < 1.5
        assert len(set(pool.pids)) == 2

    pooled(test, count=2)


def test_a_pool_that_ends_takes_its_workers_along() -> None:
    pids = []

    async def test(pool: WorkerPool) -> None:
        pids.append(await pool.run(jobs.Pid()))
        task = asyncio.create_task(pool.run(jobs.Sleep(60)))
        await asyncio.sleep(0.1)
        task.cancel()

    begun = time.monotonic()
    pooled(test)
    assert time.monotonic() - begun < 20
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_worker_that_cannot_be_prepared_says_why() -> None:
    worker = Worker(jobs.mistaken, JobLimits(1, 500))
    with pytest.raises(JobMistake, match="a model is missing"):
        worker.start()
    assert worker.pid is None
