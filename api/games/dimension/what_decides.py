"""What a disputed verdict hangs on, and which view would settle it."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.games.dimension.doubts import doubt
from rules.dimension.cards import Card, exactly_siblings
from rules.dimension.game import Game
from vision.dimension.reading import Reading
from vision.dimension.reporting.viewpoint import better_view

_NO_PHOTO = "No photo was taken of this tray. If it is untouched, add one."
_LOOK = "No other view shows much more: please look at the tray."


def what_it_hangs_on(
    game: Game, about: Mapping[str, Any], reading: Reading | None
) -> dict[str, Any]:
    """``doubt``, ``hangs_on`` and ``advice`` for a dispute about a card or a seat of a tray.

    ``about`` has ``round``, ``player``, ``card`` and ``seat``.
    """
    round_ = game.rounds[about["round"] - 1]
    if reading is None or reading.layout is None:
        seats = _pointed_at(game, about)
        return {"doubt": None, "hangs_on": list(seats), "advice": _NO_PHOTO}
    worth = doubt(reading, round_.cards, game.edition, game.settings.rulings)
    seats = _decisive(game, about, reading) or _pointed_at(game, about)
    return {"doubt": worth.to_json(), "hangs_on": list(seats), "advice": _advice(reading, seats)}


def _decisive(game: Game, about: Mapping[str, Any], reading: Reading) -> Sequence[str]:
    """The seats whose colour decides about the card, among the layouts that are possible."""
    if about["card"] is None:
        return (about["seat"],)
    cards = game.rounds[about["round"] - 1].cards
    card = Card.parse(about["card"])
    alone = (card, *exactly_siblings(card, cards))
    return doubt(reading, alone, game.edition, game.settings.rulings).decisive


def _pointed_at(game: Game, about: Mapping[str, Any]) -> Sequence[str]:
    """The disputed seat, or those that the card's verdict points at."""
    if about["card"] is None:
        return (about["seat"],)
    score = game.score(about["round"], about["player"])
    return next(verdict.seats for verdict in score.verdicts if str(verdict.card) == about["card"])


def _advice(reading: Reading, seats: Sequence[str]) -> str:
    hint = better_view(reading, seats[:2]) or better_view(reading, seats[:1])
    return _LOOK if hint is None else f"To settle it, {hint.text}."
