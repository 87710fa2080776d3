"""``trayscore serve`` as a process of its own."""

import json
import os
import re
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = (sys.executable, "-m", "api.cli")


@dataclass
class Served:
    """A running service: its process, where it is, and how long it took to answer."""

    process: "subprocess.Popen[str]"
    address: str
    announced: str
    seconds: float
    log: Path

    def get(self, path: str, trust: Path | None = None) -> Any:
        """The JSON at a path; ``trust`` is the authority to trust."""
        context = None if trust is None else ssl.create_default_context(cafile=str(trust))
        with urllib.request.urlopen(self.address + path, timeout=30, context=context) as answer:
            return json.load(answer)

    def log_lines(self) -> list[dict[str, Any]]:
        """What it has logged so far; fails unless each line is JSON."""
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]


@contextmanager
def serving(
    folder: Path, *options: str, program: tuple[str, ...] = HERE, **environment: str
) -> Iterator[Served]:
    """Run ``trayscore serve`` at a free port of this computer until the test has done with it."""
    log = folder / "log"
    begun = time.monotonic()
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*program, "serve", "--port", "0", "--data", str(folder)]
            + ([] if "--host" in options else ["--host", "127.0.0.1"])
            + list(options),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=folder if program != HERE else None,
            env={**os.environ, "TRAYSCORE_WORKERS": "1", **environment},
        )
    try:
        announced = _announcement(process)
        where = re.search(r"(https?)://localhost:(\d+)", announced)
        assert where, f"{announced}\n{log.read_text('utf-8')}"
        address = f"{where[1]}://127.0.0.1:{where[2]}"
        yield Served(process, address, announced, time.monotonic() - begun, log)
    finally:
        process.kill()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def _announcement(process: "subprocess.Popen[str]") -> str:
    """What it prints until it says how to stop it."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C stops" in line:
            break
    return "".join(lines)
