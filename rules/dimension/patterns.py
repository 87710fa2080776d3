"""All layouts there are, up to rotation and the naming of colours.

A *pattern* is a legal shape whose spheres are divided into at most five groups of at most three,
with no word on which group is which colour. 56,632,756 layouts come from only 188,116 patterns
times the ways of naming five groups. Many of those no card can tell apart (same sizes, same
contacts between the same groups, same levels): those become one row here, with the number of
layouts it stands for and one pattern to show.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import BIT, SEATS, rotate_seat, seat_set, seats_in, shapes
from rules.dimension.layout import COLORS, PER_COLOR
from rules.dimension.many import Flags, Groups, SeatSets

GROUPS = len(COLORS)
ROTATIONS = 6


@dataclass(frozen=True)
class Patterns:
    """Every pattern that cards can tell from the others, a row each.

    ``sixths`` says how many layouts up to rotation a row stands for, in sixths, for one naming
    of its groups.
    """

    groups: Groups
    sixths: NDArray[np.int64]

    @cached_property
    def spheres(self) -> NDArray[np.int64]:
        """The number of spheres in each row."""
        return np.asarray(self.groups.size.sum(axis=0, dtype=np.int64))

    @cached_property
    def five_colors(self) -> Flags:
        """Whether no group of a row is empty."""
        return np.asarray(self.groups.size.min(axis=0) > 0)

    @cached_property
    def doubled(self) -> NDArray[np.int64]:
        """Of all 120 namings of a row's groups, how many give one layout: the empty are alike."""
        empty = np.count_nonzero(self.groups.size == 0, axis=0)
        orders = np.array([factorial(count) for count in range(GROUPS + 1)])
        return np.asarray(orders[empty])


@cache
def patterns() -> Patterns:
    """All patterns there are, those with most spheres first."""
    found = [_on_shape(shape) for shape in shapes() if shape == min(_rotations(shape))]
    sets = _in_order(np.concatenate([sets for sets, _ in found], axis=1))
    sixths = np.concatenate([sixths for _, sixths in found])
    _, shown, kind = np.unique(_signature(Groups(sets)), return_index=True, return_inverse=True)
    merged = Patterns(Groups(sets[:, shown]), np.bincount(kind, sixths).astype(np.int64))
    order = np.argsort(-merged.spheres, kind="stable")
    return Patterns(Groups(merged.groups.sets[:, order]), merged.sixths[order])


def _rotations(shape: int) -> list[int]:
    return [
        seat_set(rotate_seat(seat, steps) for seat in seats_in(shape)) for steps in range(ROTATIONS)
    ]


def _on_shape(shape: int) -> tuple[SeatSets, NDArray[np.int64]]:
    """The groups of every pattern on a shape, and the sixths of a layout each counts for."""
    bits = np.array([BIT[seat] for seat in seats_in(shape)], np.uint16)
    member = _partitions(len(bits))
    sets = np.stack([(member == g) @ bits for g in range(GROUPS)]).astype(np.uint16)
    # Layouts up to rotation, by Burnside's lemma: a rotation that maps the shape to itself shows
    # the pattern again unless it maps every group to itself.
    symmetries = [steps for steps, turned in enumerate(_rotations(shape)) if turned == shape]
    kept = sum((_rotated(sets, steps) == sets).all(axis=0) for steps in symmetries)
    return sets, np.asarray(kept * ROTATIONS // len(symmetries), np.int64)


def _rotated(sets: SeatSets, steps: int) -> SeatSets:
    turned = np.zeros_like(sets)
    for seat in SEATS:
        turned |= np.where(sets & BIT[seat], np.uint16(BIT[rotate_seat(seat, steps)]), np.uint16(0))
    return turned


@cache
def _partitions(size: int) -> NDArray[np.uint8]:
    """Every division of so many spheres into groups, a row each: the group of each sphere.

    Groups are numbered in the order in which they first come up, so no division comes twice.
    """
    rows = np.zeros((1, 0), np.uint8)
    for _ in range(size):
        counts = np.stack([(rows == g).sum(axis=1) for g in range(GROUPS)], axis=1)
        used = np.count_nonzero(counts, axis=1)
        rows = np.concatenate(
            [
                np.insert(rows[fits], rows.shape[1], g, axis=1)
                for g in range(GROUPS)
                if (fits := (g <= used) & (counts[:, g] < PER_COLOR)).any()
            ]
        )
    return rows


def _in_order(sets: SeatSets) -> SeatSets:
    """The same rows with their groups sorted by what cards ask of one colour: more rows alike."""
    groups = Groups(sets)
    traits = np.stack([_own_traits(groups, g) for g in range(GROUPS)])
    return np.take_along_axis(sets, np.argsort(traits, axis=0), axis=0)


def _signature(groups: Groups) -> NDArray[np.int64]:
    """All that cards can ask about a row, packed into one number."""
    signature = np.zeros(groups.sets.shape[1], np.int64)
    for g in range(GROUPS):
        signature = signature << 6 | _own_traits(groups, g)
    for g, h in combinations(range(GROUPS), 2):
        signature = signature << 2 | _shared_traits(groups, g, h)
    return signature


def _own_traits(groups: Groups, g: int) -> NDArray[np.int64]:
    """Six bits: size, levels, and how the spheres of the group touch each other."""
    size, raised = groups.size[g].astype(np.int64), groups.raised[g].astype(np.int64)
    levels = raised << 3 | groups.burdened[g] << 2
    return np.asarray(size << 4 | levels | _shared_traits(groups, g, g))


def _shared_traits(groups: Groups, g: int, h: int) -> NDArray[np.int64]:
    """Two bits: whether the groups are in contact, and whether one lacks it."""
    return np.asarray(groups.lonely[g, h].astype(np.int64) << 1 | groups.in_contact[g, h])
