"""Worker processes: jobs run where they can neither block the service nor bring it down.

A job is a small picklable value with ``run()``. A worker runs one at a time, within a time and a
memory limit; one that is too slow or dies is replaced by a fresh one. Processes are spawned, not
forked: OpenCV's threads do not survive a fork.
"""

import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol, TypeVar

_SPAWN = get_context("spawn")
_START_S = 60.0
"""A worker that is not ready by then never will be."""
_STOP_S = 2.0

T_co = TypeVar("T_co", covariant=True)


class Job(Protocol[T_co]):
    """Something for a worker to do; it and its result travel between processes."""

    @property
    def patience(self) -> float:
        """How many times longer than usual it may take."""
        ...

    def run(self) -> T_co:
        """The job's result. Known exceptions go back to whoever asked."""
        ...


@dataclass(frozen=True)
class JobLimits:
    """What one job may take."""

    seconds: float
    memory_mb: int
    """Beyond what the worker holds when it is ready. Only Linux keeps to it."""


class JobFailed(Exception):
    """A job that did not come to an end of its own."""


class TooSlow(JobFailed):
    """The job took longer than it may, and was stopped."""


class WorkerDied(JobFailed):
    """The worker died of the job: a decoder's crash, or too much memory."""


class JobMistake(Exception):
    """An exception nobody foresaw; the text is the worker's traceback."""


class Worker:
    """A process that runs jobs. Its methods block: call them in a thread."""

    def __init__(self, prepare: Callable[[], None], limits: JobLimits) -> None:
        self._prepare = prepare
        self._limits = limits
        self._process: Any = None  # typeshed has no name for a spawned process
        self._pipe: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process's number, while there is one."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Have a process that is ready for jobs, if there is none yet."""
        if self._process is not None and self._process.is_alive():
            return
        self.stop()
        self._pipe, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=_serve,
            args=(theirs, self._prepare, self._limits.memory_mb),
            name="trayscore-worker",
            daemon=True,
        )
        process.start()
        theirs.close()
        self._process = process  # only now: what was not started cannot be killed
        if self._closed:
            self.close()
        ready, mistake = self._receive(_START_S)
        if not ready:
            self.stop()
            raise mistake

    def run(self, job: Job[T_co]) -> T_co:
        """The job's result, or the exception it raised; ``JobFailed`` if there is neither."""
        self.start()
        assert self._pipe is not None
        try:
            self._pipe.send(job)
        except (BrokenPipeError, ConnectionResetError) as error:
            self.stop()
            raise WorkerDied("the worker had died before the job") from error
        done, value = self._receive(self._limits.seconds * job.patience)
        if isinstance(value, WorkerDied):  # it lives, but what it still holds nobody knows
            self.stop()
        if not done:
            raise value
        result: T_co = value
        return result

    def close(self) -> None:
        """End the process for good; a thread that waits for it sees it die. Does not block."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def stop(self) -> None:
        """End the process, whatever it is doing. The next job starts another."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(_STOP_S)
        self._pipe = self._process = None

    def _receive(self, seconds: float) -> tuple[bool, Any]:
        assert self._pipe is not None
        try:
            if not self._pipe.poll(seconds):
                self.stop()
                raise TooSlow(f"stopped after {seconds:g} s")
            answer: tuple[bool, Any] = self._pipe.recv()
        except (EOFError, ConnectionResetError) as error:
            self.stop()
            raise WorkerDied("the worker died") from error
        return answer


def _serve(pipe: Connection, prepare: Callable[[], None], memory_mb: int) -> None:
    """What a worker does all its life. It ends when the service does, killed or not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches us too; the service decides
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"  # the workers share the cores already
    with suppress(OSError, AttributeError):
        os.nice(5)  # the service answers first
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        pipe.send(_prepared(prepare))
        limit_memory(memory_mb)
        while True:
            job: Job[object] = pipe.recv()
            pipe.send(_outcome(job))
            del job  # photos need not stay until the next one comes


def _prepared(prepare: Callable[[], None]) -> tuple[bool, object]:
    try:
        prepare()
    except Exception:  # noqa: BLE001 - the service logs it, whatever it is
        return False, JobMistake(traceback.format_exc())
    return True, None


def _outcome(job: Job[object]) -> tuple[bool, object]:
    try:
        return True, job.run()
    except MemoryError:
        return False, WorkerDied("the job took too much memory")
    except Exception as error:  # noqa: BLE001 - a worker outlives whatever a job raises
        if isinstance(error, ForeseenError):
            return False, error
        return False, JobMistake(traceback.format_exc())


class ForeseenError(Exception):
    """What a job raises for its caller to see; made of one text, so that it travels."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def limit_memory(extra_mb: int) -> None:
    """Let this process take only so much memory more than it has now.

    Its address space is limited, which on Linux is what allocations come from; relative to what
    it is now, for libraries reserve much more than they use.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (ImportError, OSError):
        return
    most = pages * resource.getpagesize() + extra_mb * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
