"""Tens: disjoint groups of dice that each add up to exactly ten."""

from collections.abc import Sequence
from functools import lru_cache

TEN = 10

Group = tuple[int, ...]
"""Indices of dice that count together."""


def tens(values: Sequence[int], ruling: str) -> tuple[Group, ...]:
    """The groups of dice that make ten, as the table's ruling forms them.

    >>> tens((5, 5, 3, 4, 2, 1, 1), "best")
    ((0, 1), (3, 2, 4, 5))
    """
    order = sorted(range(len(values)), key=lambda i: -values[i])
    found = _packed(tuple(values[i] for i in order), ruling)
    return tuple(tuple(order[at] for at in group) for group in found)


@lru_cache(maxsize=8192)
def _packed(values: tuple[int, ...], ruling: str) -> tuple[Group, ...]:
    """The groups among values that fall from left to right.

    A group adds ten to the result instead of taking ten from it, whatever is in it: the best
    grouping is the one with the most groups.
    """
    groups = _groups_of_ten(values)
    if ruling == "largest":
        return _greedy(groups)
    return _most(groups, sum(value for value in values if value > 0) // TEN)


def _groups_of_ten(values: tuple[int, ...]) -> list[Group]:
    """All groups that make ten, those with the largest dice first; zeros join none."""
    found: list[Group] = []
    open_groups: list[tuple[int, Group]] = [(0, ())]
    for at, value in enumerate(values):
        if value:
            grown = [(total + value, (*group, at)) for total, group in open_groups]
            found += [group for total, group in grown if total == TEN]
            open_groups += grown
    return sorted(found, key=lambda group: [-values[at] for at in group] + [-TEN * TEN])


def _greedy(groups: list[Group]) -> tuple[Group, ...]:
    taken: list[Group] = []
    for group in groups:
        if not any(set(group) & set(other) for other in taken):
            taken.append(group)
    return tuple(taken)


def _most(groups: list[Group], bound: int) -> tuple[Group, ...]:
    """The largest set of disjoint groups; no more than ``bound`` can be had."""
    best: tuple[Group, ...] = ()
    for place, group in enumerate(groups):
        others = [other for other in groups[place + 1 :] if not set(group) & set(other)]
        packed = (group, *_most(others, bound - 1))
        if len(packed) > len(best):
            best = packed
        if len(best) >= bound:
            break
    return best
