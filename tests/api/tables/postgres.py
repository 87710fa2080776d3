"""A PostgreSQL server of the tests' own, thrown away afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def server() -> Iterator[str]:
    """The URL of a running server, less the database's name."""
    programs = binaries()
    assert programs is not None
    # The path of a Unix socket has to be short. PostgreSQL refuses to run as root.
    home = Path(tempfile.mkdtemp(prefix="ts-pg-", dir="/tmp"))
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    if os.getuid() == 0:
        shutil.chown(home, user)
    options = {"user": user} if os.getuid() == 0 else {}
    data = home / "data"
    try:
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "-N"],
            check=True,
            capture_output=True,
            cwd=home,
            **options,  # type: ignore[call-overload]
        )
        settings = f"-k {home} -c listen_addresses= -c fsync=off -c max_connections=200"
        control = [programs / "pg_ctl", "-D", data, "-w", "-l", home / "log"]
        subprocess.run(
            [*control, "-o", settings, "start"],
            check=True,
            capture_output=True,
            cwd=home,
            **options,  # type: ignore[call-overload]
        )
        try:
            yield f"postgresql+psycopg://tests@/{{}}?host={home}"
        finally:
            subprocess.run(
                [*control, "-m", "immediate", "stop"],
                check=True,
                capture_output=True,
                cwd=home,
                **options,  # type: ignore[call-overload]
            )
    finally:
        shutil.rmtree(home, ignore_errors=True)
