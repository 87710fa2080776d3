"""What processes take of the machine, so that tests of time can tell it from what others take."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Used:
    """What a process has taken, and how long its threads stood in line for a core, in seconds."""

    cpu_s: float
    queued_s: float

    @classmethod
    def by(cls, pid: int) -> "Used":
        """What the process has taken until now.

        Of threads that have ended, only the processor's time is known, and that to 10 ms.
        """
        ticks = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
        ticked = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        lines = [file.read_text("ascii") for file in Path(f"/proc/{pid}/task").glob("*/schedstat")]
        ran, queued = (sum(int(line.split()[i]) for line in lines) / 1e9 for i in (0, 1))
        return cls(max(ran, ticked), queued)

    def since(self, before: "Used") -> "Used":
        """What it took since then."""
        return Used(self.cpu_s - before.cpu_s, self.queued_s - before.queued_s)


def children(pid: int) -> list[int]:
    """The numbers of the processes that a process has started."""
    by_thread = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in by_thread for child in file.read_text("ascii").split()]
