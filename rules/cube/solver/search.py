"""Iterative deepening: is there a building of k cubes? Of k + 1? The first that there is, is best.

For a number of cubes, cards are taken in turn, that with the fewest ways left first. Each way to
show it is joined with what is settled so far, and of the other cards' ways only those stay that
still fit and cost not too much. Numbers were chosen by ``python -m lab.cube.bench_rules``.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.cube.building import COLORS, SIZE, Building, Supply
from rules.cube.cards import Card
from rules.cube.solver.demands import (
    EMPTY,
    FILLED,
    FIRST,
    SECOND,
    SETTLED,
    Demands,
    building,
    by_color,
    count,
    nothing,
    up_to_turns,
    ways,
)

MOST_SECONDS = 9.0
"""How long to look for a proof."""

SPARE_SECONDS = 1.0
"""How long to look for any building when there is no proof."""

BLOCK = 60_000
"""Pairs that are compared at once: more would not fit into a processor's cache."""

AHEAD = 2
"""Ways are listed for so many cubes more than needed now, so that they are listed seldom."""

Progress = Callable[[int], None]
"""Told how many cubes are proven to be too few."""


@dataclass(frozen=True)
class Solution:
    """The smallest building that was found; ``optimal`` if no smaller one can be.

    Without a building, ``optimal`` tells that none is possible.
    """

    building: Building | None
    optimal: bool

    @property
    def cubes(self) -> int | None:
        """How many cubes it takes."""
        return None if self.building is None else len(self.building)

    def to_json(self) -> dict[str, object]:
        """The answer of ``solve``."""
        board = None if self.building is None else str(self.building)
        return {"board": board, "cubes": self.cubes, "optimal": self.optimal}


class _OutOfTime(Exception):
    """The search has used up its time."""


def solve(
    cards: Sequence[Card],
    colors: str = COLORS,
    supply: Supply | None = None,
    seconds: float = MOST_SECONDS,
    progress: Progress | None = None,
) -> Solution:
    """The building with the fewest cubes that shows all cards at once, on an empty board."""
    different = tuple({card.key: card for card in cards}.values())
    if not different:
        return Solution(Building(), True)
    limits = {c: min(n, SIZE**3) for c, n in (supply or {}).items() if c in colors}
    most = SIZE**3
    if all(color in limits for color in colors):
        most = min(most, sum(limits.values()))
    search = _Search(different, colors, limits)
    search.until(seconds)
    cubes = search.fewest
    try:
        while cubes <= most:
            found = search.within(cubes)
            if found is not None:
                return Solution(_colored(found, colors, limits), search.complete)
            if progress:
                progress(cubes)
            cubes += 1
    except _OutOfTime:
        return _any_building(search, cubes, most)
    return Solution(None, search.complete)


def _any_building(search: "_Search", cubes: int, most: int) -> Solution:
    """A building that need not be the smallest, quickly: more cubes leave more freedom."""
    for more in (2, 4, 8, 16):
        search.until(SPARE_SECONDS / 4)
        try:
            found = search.within(min(cubes + more, most))
        except _OutOfTime:
            continue
        if found is not None:
            return Solution(_colored(found, search.colors, search.limits), False)
    return Solution(None, False)


def _colored(demands: Sequence[int], colors: str, limits: Mapping[str, int]) -> Building:
    """The building, its hidden cubes in colours that are left."""
    column = np.array(demands, np.uint64)[:, None]
    used = dict(zip(colors, (int(count(places)[0]) for places in by_color(column)), strict=True))
    spare = [c for c in colors for _ in range(limits.get(c, SIZE**3) - used[c])]
    return building(demands, colors, spare)


@dataclass
class _Search:
    cards: tuple[Card, ...]
    colors: str
    limits: Mapping[str, int]
    complete: bool = True
    """Whether all ways to show the cards were listed."""

    most: int = 0
    end: float = 0.0
    listed_for: int = -1
    listed: list[tuple[Demands, Demands]] = field(default_factory=list)
    """By card, all its ways, and those that differ by more than a turn of the board."""
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=set)

    def until(self, seconds: float) -> None:
        """Set when the search must end."""
        self.end = time.monotonic() + seconds

    @property
    def fewest(self) -> int:
        """As many cubes as the colours of the cards take, if all is shared that can be."""
        return int(self._least(nothing(), range(len(self.cards)))[0])

    def within(self, most: int) -> tuple[int, ...] | None:
        """Demands that show all cards with at most so many cubes; ``None`` if nothing does."""
        self.most, self.seen = most, set()
        self._list_ways()
        everything = range(len(self.cards))
        lists = [own[:, self._least(own, everything) <= most] for own, _ in self.listed]
        roots = [own[:, self._least(own, everything) <= most] for _, own in self.listed]
        first = min(everything, key=lambda card: roots[card].shape[1])
        rest = [card for card in everything if card != first]
        return self._grow(roots[first], rest, [lists[card] for card in rest])

    def _list_ways(self) -> None:
        if self.most <= self.listed_for:
            return
        self.listed_for, self.listed = self.most + AHEAD, []
        for card in self.cards:
            all_ways, complete = ways(card, self.colors, self.listed_for)
            first_ways, complete_too = up_to_turns(card, self.colors, self.listed_for)
            self.complete = self.complete and complete and complete_too
            self.listed.append((all_ways, first_ways))

    def _least(self, demands: Demands, cards: Sequence[int]) -> NDArray[np.int16]:
        """Cubes that it takes at least: those settled, and new ones in colours still wanted.

        Hidden cubes may still get a wanted colour. Too many of a colour are impossible.
        """
        settled = count(demands[SETTLED])
        hidden = count(demands[FILLED]) - settled
        wanted = np.zeros_like(settled)
        impossible = np.zeros(len(settled), np.bool_)
        for color, places in zip(self.colors, by_color(demands), strict=True):
            most = max((self.cards[card].colors.count(color) for card in cards), default=0)
            there = count(places)
            wanted += np.maximum(most - there, 0)
            if color in self.limits:
                impossible |= np.maximum(there, most) > self.limits[color]
        least = settled + np.maximum(hidden, wanted)
        return np.where(impossible, np.int16(SIZE**3 + 1), least)

    def _grow(
        self, states: Demands, rest: list[int], lists: list[Demands]
    ) -> tuple[int, ...] | None:
        """Try states, the most promising first; ``lists`` has the ways to show the other cards."""
        least = self._least(states, rest)
        order = np.argsort(least, kind="stable")
        states = states[:, order[: np.count_nonzero(least <= self.most)]]
        if not rest:
            return tuple(states[:, 0].tolist()) if states.shape[1] else None
        longest = max(own.shape[1] for own in lists)
        step = max(1, BLOCK // max(1, longest))
        for start in range(0, states.shape[1], step):
            found = self._try(states[:, start : start + step], rest, lists)
            if found is not None:
                return found
        return None

    def _try(
        self, states: Demands, rest: list[int], lists: list[Demands]
    ) -> tuple[int, ...] | None:
        if time.monotonic() > self.end:
            raise _OutOfTime
        alive = np.arange(states.shape[1])
        fitting: dict[int, tuple[NDArray[np.intp], NDArray[np.intp]]] = {}
        for at in sorted(range(len(rest)), key=lambda at: lists[at].shape[1]):
            others = [card for card in rest if card != rest[at]]
            state, way = self._fits(states[:, alive], lists[at], others)
            fitting[at] = alive[state], way
            alive = np.unique(fitting[at][0])
            if not len(alive):
                return None
        for index in alive.tolist():
            found = self._go_on(states[:, index], rest, lists, _of_state(fitting, index))
            if found is not None:
                return found
        return None

    def _fits(
        self, states: Demands, own: Demands, others: list[int]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Which states and which ways to show a card fit together and cost not too much.

        The number of cubes rules out most pairs, so it is looked at first.
        """
        cubes = np.bitwise_count(states[FILLED][:, None] | own[FILLED])
        state, way = np.nonzero(cubes <= self.most)
        one, two = states[:, state], own[:, way]
        conflict = (one[FIRST] ^ two[FIRST]) | (one[SECOND] ^ two[SECOND])
        conflict &= one[SETTLED] & two[SETTLED]
        conflict |= (one[FILLED] & two[EMPTY]) | (one[EMPTY] & two[FILLED])
        good = conflict == 0
        good[good] = self._least(one[:, good] | two[:, good], others) <= self.most
        return state[good], way[good]

    def _go_on(
        self,
        state: Demands,
        rest: list[int],
        lists: list[Demands],
        fitting: Mapping[int, NDArray[np.intp]],
    ) -> tuple[int, ...] | None:
        """Take the card with the fewest ways left, and go on from each of them."""
        open_cards, open_lists = [], []
        for at, card in enumerate(rest):
            own = lists[at][:, fitting[at]]
            if not ((own & ~state[:, None])[: SETTLED + 1] == 0).all(axis=0).any():
                open_cards.append(card)
                open_lists.append(own)
        key = tuple(state.tolist())
        if not open_cards:
            return key
        if (key, tuple(open_cards)) in self.seen:
            return None
        self.seen.add((key, tuple(open_cards)))
        at = min(range(len(open_cards)), key=lambda at: open_lists[at].shape[1])
        open_cards.pop(at)
        return self._grow(open_lists.pop(at) | state[:, None], open_cards, open_lists)


def _of_state(
    fitting: Mapping[int, tuple[NDArray[np.intp], NDArray[np.intp]]], index: int
) -> dict[int, NDArray[np.intp]]:
    """By card, the ways that fit one state."""
    found = {}
    for at, (state, way) in fitting.items():
        start, end = np.searchsorted(state, [index, index + 1])
        found[at] = way[start:end]
    return found
