"""Solo games: a history of one's own scores to play against."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.dimension.game.state import Game
from rules.errors import RulesError


@dataclass(frozen=True)
class SoloGame:
    """A finished solo game: when, how it was played, and what it brought."""

    at: float
    way: str
    total: int


@dataclass(frozen=True)
class Comparison:
    """How a solo game compares with earlier ones played the same way."""

    total: int
    place: int
    games: int
    best: int
    average: float


def solo_game(game: Game) -> SoloGame:
    """What the history keeps of a finished game for one."""
    if len(game.settings.players) != 1 or not game.finished:
        raise RulesError(
            "not_solo", "Only a finished game of one player goes into the solo history."
        )
    settings = game.settings
    way = f"{settings.edition}, {settings.cards_per_round} cards"
    for name in sorted(settings.without):
        way += f", without {name}"
    if settings.put_back:
        way += ", contradictions put back"
    return SoloGame(game.finished_at or 0.0, way, game.final()[0].total)


def compare(game: SoloGame, history: Sequence[SoloGame]) -> Comparison:
    """Place, best and average among all games of the history played the same way, this included."""
    totals = [other.total for other in history if other.way == game.way and other != game]
    totals.append(game.total)
    return Comparison(
        total=game.total,
        place=1 + sum(total > game.total for total in totals),
        games=len(totals),
        best=max(totals),
        average=sum(totals) / len(totals),
    )
