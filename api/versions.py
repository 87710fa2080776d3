"""Which program, models and profiles answer: evidence names them, so that it can be repeated."""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rules.games import DEFAULT

_DIGITS = 12
_MODELS = (".npz", ".onnx", ".json")
_PACKAGES = ("rules", "calibration", "vision", "api")


def program_version() -> str:
    """This program's version, which is written down in ``pyproject.toml`` and nowhere else."""
    return version("trayscore")


@cache
def versions(game: str = DEFAULT) -> dict[str, Any]:
    """The program's version, and short hashes of a game's models and of its standard deck."""
    deck = files("rules") / game / "data" / "deck.json"
    folder = files("vision") / game / "data"
    models = [
        file
        for file in (folder.iterdir() if folder.is_dir() else ())
        if file.name.endswith(_MODELS)
    ]
    return {
        "program": program_version(),
        "models": {
            file.name: short_hash(file.read_bytes())
            for file in sorted(models, key=lambda file: file.name)
        },
        "deck": short_hash(deck.read_bytes()) if deck.is_file() else "",
    }


@cache
def program() -> dict[str, str]:
    """The program that writes histories: its version, and a short hash of all its code.

    Between two releases the version stays as it is, though the program says things differently.
    """
    code = hashlib.sha256()
    for package in _PACKAGES:
        for name, file in sorted(_sources(files(package), package)):
            code.update(f"{name}\n".encode() + file.read_bytes())
    return {"version": program_version(), "code": code.hexdigest()[:_DIGITS]}


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """All modules under a folder, each with its path."""
    for one in folder.iterdir():
        name = f"{path}/{one.name}"
        if one.is_dir():
            yield from _sources(one, name)
        elif one.name.endswith(".py"):
            yield name, one


def short_hash(content: bytes) -> str:
    """The first digits of a content's SHA-256."""
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
