"""Which program, models and profiles answer: evidence names them, so that it can be repeated."""

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

_DIGITS = 12
_MODELS = (".npz", ".onnx", ".json")


def program_version() -> str:
    """This program's version, which is written down in ``pyproject.toml`` and nowhere else."""
    return version("trayscore")


@cache
def versions() -> dict[str, Any]:
    """The program's version, and short hashes of its models and of the standard deck."""
    models = [
        file
        for file in (files("vision.dimension") / "data").iterdir()
        if file.name.endswith(_MODELS)
    ]
    return {
        "program": program_version(),
        "models": {
            file.name: short_hash(file.read_bytes())
            for file in sorted(models, key=lambda file: file.name)
        },
        "deck": short_hash(files("rules.dimension").joinpath("data/deck.json").read_bytes()),
    }


def short_hash(content: bytes) -> str:
    """The first digits of a content's SHA-256."""
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
