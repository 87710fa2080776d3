"""A PostgreSQL server of the tests' own, thrown away afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

MISSING = (
    "PostgreSQL is not installed, so the tables were NOT tested on it: "
    "apt-get install postgresql, then run again."
)


def binaries() -> Path | None:
    """Where initdb and postgres are."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists()), None)


@dataclass(frozen=True)
class Server:
    """A server that can be stopped and started again. PostgreSQL refuses to run as root."""

    home: Path
    programs: Path
    user: str

    @property
    def url(self) -> str:
        """The URL, less the database's name."""
        return f"postgresql+psycopg://tests@/{{}}?host={self.home}"

    def make(self) -> None:
        """Make its data."""
        settings = ["-U", "tests", "-A", "trust", "-E", "UTF8", "-N"]
        self._run("initdb", "-D", str(self.home / "data"), *settings)

    def start(self) -> None:
        """Have it run."""
        settings = f"-k {self.home} -c listen_addresses= -c fsync=off -c max_connections=200"
        self._control("-o", settings, "start")

    def stop(self) -> None:
        """End it at once, whoever is connected."""
        self._control("-m", "immediate", "stop")

    def _control(self, *asked: str) -> None:
        data, log = str(self.home / "data"), str(self.home / "log")
        self._run("pg_ctl", "-D", data, "-w", "-l", log, *asked)

    def _run(self, program: str, *asked: str) -> None:
        options = {"user": self.user} if os.getuid() == 0 else {}
        subprocess.run(
            [self.programs / program, *asked],
            check=True,
            capture_output=True,
            cwd=self.home,
            **options,  # type: ignore[call-overload]
        )


@contextmanager
def mortal_server() -> Iterator[Server]:
    """A running server, thrown away in the end, whether it runs then or not."""
    programs = binaries()
    assert programs is not None
    home = Path(tempfile.mkdtemp(prefix="ts-pg-", dir="/tmp"))  # a Unix socket's path is short
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    if os.getuid() == 0:
        shutil.chown(home, user)
    made = Server(home, programs, user)
    try:
        made.make()
        made.start()
        try:
            yield made
        finally:
            if (home / "data/postmaster.pid").exists():
                made.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def server() -> Iterator[str]:
    """The URL of a running server, less the database's name."""
    with mortal_server() as running:
        yield running.url
