"""Better from here: the best layout within a few moves of a given one.

One move places a sphere from storage, takes one off, relocates one, or exchanges one with a sphere
from storage. Only the result must be able to stand; a hand may hold things in between. States are
packed, three bits a seat, and expanded many at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import SEATS, can_stand
from rules.dimension.cards import Card
from rules.dimension.editions import ENGLISH, Edition
from rules.dimension.layout import COLORS, EMPTY, PER_COLOR, Layout, LayoutError
from rules.dimension.many import Groups, SeatSets, score_many
from rules.dimension.rulings import Rulings
from rules.dimension.words import COLOR_NAMES
from rules.errors import RulesError

MOST_MOVES = 3

States = NDArray[np.int64]
_LETTERS = EMPTY + COLORS
_SEATS = range(len(SEATS))
_COLORS = range(1, len(_LETTERS))


@dataclass(frozen=True)
class Better:
    """The best layout in reach, what it scores, and the moves that lead to it, in words."""

    points: int
    bonus: int
    layout: Layout
    moves: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The field ``better`` of an answer to ``solve``."""
        return {
            "points": self.points,
            "bonus": self.bonus,
            "layout": str(self.layout),
            "moves": list(self.moves),
        }


@dataclass(frozen=True)
class _Reach:
    """The states first reached by one more move, and from which of the states before each came."""

    states: States
    parents: NDArray[np.intp]


def better_from(
    layout: Layout,
    moves: int,
    cards: Sequence[Card],
    edition: Edition = ENGLISH,
    rulings: Rulings | None = None,
    most: int | None = None,
) -> Better:
    """The best layout at most so many moves away; with the fewest moves among equals."""
    if not 0 <= moves <= MOST_MOVES:
        raise RulesError("bad_moves", f"The number of moves is 0 to {MOST_MOVES}, not {moves}.")
    if layout.problems():
        raise LayoutError(layout.problems())
    reached = [_Reach(np.array([_pack(layout)]), np.zeros(1, np.intp))]
    best, steps, at = (-1, 0), 0, 0
    for made in range(moves + 1):
        if made:
            reached.append(_one_more_move(reached, moves - made, best[0]))
        standing = _standing(reached[-1].states, best[0])
        groups = Groups(_color_sets(reached[-1].states[standing]))
        points, bonus = score_many(groups, cards, edition, rulings or Rulings(), most)
        if points.size:
            first = np.lexsort((bonus, points))[-1]
            if made == 0 or (points[first], bonus[first]) > best:
                best = int(points[first]), int(bonus[first])
                steps, at = made, int(standing[first])
    path = _path(reached[: steps + 1], at)
    words = tuple(_in_words(a, b) for a, b in pairwise(path))
    return Better(*best, path[-1], words)


def _one_more_move(reached: list[_Reach], left: int, floor: int) -> _Reach:
    """What one more move leads to that was not reached before and can still beat the floor."""
    parts = list(_moved(reached[-1].states))
    states = np.concatenate([states for states, _ in parts])
    parents = np.concatenate([parents for _, parents in parts])
    hopeful = np.flatnonzero(np.bitwise_count(_occupied(states)) + left >= floor)
    if not left:
        hopeful = hopeful[_legal()[_occupied(states[hopeful])]]
    states, first = np.unique(states[hopeful], return_index=True)
    new = ~np.isin(states, np.concatenate([level.states for level in reached]))
    return _Reach(states[new], parents[hopeful[first[new]]])


def _moved(states: States) -> Iterator[tuple[States, NDArray[np.intp]]]:
    """Every single move from every state: the new states and the index of the old ones."""
    cells = _cells(states)
    spare = {c: (cells == c).sum(axis=0) < PER_COLOR for c in _COLORS}
    for s in _SEATS:
        lifted = states & ~np.int64(7 << 3 * s)
        filled = np.flatnonzero(cells[s])
        yield lifted[filled], filled
        for t in _SEATS:
            rows = filled[cells[t, filled] == 0]
            yield lifted[rows] | cells[s, rows] << 3 * t, rows
        for c in _COLORS:  # placed on an empty seat, or exchanged for another colour
            rows = np.flatnonzero(spare[c] & (cells[s] != c))
            yield lifted[rows] | np.int64(c << 3 * s), rows


def _standing(states: States, floor: int) -> NDArray[np.intp]:
    """The states that can stand and have spheres enough to score more than the floor."""
    occupied = _occupied(states)
    return np.flatnonzero(_legal()[occupied] & (np.bitwise_count(occupied) >= floor))


@cache
def _legal() -> NDArray[np.bool_]:
    return np.array([can_stand(mask) for mask in range(1 << len(SEATS))])


def _pack(layout: Layout) -> int:
    return sum(_LETTERS.index(letter) << 3 * s for s, letter in enumerate(layout.cells))


def _unpack(state: int) -> Layout:
    return Layout("".join(_LETTERS[state >> 3 * s & 7] for s in _SEATS))


def _cells(states: States) -> NDArray[np.int64]:
    """The colour on each seat (rows) of each state (columns); 0 where it is empty."""
    return np.stack([states >> 3 * s & 7 for s in _SEATS])


def _occupied(states: States) -> SeatSets:
    occupied = np.zeros(states.size, np.uint16)
    for s in _SEATS:
        occupied |= ((states & (7 << 3 * s)) != 0).astype(np.uint16) << np.uint16(s)
    return occupied


def _color_sets(states: States) -> SeatSets:
    bits = np.uint16(1) << np.arange(len(SEATS), dtype=np.uint16)
    cells = _cells(states)
    return np.stack([bits @ (cells == c) for c in _COLORS]).astype(np.uint16)


def _path(reached: Sequence[_Reach], at: int) -> list[Layout]:
    """The layouts from the start to this state."""
    path = []
    for level in reversed(reached):
        path.append(_unpack(int(level.states[at])))
        at = int(level.parents[at])
    return path[::-1]


def _in_words(before: Layout, after: Layout) -> str:
    """The one move between two layouts."""
    changed = [seat for seat in SEATS if before[seat] != after[seat]]
    gone = [seat for seat in changed if before[seat] != EMPTY]
    come = [seat for seat in changed if after[seat] != EMPTY]
    if not gone:
        return f"place {_name(after, come[0])} on {come[0]}"
    if not come:
        return f"take {_name(before, gone[0])} off {gone[0]}"
    if gone == come:
        seat = gone[0]
        return f"exchange {_name(before, seat)} on {seat} for {_name(after, seat)}"
    return f"move {_name(before, gone[0])} from {gone[0]} to {come[0]}"


def _name(layout: Layout, seat: str) -> str:
    return COLOR_NAMES[layout[seat]].en
