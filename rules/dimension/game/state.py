"""A table at one moment: what has been revealed, built and paid, and what follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType

from rules.dimension.cards import Card
from rules.dimension.editions import ROUNDS, START_POINTS, Edition, edition
from rules.dimension.game.events import SetUp
from rules.dimension.game.stack import Stack
from rules.dimension.game.tokens import Handover, Tokens
from rules.dimension.layout import Layout
from rules.dimension.rulings import Rulings
from rules.dimension.scoring import FinalScore, RoundScore, final_scores, score_round, winners


@dataclass(frozen=True)
class Tray:
    """A player's tray in a round: what lies on it, when it was sent in, and what it was before."""

    layout: Layout
    at: float
    late: bool = False
    corrections: tuple[tuple[Layout, str], ...] = ()


@dataclass(frozen=True)
class Round:
    """One round: its cards, its hourglass, the trays sent in."""

    number: int
    cards: tuple[Card, ...]
    started_at: float | None = None
    ended_at: float | None = None
    trays: Mapping[str, Tray] = field(default_factory=lambda: MappingProxyType({}))
    closed: bool = False

    @property
    def most(self) -> int | None:
        """Spheres on the fullest tray sent in so far."""
        return max((len(tray.layout) for tray in self.trays.values()), default=None)

    def is_late(self, at: float, hourglass_s: int) -> bool:
        """Whether a tray sent in at this time comes after the sand ran out."""
        if self.started_at is None:
            return False
        ran_out = self.started_at + hourglass_s
        return at > (ran_out if self.ended_at is None else min(ran_out, self.ended_at))


@dataclass(frozen=True)
class Standing:
    """A player's points and bonus tokens after some rounds."""

    points: int
    bonus: int


@lru_cache(maxsize=4096)
def _score(
    layout: Layout, cards: tuple[Card, ...], box: str, rulings: Rulings, most: int | None
) -> RoundScore:
    """A score, remembered: every state of a game asks for those of all its rounds again."""
    return score_round(layout, cards, edition(box), rulings, most)


@dataclass(frozen=True)
class Game:
    """The state of a table. Everything derived from trays is computed, so it is never stale."""

    settings: SetUp
    stack: Stack
    rounds: tuple[Round, ...] = ()
    purses: Mapping[str, Tokens] = field(default_factory=dict)
    bonus_paid: Mapping[str, int] = field(default_factory=dict)
    supply: Tokens = field(default_factory=dict)
    handovers: tuple[Handover, ...] = ()
    finished_at: float | None = None

    @property
    def finished(self) -> bool:
        """Whether bonus tokens have been turned in."""
        return self.finished_at is not None

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition(self.settings.edition)

    @property
    def current(self) -> Round | None:
        """The round that is open, if one is."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None

    @property
    def rounds_left(self) -> int:
        """How many rounds are still to be closed."""
        return ROUNDS - sum(round_.closed for round_ in self.rounds)

    def score(self, number: int, player: str) -> RoundScore:
        """A player's score in a round, with the trays as they are now known."""
        round_ = self.rounds[number - 1]
        return _score(
            round_.trays[player].layout,
            round_.cards,
            self.settings.edition,
            self.settings.rulings,
            # Nobody has fewer spheres than others where there are no others.
            round_.most if len(self.settings.players) > 1 else None,
        )

    @cached_property
    def history(self) -> tuple[Mapping[str, Standing], ...]:
        """Everybody's standing after each closed round, the start first."""
        standings = [{player: Standing(START_POINTS, 0) for player in self.settings.players}]
        for round_ in self.rounds:
            if round_.closed:
                standings.append(
                    {
                        player: self._after(before, self.score(round_.number, player))
                        for player, before in standings[-1].items()
                    }
                )
        return tuple(standings)

    def _after(self, before: Standing, score: RoundScore) -> Standing:
        points = before.points + score.points
        if self.settings.rulings.total == "floor":
            points = max(points, 0)
        return Standing(points, before.bonus + score.bonus)

    @property
    def standings(self) -> Mapping[str, Standing]:
        """Everybody's standing now."""
        return self.history[-1]

    def final(self) -> tuple[FinalScore, ...]:
        """Final scores, best first, as if the game ended with what has been closed."""
        points = {player: standing.points for player, standing in self.standings.items()}
        bonus = {player: standing.bonus for player, standing in self.standings.items()}
        return final_scores(points, bonus, self.edition)

    def winners(self) -> tuple[str, ...]:
        """Who won a finished game."""
        return winners(self.final()) if self.finished else ()

    def owed(self, player: str) -> int:
        """The points a player should hold in tokens now; negative for a debt."""
        if self.finished:
            return next(score.total for score in self.final() if score.player == player)
        return self.standings[player].points
