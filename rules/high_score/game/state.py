"""A table at one moment: what has been revealed and rolled, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType

from rules.high_score.board import Chip, Piece, awarded, moved
from rules.high_score.challenges import ROUNDS, Challenge
from rules.high_score.dice import Dice
from rules.high_score.game.events import SetUp
from rules.high_score.moments import Moment
from rules.high_score.rulings import Rulings
from rules.high_score.scoring import Result, score
from rules.playing import IllegalMove


@dataclass(frozen=True)
class Turn:
    """A player's turn: the rolls that were told, and the final dice once they are in."""

    rolls: tuple[Moment, ...] = ()
    dice: Dice | None = None
    at: float = 0.0
    corrections: tuple[tuple[Dice, str], ...] = ()


@dataclass(frozen=True)
class Round:
    """One round: its challenge, the players in the order of their turns, the turns so far."""

    number: int
    challenge: Challenge
    order: tuple[str, ...]
    turns: Mapping[str, Turn] = field(default_factory=lambda: MappingProxyType({}))
    closed: bool = False

    @property
    def starter(self) -> str:
        """Who had the first turn."""
        return self.order[0]

    def turn(self, player: str) -> Turn:
        """A player's turn; an empty one if it has not begun."""
        return self.turns.get(player, Turn())

    @property
    def done(self) -> tuple[str, ...]:
        """The players whose dice are in, in the order of their turns."""
        return tuple(player for player in self.order if self.turn(player).dice is not None)

    @property
    def whose_turn(self) -> str | None:
        """Who is to roll now; ``None`` when all dice are in."""
        return next((player for player in self.order if self.turn(player).dice is None), None)


@dataclass(frozen=True)
class Standing:
    """A player's chips."""

    gold: int = 0
    silver: int = 0
    bronze: int = 0

    @property
    def points(self) -> int:
        """What the chips are worth."""
        return sum(chip.points * getattr(self, chip) for chip in Chip)

    @property
    def rank(self) -> tuple[int, int, int]:
        """What decides between players: points, then gold, then silver."""
        return self.points, self.gold, self.silver

    def with_chip(self, chip: Chip | None) -> "Standing":
        """The standing after a chip was won, or none."""
        counts = {own: getattr(self, own) + (own is chip) for own in Chip}
        return Standing(**{str(own): count for own, count in counts.items()})


@dataclass(frozen=True)
class FinalScore:
    """A player's end of the game; players who share a place share the win or the rank."""

    player: str
    standing: Standing
    place: int

    @property
    def points(self) -> int:
        """What the player's chips are worth."""
        return self.standing.points


@lru_cache(maxsize=4096)
def _score(dice: Dice, challenge: Challenge, rulings: Rulings) -> Result:
    """A result, remembered: every state of a game asks for those of all its rounds again."""
    return score(dice, challenge, rulings)


@dataclass(frozen=True)
class Game:
    """The state of a table. Everything derived from dice is computed, so it is never stale."""

    settings: SetUp
    pile: tuple[Challenge, ...]
    rounds: tuple[Round, ...] = ()
    finished_at: float | None = None

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.finished_at is not None

    @property
    def solo(self) -> bool:
        """Whether one plays alone, against par."""
        return len(self.settings.players) == 1

    @property
    def current(self) -> Round | None:
        """The round that is open, if one is."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None

    @property
    def rounds_left(self) -> int:
        """How many rounds are still to be closed."""
        return ROUNDS - sum(round_.closed for round_ in self.rounds)

    def result(self, number: int, player: str) -> Result:
        """A player's result in a round, with the dice as they are now known."""
        round_ = self.rounds[number - 1]
        dice = round_.turn(player).dice
        if dice is None:
            raise IllegalMove("no_dice", f"{player} has sent in no dice in round {number}.")
        return _score(dice, round_.challenge, self.settings.rulings)

    def pieces(self, number: int) -> dict[str, Piece]:
        """Where the pieces stand in a round, in the order in which they moved."""
        done = self.rounds[number - 1].done
        return dict(
            zip(done, moved([self.result(number, player).result for player in done]), strict=True)
        )

    def chips(self, number: int) -> dict[str, Chip | None]:
        """Who wins which chip in a round whose dice are all in; nobody one before."""
        pieces = self.pieces(number)
        if len(pieces) < len(self.settings.players):
            return dict.fromkeys(self.settings.players)
        return dict(zip(pieces, awarded(tuple(pieces.values())), strict=True))

    @property
    def next_starter(self) -> str:
        """Who begins the next round: the last gold's winner, or who began if nobody won it."""
        if not self.rounds:
            return self.settings.starter or self.settings.players[0]
        last = self.rounds[-1]
        chips = self.chips(last.number)
        return next((p for p, chip in chips.items() if chip is Chip.GOLD), last.starter)

    def order_from(self, starter: str) -> tuple[str, ...]:
        """All players clockwise from this one."""
        players = self.settings.players
        first = players.index(starter)
        return (*players[first:], *players[:first])

    @cached_property
    def history(self) -> tuple[Mapping[str, Standing], ...]:
        """Everybody's chips after each closed round, the start first."""
        standings = [dict.fromkeys(self.settings.players, Standing())]
        for round_ in self.rounds:
            if round_.closed:
                chips = self.chips(round_.number)
                standings.append(
                    {player: had.with_chip(chips[player]) for player, had in standings[-1].items()}
                )
        return tuple(standings)

    @property
    def standings(self) -> Mapping[str, Standing]:
        """Everybody's chips now."""
        return self.history[-1]

    def final(self) -> tuple[FinalScore, ...]:
        """Final scores, best first, as if the game ended with what has been closed."""
        return final_scores(self.standings)

    def winners(self) -> tuple[str, ...]:
        """Who won a finished game; several if points, gold and silver are equal."""
        return winners(self.final()) if self.finished else ()


def final_scores(standings: Mapping[str, Standing]) -> tuple[FinalScore, ...]:
    """Everybody's final score, best first."""
    ranks = {player: standing.rank for player, standing in standings.items()}
    return tuple(
        FinalScore(
            player=player,
            standing=standings[player],
            place=1 + sum(other > ranks[player] for other in ranks.values()),
        )
        for player in sorted(standings, key=lambda player: ranks[player], reverse=True)
    )


def winners(scores: Sequence[FinalScore]) -> tuple[str, ...]:
    """Who won; several if points, gold and silver are equal."""
    return tuple(score.player for score in scores if score.place == 1)
