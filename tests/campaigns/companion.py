"""A process beside the service, with processors of its own as phones and watchers have them."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self


class Companion:
    """A module run as ``python -m MODULE PLAN.json``.

    It says ``ready`` once it can begin, is told one line, and answers with one.
    """

    def __init__(self, module: str, plan: Mapping[str, Any], file: Path) -> None:
        """``file`` is where its plan is written for it to read."""
        file.write_text(json.dumps(plan))
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def asked(self, wish: str) -> Any:
        """What it answers to this line, which is JSON."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{wish}\n")
        self._process.stdin.flush()
        return json.loads(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def __enter__(self) -> Self:
        assert self._line() == "ready\n"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()
