"""Scores: one tray in one round, and how a game ends."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules.dimension.cards import Card, Kind
from rules.dimension.editions import ENGLISH, Edition
from rules.dimension.judge import Verdict, judge
from rules.dimension.layout import COLORS, Layout, LayoutError, Problem
from rules.dimension.rulings import Rulings

PENALTY = 2
"""Points lost for a card that is not fulfilled."""


@dataclass(frozen=True)
class RoundScore:
    """What one tray earns in one round; ``points`` is net of the penalty."""

    spheres: int
    verdicts: tuple[Verdict, ...]
    penalty: int
    bonus: int
    decisive_rulings: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """One point a sphere, less the penalty."""
        return self.spheres - self.penalty

    @property
    def failed(self) -> int:
        """How many cards were not fulfilled."""
        return sum(not verdict.fulfilled for verdict in self.verdicts)

    def to_json(self) -> dict[str, object]:
        """The score as decoded JSON."""
        return {
            "spheres": self.spheres,
            "verdicts": {str(verdict.card): verdict.fulfilled for verdict in self.verdicts},
            "failed": self.failed,
            "penalty": self.penalty,
            "points": self.points,
            "bonus": self.bonus,
            "problems": [],
        }


def unscored_json(problems: Sequence[Problem]) -> dict[str, object]:
    """The answer for a layout that cannot be: nothing is scored, everything wrong is named."""
    unknown = dict.fromkeys(("spheres", "failed", "penalty", "points", "bonus"))
    return {**unknown, "verdicts": {}, "problems": [problem.to_json() for problem in problems]}


def penalty(failed: Sequence[Card], rulings: Rulings) -> int:
    """Points lost for these cards; several exactly cards of a colour may be one joint task."""
    if rulings.exactly_pair == "both":
        return PENALTY * len(failed)
    exactly = Counter(card.colors for card in failed if card.kind is Kind.EXACTLY)
    return PENALTY * (len(failed) - sum(exactly.values()) + len(exactly))


def score_round(
    layout: Layout,
    cards: Sequence[Card],
    edition: Edition = ENGLISH,
    rulings: Rulings | None = None,
    most: int | None = None,
) -> RoundScore:
    """The score of a legal layout; raises ``LayoutError`` for one that no tray can hold.

    ``most`` is the number of spheres on the fullest tray of the table (for the German chip).
    """
    problems = layout.problems()
    if problems:
        raise LayoutError(problems)
    rulings = rulings or Rulings()
    score = _score(layout, cards, edition, rulings, most)
    decisive = tuple(
        name
        for name in ("lone_touch", "exactly_pair")
        if _outcome(_score(layout, cards, edition, rulings.other(name), most)) != _outcome(score)
    )
    return replace(score, decisive_rulings=decisive)


def _score(
    layout: Layout,
    cards: Sequence[Card],
    edition: Edition,
    rulings: Rulings,
    most: int | None,
) -> RoundScore:
    verdicts = tuple(judge(card, layout, cards, rulings) for card in cards)
    failed = [verdict.card for verdict in verdicts if not verdict.fulfilled]
    five_colors = len(layout.colors()) == len(COLORS)
    bonus = edition.bonus(not failed, five_colors, len(layout), most)
    return RoundScore(len(layout), verdicts, penalty(failed, rulings), bonus)


def _outcome(score: RoundScore) -> tuple[int, int]:
    return score.points, score.bonus


@dataclass(frozen=True)
class FinalScore:
    """A player's end of the game: points before and after the bonus tokens were turned in."""

    player: str
    points: int
    bonus_tokens: int
    conversion: int
    place: int

    @property
    def total(self) -> int:
        """Points with the bonus tokens turned in."""
        return self.points + self.conversion


def final_scores(
    points: Mapping[str, int], tokens: Mapping[str, int], edition: Edition
) -> tuple[FinalScore, ...]:
    """Everybody's final score, best first; players who share a place share the win or the rank."""
    ends = {player: points[player] + edition.convert(tokens[player]) for player in points}
    ranks = {player: (ends[player], tokens[player]) for player in points}
    return tuple(
        FinalScore(
            player=player,
            points=points[player],
            bonus_tokens=tokens[player],
            conversion=edition.convert(tokens[player]),
            place=1 + sum(other > ranks[player] for other in ranks.values()),
        )
        for player in sorted(points, key=lambda player: ranks[player], reverse=True)
    )


def winners(scores: Sequence[FinalScore]) -> tuple[str, ...]:
    """Who won; several if points and bonus tokens are equal."""
    return tuple(score.player for score in scores if score.place == 1)
