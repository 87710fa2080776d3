"""The adviser's oracle: a slow and obvious search with exact fractions."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from rules.high_score.challenges import Challenge, Way
from rules.high_score.dice import FACES, VORTEX


@cache
def rolls(count: int) -> tuple[tuple[str, Fraction], ...]:
    """Every roll of so many dice, and how likely it is."""
    return tuple(
        (
            "".join(faces),
            Fraction(
                factorial(count),
                prod(factorial(faces.count(face)) for face in FACES) * len(FACES) ** count,
            ),
        )
        for faces in combinations_with_replacement(FACES, count)
    )


@cache
def parts(dice: str) -> frozenset[str]:
    """All dice that can be picked out of these."""
    return frozenset(
        "".join(part) for size in range(len(dice) + 1) for part in combinations(dice, size)
    )


class Oracle:
    """Plays a challenge with so many dice; ``worth`` says what sorted final dice are worth."""

    def __init__(self, challenge: Challenge, dice: int, worth: Callable[[str], int]) -> None:
        self.challenge = challenge
        self.dice = dice
        self.worth = cache(worth)
        self.holding = cache(self._holding)

    def allowed(self, rolled: str, rolls_left: int) -> list[str]:
        """The dice that may stay after a roll."""
        way, frozen = self.challenge.way, self.challenge.frozen
        keeps = [
            keep
            for keep in parts(rolled)
            if not frozen or keep.count(VORTEX) == rolled.count(VORTEX)
        ]
        if way is Way.ASIDE:
            return [keep for keep in keeps if keep]
        if rolls_left == 0:
            return [rolled]
        if way is Way.FOUR:
            locked = VORTEX * rolled.count(VORTEX) if frozen else ""
            return [keep for keep in keeps if keep in (rolled, locked)]
        return keeps

    def options(self, rolled: str, aside: str, rolls_left: int) -> dict[str, Fraction]:
        """What each choice after a roll is worth."""
        return {
            keep: self.holding("".join(sorted(aside + keep)), rolls_left)
            for keep in self.allowed(rolled, rolls_left)
        }

    def _holding(self, held: str, rolls_left: int) -> Fraction:
        """What it is worth to have these dice lie while the others are rolled."""
        if len(held) == self.dice:
            return Fraction(self.worth(held))
        total = Fraction(0)
        for roll, chance in rolls(self.dice - len(held)):
            if self.challenge.way is Way.ASIDE:
                best = max(self.options(roll, held, 0).values())
            else:
                lying = "".join(sorted(held + roll))
                best = max(self.options(lying, "", rolls_left - 1).values())
            total += chance * best
        return total

    def value(self) -> Fraction:
        """What a turn is worth before the first roll."""
        return self.holding("", 0 if self.challenge.way is Way.ASIDE else self.most_rolls)

    @property
    def most_rolls(self) -> int:
        """How many rolls a turn has at most."""
        return self.challenge.way.most_rolls
