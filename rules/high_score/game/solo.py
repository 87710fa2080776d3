"""Solo games: results against par, and a history of one's own games to play against."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.errors import RulesError
from rules.high_score.challenges import Challenge, standard_deck
from rules.high_score.game.state import Game
from rules.high_score.rulings import Rulings


@dataclass(frozen=True)
class AgainstPar:
    """A result and what the best play expects under the same challenge."""

    challenge: Challenge
    result: int
    par: float

    @property
    def ahead(self) -> float:
        """How much better than par the result is."""
        return self.result - self.par


@dataclass(frozen=True)
class SoloGame:
    """A finished solo game: when, how it was played, what it brought and what par was."""

    at: float
    way: str
    total: int
    par: float

    @property
    def ahead(self) -> float:
        """How much better than par the game was: games with other challenges compare by it."""
        return self.total - self.par


@dataclass(frozen=True)
class Comparison:
    """How a solo game compares with earlier ones played the same way, all by ``ahead``."""

    ahead: float
    place: int
    games: int
    best: float
    average: float


def against_par(game: Game, number: int, player: str) -> AgainstPar:
    """A player's result in a round, against par."""
    from rules.high_score.adviser import par  # noqa: PLC0415 - numpy, only where needed

    result = game.result(number, player)
    return AgainstPar(result.challenge, result.result, par(result.challenge, game.settings.rulings))


def solo_game(game: Game) -> SoloGame:
    """What the history keeps of a finished game for one."""
    if not game.solo or not game.finished:
        raise RulesError(
            "not_solo", "Only a finished game of one player goes into the solo history."
        )
    (player,) = game.settings.players
    rounds = [against_par(game, round_.number, player) for round_ in game.rounds]
    return SoloGame(
        at=game.finished_at or 0.0,
        way=_way(game),
        total=sum(round_.result for round_ in rounds),
        par=sum(round_.par for round_ in rounds),
    )


def _way(game: Game) -> str:
    deck = game.settings.deck
    own = deck is not None and set(map(Challenge.parse, deck)) != set(standard_deck().cards)
    chosen, usual = game.settings.rulings, Rulings()
    changed = [
        f"{name}={getattr(chosen, name)}"
        for name in Rulings.choices()
        if getattr(chosen, name) != getattr(usual, name)
    ]
    return ", ".join(["own deck" if own else "standard deck", *changed])


def compare(game: SoloGame, history: Sequence[SoloGame]) -> Comparison:
    """Place, best and average among all games of the history played the same way, this included."""
    others = [other.ahead for other in history if other.way == game.way and other != game]
    all_games = [*others, game.ahead]
    return Comparison(
        ahead=game.ahead,
        place=1 + sum(ahead > game.ahead for ahead in all_games),
        games=len(all_games),
        best=max(all_games),
        average=sum(all_games) / len(all_games),
    )
