"""Asks the command line many questions at once."""

import json
import subprocess
import sys
from typing import Any


def answers(arguments: list[str], lines: list[bytes]) -> list[dict[str, Any]]:
    """The answers to a question a line."""
    done = subprocess.run(
        [sys.executable, "-m", "api.cli", *arguments],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]
