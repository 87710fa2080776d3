"""Scores: dice and a challenge give a result, the values chosen and the dice that counted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from rules.high_score import reasons
from rules.high_score.challenges import Challenge, Scoring
from rules.high_score.dice import VORTEX, Dice
from rules.high_score.rulings import Rulings
from rules.high_score.tens import Group, tens
from rules.texts import Text

Values = tuple[int, ...]
"""What the dice are worth: numbers first, vortices last."""


@dataclass(frozen=True)
class Result:
    """What dice are worth under a challenge, and why.

    ``values`` are in the order of the dice; ``groups`` hold the indices of dice that count
    together: each pair, triple or ten; all equal numbers; in a run the numbers, then vortices.
    """

    dice: Dice
    challenge: Challenge
    result: int
    values: tuple[int, ...]
    groups: tuple[Group, ...]

    @property
    def counted(self) -> tuple[int, ...]:
        """The indices of the dice that count."""
        return tuple(sorted(at for group in self.groups for at in group))

    @property
    def text(self) -> Text:
        """Why the result is what it is."""
        return reasons.why(self.dice, self.challenge, self.values, self.groups)

    def to_json(self) -> dict[str, object]:
        """The answer of ``score`` in the contract."""
        return {
            "result": self.result,
            "values": list(self.values),
            "counted": list(self.counted),
            "text": self.text.to_json(),
            "problems": [],
        }


def score(dice: Dice, challenge: Challenge, rulings: Rulings | None = None) -> Result:
    """The result of some dice; free vortices take the values that serve best."""
    order = sorted(range(len(dice)), key=lambda at: dice.faces[at] == VORTEX)
    numbers = tuple(int(face) for face in dice.faces if face != VORTEX)
    best = best_choice(numbers, dice.vortices, challenge, rulings or Rulings())
    values = dict(zip(order, best.values, strict=True))
    return Result(
        dice,
        challenge,
        best.result,
        tuple(values[at] for at in range(len(dice))),
        tuple(tuple(order[at] for at in group) for group in best.groups),
    )


def decisive_rulings(dice: Dice, challenge: Challenge, rulings: Rulings) -> tuple[str, ...]:
    """The rulings that, decided the other way, would change the result."""
    result = score(dice, challenge, rulings).result
    return tuple(
        name
        for name in Rulings.choices()
        if score(dice, challenge, rulings.other(name)).result != result
    )


@dataclass(frozen=True)
class Choice:
    """What dice bring if vortices are worth this."""

    values: Values
    groups: tuple[Group, ...]
    result: int


def best_choice(numbers: Values, vortices: int, challenge: Challenge, rulings: Rulings) -> Choice:
    """The choice of vortex values with the best result.

    Of equals the one with most dice counted, then the one with the lowest values.
    """
    count = _COUNTS[challenge.scoring]
    rest = challenge.scoring.minus_rest
    best, best_rank = None, (0, 0)
    for wild in combinations_with_replacement(challenge.vortex_values, vortices):
        values = numbers + wild
        groups = count(values, len(numbers), rulings)
        counted = [values[at] for group in groups for at in group]
        result = 2 * sum(counted) - sum(values) if rest else sum(counted)
        rank = result, len(counted)
        if best is None or rank > best_rank:
            best, best_rank = Choice(values, groups, result), rank
    assert best is not None  # there is always a value to choose
    return best


def _equal(values: Values, numbers: int, rulings: Rulings) -> list[list[int]]:
    """The dice by what they match."""
    apart = rulings.vortex == "apart"
    by_value: dict[tuple[bool, int], list[int]] = {}
    for at, value in enumerate(values):
        by_value.setdefault((apart and at >= numbers, value), []).append(at)
    return list(by_value.values())


def _sets(equal: list[int], size: int, most: int) -> Iterator[Group]:
    """The equal dice in sets of this size; what is left over is in none."""
    for start in range(0, min(len(equal) // size, most) * size, size):
        yield tuple(equal[start : start + size])


def _total(values: Values, _numbers: int, _rulings: Rulings) -> tuple[Group, ...]:
    return (tuple(range(len(values))),)


def _same(values: Values, numbers: int, rulings: Rulings) -> tuple[Group, ...]:
    return tuple(tuple(equal) for equal in _equal(values, numbers, rulings) if len(equal) > 1)


def _tens(values: Values, _numbers: int, rulings: Rulings) -> tuple[Group, ...]:
    return tens(values, rulings.tens)


def _pairs(values: Values, numbers: int, rulings: Rulings) -> tuple[Group, ...]:
    most = 1 if rulings.pairs == "one" else len(values)
    return tuple(
        pair for equal in _equal(values, numbers, rulings) for pair in _sets(equal, 2, most)
    )


def _triples(values: Values, numbers: int, rulings: Rulings) -> tuple[Group, ...]:
    most = len(values)
    return tuple(
        triple for equal in _equal(values, numbers, rulings) for triple in _sets(equal, 3, most)
    )


def _odd(values: Values, _numbers: int, _rulings: Rulings) -> tuple[Group, ...]:
    return _one_group(at for at, value in enumerate(values) if value in (1, 3, 5))


def _shown(values: Values, _numbers: int, _rulings: Rulings) -> tuple[Group, ...]:
    return _one_group(at for at, value in enumerate(values) if 1 <= value <= 4)


def _run(values: Values, numbers: int, rulings: Rulings) -> tuple[Group, ...]:
    filled = values[:numbers] if rulings.vortex == "apart" else values
    gap = 1
    while gap in filled:
        gap += 1
    in_run = _one_group(at for at in range(numbers) if values[at] < gap)
    return in_run + _one_group(range(numbers, len(values)))


def _one_group(dice: Iterator[int] | range) -> tuple[Group, ...]:
    group = tuple(dice)
    return (group,) if group else ()


_COUNTS: dict[Scoring, Callable[[Values, int, Rulings], tuple[Group, ...]]] = {
    Scoring.TOTAL: _total,
    Scoring.SAME: _same,
    Scoring.SAME_REST: _same,
    Scoring.TENS_REST: _tens,
    Scoring.PAIRS: _pairs,
    Scoring.PAIRS_REST: _pairs,
    Scoring.TRIPLES_REST: _triples,
    Scoring.ODD: _odd,
    Scoring.ODD_REST: _odd,
    Scoring.SHOWN_REST: _shown,
    Scoring.RUN: _run,
}
