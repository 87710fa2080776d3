"""A table at one moment: the building, whose turn it is, what was shown, and who leads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.cube.building import Building, Cube, Supply
from rules.cube.cards import Card
from rules.cube.game.events import SetUp

GOALS = {2: 7, 3: 6, 4: 5}
"""How many cards win, by the number of players."""


@dataclass(frozen=True)
class Claim:
    """A card that a player has shown, with the turn after which that was."""

    player: str
    card: Card
    turn: int


@dataclass(frozen=True)
class FinalScore:
    """A player's end of the game; players who share a place share the win or the rank."""

    player: str
    cards: int
    twin: bool
    place: int


@dataclass(frozen=True)
class Game:
    """The state of a table.

    ``turns`` counts the acts so far; claims that follow belong to the last of them. ``hands`` has
    places of the dealt pile by player; they are empty where hands are paper cards.
    """

    settings: SetUp
    deck: tuple[Card, ...]
    building: Building
    turns: int = 0
    last_moved: Cube | None = None
    claims: tuple[Claim, ...] = ()
    twins: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The colour of the twin that each player has placed."""
    pile: tuple[str, ...] = ()
    dealt: int = 0
    hands: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    over_at: int | None = None
    """The turn that ended the game, ties aside."""
    tied: tuple[str, ...] = ()
    """Who plays on for a further card, in the order of their turns."""
    tie_winner: str | None = None
    finished_at: float | None = None

    @property
    def finished(self) -> bool:
        """Whether the game is over for good."""
        return self.finished_at is not None

    @property
    def goal(self) -> int:
        """How many cards win."""
        return GOALS[len(self.settings.players)]

    @property
    def supply(self) -> Supply:
        """How many cubes of each colour there are."""
        return dict.fromkeys(self.settings.colors, self.settings.supply)

    @property
    def order(self) -> tuple[str, ...]:
        """All players clockwise from the one who began."""
        players = self.settings.players
        first = players.index(self.settings.starter or players[0])
        return (*players[first:], *players[:first])

    @property
    def round(self) -> int:
        """The number of the round in which the next act is; the first is 1."""
        return 1 + self.turns // len(self.order)

    @property
    def whose_turn(self) -> str | None:
        """Who acts next; ``None`` where acts are not told, and when the game is over."""
        if self.settings.record == "claims" or self.finished or self.tie_winner:
            return None
        if self.over_at is None:
            return self.order[self.turns % len(self.order)]
        return self.tied[(self.turns - self.over_at) % len(self.tied)] if self.tied else None

    @property
    def last_to_act(self) -> str:
        """Who acted last; the one to begin before the first act."""
        if self.tied and self.over_at is not None and self.turns > self.over_at:
            return self.tied[(self.turns - 1 - self.over_at) % len(self.tied)]
        return self.order[max(self.turns - 1, 0) % len(self.order)]

    @property
    def bag(self) -> dict[str, int]:
        """How many cubes of each colour are still in the bag."""
        return {c: most - self.building.count(c) for c, most in self.supply.items()}

    def cards_of(self, player: str) -> int:
        """How many cards a player has shown, the one that breaks a tie aside."""
        return sum(claim.player == player for claim in self.claims)

    @property
    def goal_reached(self) -> bool:
        """Whether somebody has shown enough cards."""
        return any(self.cards_of(player) >= self.goal for player in self.order)

    @property
    def all_placed(self) -> bool:
        """Whether the bag is empty."""
        return not any(self.bag.values())

    @property
    def ends(self) -> bool:
        """Whether the turn just played is the last, unless players are tied."""
        if self.settings.record == "claims":
            return self.goal_reached or self.all_placed
        round_done = self.turns > 0 and self.turns % len(self.order) == 0
        return self.all_placed or (self.goal_reached and round_done)

    @property
    def leaders(self) -> tuple[str, ...]:
        """Who would win now: most cards, then a placed twin, then the further card."""
        best = max(map(self._rank, self.order))
        return tuple(player for player in self.order if self._rank(player) == best)

    def final(self) -> tuple[FinalScore, ...]:
        """Final scores, best first, as if the game ended now."""
        ranks = {player: self._rank(player) for player in self.order}
        return tuple(
            FinalScore(
                player=player,
                cards=self.cards_of(player),
                twin=player in self.twins,
                place=1 + sum(other > ranks[player] for other in ranks.values()),
            )
            for player in sorted(ranks, key=lambda player: ranks[player], reverse=True)
        )

    def winners(self) -> tuple[str, ...]:
        """Who won a finished game; several if nothing decides between them."""
        return self.leaders if self.finished else ()

    def _rank(self, player: str) -> tuple[int, bool, bool]:
        return self.cards_of(player), player in self.twins, player == self.tie_winner
