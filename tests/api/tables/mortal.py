"""A service in a process of its own, to be killed: ``python -m tests.api.tables.mortal DIR PORT``.

Its readers see in each photo one of three layouts, whichever its bytes say.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import uvicorn

from api.storage.store import Store
from tests.api.tables.house import A, B, C, MadeUpReaders, made_up_app
from tests.vision.dimension.readings import make_reading
from vision.dimension.reading import Reading

READINGS = [make_reading(layout) for layout in (A, B, C)]


class SteadyReaders(MadeUpReaders):
    """Readers whose answers need not be told."""

    async def read(
        self,
        photos: Sequence[bytes],
        _tray: object = None,
        same_tray: bool = False,  # noqa: ARG002
        _game: str = "",
    ) -> list[Reading]:
        """A layout that depends on the last photo's bytes only."""
        names = tuple(sha256(content).hexdigest() for content in photos)
        return [replace(READINGS[int(names[-1], 16) % 3], photo=names)]


def main() -> None:
    """Serve until killed."""
    store = Store(Path(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else None)
    app = made_up_app(store, SteadyReaders(), time.time)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error")


if __name__ == "__main__":
    main()
