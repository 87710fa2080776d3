"""Registry of the kinds of profiles, each loaded when it is first asked for."""

from collections.abc import Callable
from typing import Any

from calibration.profile_files import ProfileError, ProfileKind, ProfileProblem


def _trays() -> ProfileKind[Any]:
    from calibration.dimension.profile import TRAYS  # noqa: PLC0415

    return TRAYS


def _dice() -> ProfileKind[Any]:
    from calibration.high_score.profile import DICE  # noqa: PLC0415

    return DICE


def _boards() -> ProfileKind[Any]:
    from calibration.cube.profile import BOARDS  # noqa: PLC0415

    return BOARDS


def _decks() -> ProfileKind[Any]:
    from calibration.cards.profile import DECKS  # noqa: PLC0415

    return DECKS


_KINDS: dict[str, Callable[[], ProfileKind[Any]]] = {
    "tray": _trays,
    "dice": _dice,
    "board": _boards,
    "cards": _decks,
}

KINDS: tuple[str, ...] = tuple(_KINDS)
"""What there are profiles of."""


def profile_kind(name: str) -> ProfileKind[Any]:
    """The profiles of this kind; raises ``ProfileError`` if there is none."""
    chosen = _KINDS.get(name)
    if chosen is None:
        text = f"There are no profiles of kind {name!r}. Kinds: {', '.join(KINDS)}."
        raise ProfileError([ProfileProblem("kind", text)])
    return chosen()
