"""The solver: for revealed cards the proven best score, and which cards cannot be met together.

Every layout is a pattern (see ``patterns``) and a naming of its groups. The search names the
cards' colours one after the other, for all patterns at once: a set of rows is one ``int`` with a
bit a row, so a card is judged for all of them by one AND. Rows that have lost too many points to
reach the best score known are dropped on the way. What is left in the end is every layout with
the best score, so it can be counted.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from math import factorial

import numpy as np

from rules.dimension.board import MOST_SPHERES, seats_in
from rules.dimension.cards import Card
from rules.dimension.editions import ENGLISH, Edition
from rules.dimension.judge import judge
from rules.dimension.layout import COLORS, Layout
from rules.dimension.many import Demand, Flags, demand, edition_tokens
from rules.dimension.patterns import GROUPS, ROTATIONS, patterns
from rules.dimension.rulings import Rulings
from rules.dimension.scoring import PENALTY, penalty

_MOST_BONUS = 2


@dataclass(frozen=True)
class Best:
    """A layout and what it scores."""

    points: int
    bonus: int
    layout: Layout


@dataclass(frozen=True)
class Solution:
    """The best score for some cards, how many layouts have it, and what stands in the way.

    ``conflict`` is a smallest set of the cards that no layout fulfils together, empty if all can
    be; ``with_bonus`` the best layout that earns a bonus token, if there is one.
    """

    best: Best
    optimal: int
    conflict: tuple[Card, ...]
    with_bonus: Best | None

    def to_json(self) -> dict[str, object]:
        """The solution as decoded JSON."""
        bonus = self.with_bonus
        return {
            "points": self.best.points,
            "bonus": self.best.bonus,
            "layout": str(self.best.layout),
            "optimal": self.optimal,
            "conflict": [str(card) for card in self.conflict],
            "with_bonus": bonus and {"points": bonus.points, "layout": str(bonus.layout)},
        }


def solve(
    cards: Sequence[Card],
    edition: Edition = ENGLISH,
    rulings: Rulings | None = None,
    most: int | None = None,
) -> Solution:
    """The solution for one to eight cards; ``most`` as in ``score_round``."""
    search = _Search(cards, rulings or Rulings(), edition, most)
    found = search.best()
    best = found.shown()
    return Solution(
        best=best,
        optimal=found.count(),
        conflict=search.smallest_conflict(),
        with_bonus=best if best.bonus else search.best_with_bonus(),
    )


def can_all_be_met(cards: Sequence[Card], rulings: Rulings | None = None) -> bool:
    """Whether some layout fulfils all the cards."""
    return _Search(cards, rulings or Rulings(), ENGLISH, None).can_all_be_met


# --- sets of patterns, a bit a row -----------------------------------------------------------


def _row_set(flags: Flags) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _flags(row_set: int) -> Flags:
    size = patterns().sixths.size
    packed = np.frombuffer(row_set.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").view(bool)


def _first_row(row_set: int) -> int:
    return (row_set & -row_set).bit_length() - 1


@cache
def _with_at_least(spheres: int) -> int:
    return _row_set(patterns().spheres >= spheres)


def _with_exactly(spheres: int) -> int:
    return _with_at_least(spheres) & ~_with_at_least(spheres + 1)


@cache
def _failing(asked: Demand, g: int, h: int) -> int:
    return _row_set(patterns().groups.failed(asked, g, h))


def _most_spheres(row_set: int) -> int:
    """The most spheres in any of the rows, which are sorted by it."""
    return int(patterns().spheres[_first_row(row_set)])


# --- the search --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """One card, or the exactly cards of one colour, which stand and fall together."""

    cards: tuple[Card, ...]
    demand: Demand
    units: int
    """How many times the penalty is lost by failing it."""

    @property
    def colors(self) -> str:
        return self.cards[0].colors

    def failing(self, naming: dict[str, int]) -> int:
        """The rows in which it fails, colours being named so."""
        return _failing(self.demand, naming[self.colors[0]], naming[self.colors[-1]])


def _tasks(cards: Sequence[Card], rulings: Rulings) -> tuple[_Task, ...]:
    together: dict[tuple[Demand, str], list[Card]] = {}
    for card in cards:
        together.setdefault((demand(card, cards, rulings), card.colors), []).append(card)
    return tuple(
        _Task(tuple(alike), asked, penalty(alike, rulings) // PENALTY)
        for (asked, _), alike in together.items()
    )


@dataclass(frozen=True)
class _Naming:
    """Which group each colour that cards speak of is, and the rows left under that naming.

    ``left[k]`` are the rows that have lost k penalties so far.
    """

    groups: dict[str, int]
    left: tuple[int, ...]


class _Found:
    """The best layouts of a search so far: points, bonus, and all that have both."""

    def __init__(self, points: int, bonus_rows: Sequence[int]) -> None:
        self.points = points
        self.bonus = 0
        self._bonus_rows = bonus_rows
        self._hits: list[tuple[dict[str, int], int]] = []

    def __bool__(self) -> bool:
        return bool(self._hits)

    def add(self, naming: _Naming) -> None:
        """Take in what is left under a naming, if it is as good as the best or better."""
        for lost, left in enumerate(naming.left):
            for bonus, rows in enumerate(self._bonus_rows if lost == 0 else [left]):
                if rows & left:
                    self._offer(naming.groups, rows & left, lost, bonus)

    def _offer(self, groups: dict[str, int], rows: int, lost: int, bonus: int) -> None:
        spheres = _most_spheres(rows)
        value = (spheres - PENALTY * lost, bonus)
        if value < (self.points, self.bonus):
            return
        if value > (self.points, self.bonus):
            self.points, self.bonus = value
            self._hits.clear()
        self._hits.append((groups, rows & _with_exactly(spheres)))

    def shown(self) -> Best:
        """The best score with one layout that has it."""
        groups, rows = self._hits[0]
        return Best(self.points, self.bonus, _layout(groups, _first_row(rows)))

    def count(self) -> int:
        """How many layouts have the best score, up to rotation."""
        table = patterns()
        hits = sum(
            (_flags(rows).astype(np.int64) * factorial(GROUPS - len(groups)))
            for groups, rows in self._hits
        )
        sixths = hits * table.sixths
        alike = np.unique(table.doubled)
        total = sum(Fraction(int(sixths[table.doubled == d].sum()), int(d)) for d in alike)
        return int(total / ROTATIONS)


def _layout(groups: dict[str, int], row: int) -> Layout:
    """A layout of the row; colours that no card speaks of are named as they come."""
    free = iter(g for g in range(GROUPS) if g not in groups.values())
    named = groups | {color: next(free) for color in COLORS if color not in groups}
    sets = patterns().groups.sets[:, row]
    spheres = {s: color for color, group in named.items() for s in seats_in(int(sets[group]))}
    return Layout.of(spheres).canonical()


class _Search:
    """The search through all patterns for one deal of cards."""

    def __init__(
        self, cards: Sequence[Card], rulings: Rulings, edition: Edition, most: int | None
    ) -> None:
        self._cards = tuple(cards)
        self._rulings = rulings
        self._tasks = _tasks(cards, rulings)
        table = patterns()
        tokens = edition_tokens(edition, most)[table.spheres, table.five_colors.astype(int)]
        self._bonus_rows = [_row_set(tokens == bonus) for bonus in range(_MOST_BONUS + 1)]

    @cached_property
    def _fulfilling(self) -> _Found:
        """The best layouts that fulfil all cards."""
        return self._best_of(_with_at_least(0), 0, _Found(0, self._bonus_rows))

    @property
    def can_all_be_met(self) -> bool:
        """Whether some layout fulfils all the cards."""
        return bool(self._fulfilling)

    def best(self) -> _Found:
        """The best layouts there are."""
        units = sum(task.units for task in self._tasks)
        floor = self._fulfilling.points if self.can_all_be_met else -PENALTY * units
        worth_failing = min(units, (MOST_SPHERES - floor) // PENALTY)
        if not worth_failing:
            return self._fulfilling
        return self._best_of(_with_at_least(0), worth_failing, _Found(floor, self._bonus_rows))

    def best_with_bonus(self) -> Best | None:
        """The best layout that earns a bonus token, if there is one."""
        earning = self._bonus_rows[1] | self._bonus_rows[2]
        found = self._best_of(earning, 0, _Found(0, self._bonus_rows))
        return found.shown() if found else None

    def _best_of(self, rows: int, units: int, found: _Found) -> _Found:
        """The best among these rows if no more than so many penalties are taken."""
        for naming in self._namings(self._tasks, (rows, *[0] * units), lambda: found.points):
            found.add(naming)
        return found

    def smallest_conflict(self) -> tuple[Card, ...]:
        """A smallest set of the cards of which every layout fails one; empty if there is none.

        Judged as the round would: exactly cards are added up even where only one is in the set.

        A conflict shares a task with what each layout fails. Take a smallest set that does so for
        the layouts known; if some layout fulfils it all the same, learn what that one fails.
        To begin with: a task without which all others can be met is in every conflict.
        """
        if self.can_all_be_met:
            return ()
        others = [[other for other in self._tasks if other != task] for task in self._tasks]
        failures = [
            {task}
            for task, rest in zip(self._tasks, others, strict=True)
            if self._layout_fulfilling(rest) is not None
        ]
        while True:
            chosen = self._smallest_sharing(failures)
            layout = self._layout_fulfilling(chosen)
            if layout is None:
                return tuple(task.cards[0] for task in chosen)
            failures.append(self._failed_by(layout))

    def _layout_fulfilling(self, tasks: Sequence[_Task]) -> Layout | None:
        naming = next(self._namings(tasks, (_with_at_least(0),), lambda: 0), None)
        if naming is None:
            return None
        return _layout(naming.groups, _first_row(naming.left[0]))

    def _smallest_sharing(self, failures: Sequence[set[_Task]]) -> tuple[_Task, ...]:
        sizes = range(1, len(self._tasks) + 1)
        subsets = (chosen for size in sizes for chosen in combinations(self._tasks, size))
        return next(chosen for chosen in subsets if all(f.intersection(chosen) for f in failures))

    def _failed_by(self, layout: Layout) -> set[_Task]:
        return {
            task
            for task in self._tasks
            if not judge(task.cards[0], layout, self._cards, self._rulings).fulfilled
        }

    def _namings(
        self, tasks: Sequence[_Task], left: tuple[int, ...], floor: Callable[[], int]
    ) -> Iterator[_Naming]:
        """All namings under which rows are left that can reach so many points.

        The floor is asked for again and again: it may rise while namings are being used.
        """
        mentions = "".join(task.colors for task in tasks)
        # The colours most spoken of come first: they lose most rows, and lose them early.
        colors = sorted(set(mentions), key=lambda c: (-mentions.count(c), c))
        due = [
            [task for task in tasks if max(map(colors.index, task.colors)) == k]
            for k in range(len(colors))
        ]

        def name(groups: dict[str, int], left: tuple[int, ...]) -> Iterator[_Naming]:
            if len(groups) == len(colors):
                yield _Naming(groups, left)
                return
            depth = len(groups)
            for group in range(GROUPS):
                if group in groups.values():
                    continue
                named = groups | {colors[depth]: group}
                now = left
                for task in due[depth]:
                    now = _after(now, task.failing(named), task.units)
                now = tuple(
                    rows and rows & _with_at_least(floor() + PENALTY * lost)
                    for lost, rows in enumerate(now)
                )
                if any(now):
                    yield from name(named, now)

        return name({}, left)


def _after(left: tuple[int, ...], failing: int, units: int) -> tuple[int, ...]:
    """The rows by penalties lost, once those in which a task fails have lost more."""
    return tuple(
        (rows & ~failing) | (left[lost - units] & failing if lost >= units else 0)
        for lost, rows in enumerate(left)
    )
