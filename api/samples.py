"""Sample photos that come with the program, for trying it without a tray at hand."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

_FOLDER = files("api") / "data" / "samples"


@cache
def samples() -> tuple[dict[str, Any], ...]:
    """What each sample shows, with cards that go with it."""
    return tuple(json.loads((_FOLDER / "samples.json").read_text("utf-8"))["samples"])


def sample_photo(name: str) -> bytes:
    """The content of a sample's file; raises ``KeyError`` if there is no sample of this name."""
    if name not in {sample["name"] for sample in samples()}:
        raise KeyError(name)
    return (_FOLDER / name).read_bytes()
