"""The readers that there are, one a game, each loaded when it is first asked for."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from rules.errors import RulesError
from rules.games import DEFAULT

Source = bytes | str | Path
"""A photo: its content, or its file."""


class GameReading(Protocol):
    """What photos show, whatever the game: a value that prints as one JSON object."""

    @property
    def status(self) -> str:
        """``certain``, ``uncertain``, or why there is nothing to read."""

    @property
    def message(self) -> str:
        """For people: what is unsure and what to do about it."""

    def to_json(self) -> dict[str, Any]:
        """The reading as decoded JSON."""


class GameReader(Protocol):
    """Reads photos of one game. Whatever they hold, there is a reading; nothing is raised."""

    def read(self, source: Source) -> GameReading:
        """What one photo shows."""

    def read_together(self, sources: Sequence[Source]) -> GameReading:
        """What several photos of one thing that nobody touched in between show together."""


MakeReader = Callable[[Sequence[Any]], GameReader]
"""Makes a reader of photos by these profiles; without any, by the built-in ones."""


def _dimension() -> MakeReader:
    from vision.dimension.reader import Reader  # noqa: PLC0415 - OpenCV takes its time to load

    return Reader


def _high_score() -> MakeReader:
    from vision.high_score.reader import Reader  # noqa: PLC0415

    return Reader


def _cube() -> MakeReader:
    from vision.cube.reader import Reader  # noqa: PLC0415

    return Reader


_READERS: dict[str, Callable[[], MakeReader]] = {
    "dimension": _dimension,
    "high_score": _high_score,
    "cube": _cube,
}


def can_read(game: str) -> bool:
    """Whether there is a reader of a game's photos."""
    return game in _READERS


def reader(game: str = DEFAULT, profiles: Sequence[Any] = ()) -> GameReader:
    """The reader of a game's photos; raises ``RulesError`` if that game has none."""
    chosen = _READERS.get(game)
    if chosen is None:
        known = ", ".join(_READERS)
        raise RulesError("bad_game", f"Photos of {game!r} cannot be read. Games: {known}.")
    return chosen()(profiles)
