"""Jobs for worker processes that do what photos do at their worst."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from api.workers.process import ForeseenError


def nothing() -> None:
    """A worker that needs no preparing."""


def mistaken() -> None:
    """A worker that cannot be prepared."""
    raise KeyError("a model is missing")


@dataclass(frozen=True)
class Job:
    patience: ClassVar[float] = 1.0


@dataclass(frozen=True)
class Pid(Job):
    def run(self) -> int:
        return os.getpid()


@dataclass(frozen=True)
class Sleep(Job):
    seconds: float

    def run(self) -> float:
        time.sleep(self.seconds)
        return self.seconds


@dataclass(frozen=True)
class PatientSleep(Sleep):
    patience: ClassVar[float] = 50.0


@dataclass(frozen=True)
class Die(Job):
    def run(self) -> None:
        os._exit(1)


@dataclass(frozen=True)
class DieAtFirst(Job):
    """Dies so often, then does what it should; leaves a mark for each try."""

    marks: Path
    deaths: int
    hog_mb: int = 0

    def run(self) -> int:
        tries = len(list(self.marks.iterdir()))
        (self.marks / str(os.getpid())).touch()
        if tries >= self.deaths:
            return tries + 1
        if self.hog_mb:
            return len(bytearray(self.hog_mb * 1_000_000))
        os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does when memory is short
        return 0


@dataclass(frozen=True)
class Hog(Job):
    megabytes: int

    def run(self) -> int:
        return len(bytearray(self.megabytes * 1_000_000))


@dataclass(frozen=True)
class Refuse(Job):
    def run(self) -> None:
        raise ForeseenError("not this one")


@dataclass(frozen=True)
class Stumble(Job):
    def run(self) -> None:
        raise ZeroDivisionError("nobody thought of this")


@dataclass(frozen=True)
class Touch(Job):
    """Leaves a mark that it was run."""

    file: Path

    def run(self) -> None:
        self.file.touch()
