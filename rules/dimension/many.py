"""Judging many layouts at once: the judge's rules on arrays of seat sets.

Rows are layouts. A *group* is the set of seats that one colour holds in each row; for a batch of
layouts the five groups are the five colours, for the solver they are colours yet to be named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rules.dimension.board import BIT, LEVEL_ONE, MOST_SPHERES, RESTING_ON, SEATS, TOUCHING
from rules.dimension.cards import Card, Kind, exactly_siblings
from rules.dimension.editions import ENGLISH, Edition
from rules.dimension.layout import COLORS, Layout
from rules.dimension.rulings import Rulings
from rules.dimension.scoring import penalty
from rules.worth import Scoring, Worth

SeatSets = NDArray[np.uint16]
Flags = NDArray[np.bool_]

_TOUCHING: SeatSets = np.array(TOUCHING, np.uint16)
_RESTING_ON: SeatSets = np.array(RESTING_ON, np.uint16)


@dataclass(frozen=True)
class Groups:
    """Five seat sets a row, as an array of five columns, and what can be asked of them."""

    sets: SeatSets

    @cached_property
    def occupied(self) -> SeatSets:
        """The seats filled in each row."""
        return np.asarray(np.bitwise_or.reduce(self.sets, axis=0))

    @cached_property
    def size(self) -> NDArray[np.uint8]:
        """The number of spheres in each group."""
        return np.bitwise_count(self.sets)

    @cached_property
    def raised(self) -> Flags:
        """Whether a sphere of the group lies above level one."""
        return np.asarray((self.sets & np.uint16(~LEVEL_ONE & 0xFFFF)) != 0)

    @cached_property
    def burdened(self) -> Flags:
        """Whether a sphere of the group carries another one."""
        return np.asarray((_RESTING_ON[self.sets] & self.occupied) != 0)

    @cached_property
    def touching(self) -> SeatSets:
        """The seats that touch the group."""
        return _TOUCHING[self.sets]

    @cached_property
    def in_contact(self) -> Flags:
        """Whether a sphere of group ``[g, h]`` touches one of the other (or of the same)."""
        return np.asarray((self.sets[:, None] & self.touching) != 0)

    @cached_property
    def lonely(self) -> Flags:
        """Whether a sphere of group ``[g, h]`` touches none of the other, both being there."""
        apart = (self.sets[:, None] & ~self.touching) != 0
        there = self.sets != 0
        return np.asarray((apart | apart.swapaxes(0, 1)) & there[:, None] & there)

    def failed(self, demand: "Demand", g: int, h: int) -> Flags:
        """Whether a demand is failed in each row by groups ``g`` and ``h`` as its two colours."""
        size = self.size
        match demand.kind:
            case Kind.EXACTLY:
                return np.asarray(size[g] != demand.wanted)
            case Kind.TOUCH if g == h and demand.lone_is_fine:
                return np.asarray(self.lonely[g, h] & (size[g] > 1))
            case Kind.TOUCH:
                return np.asarray(self.lonely[g, h])
            case Kind.APART:
                return np.asarray(self.in_contact[g, h])
            case Kind.NOT_ABOVE:
                return np.asarray(self.raised[g])
            case Kind.NOT_BELOW:
                return np.asarray(self.burdened[g])
            case Kind.MORE:
                return np.asarray(size[g] <= size[h])
            case Kind.SUM4:
                return np.asarray(size[g] + size[h] != 4)


@dataclass(frozen=True)
class Demand:
    """What a card asks for, whatever its colours, as the other cards and the rulings make it."""

    kind: Kind
    wanted: int
    lone_is_fine: bool


def demand(card: Card, revealed: Sequence[Card], rulings: Rulings) -> Demand:
    """What a card asks for among the revealed ones."""
    wanted = card.number + sum(other.number for other in exactly_siblings(card, revealed))
    return Demand(card.kind, wanted, rulings.lone_touch == "fulfilled")


def judge_many(
    layouts: Sequence[Layout], cards: Sequence[Card], rulings: Rulings | None = None
) -> Flags:
    """Whether each layout (row) fulfils each card (column), as ``judge`` would say."""
    return ~_failed(Groups(color_sets(layouts)), cards, rulings or Rulings())


def score_many(
    groups: Groups, cards: Sequence[Card], edition: Edition, rulings: Rulings, most: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Points and bonus tokens of each row, its groups being the five colours in their order."""
    bits = 1 << np.arange(len(cards))
    failed = _failed(groups, cards, rulings) @ bits
    lost = [
        penalty([card for card, bit in zip(cards, bits, strict=True) if failed_set & bit], rulings)
        for failed_set in range(1 << len(cards))
    ]
    spheres = groups.size.sum(axis=0, dtype=np.int64)
    tokens = edition_tokens(edition, most)[spheres, (groups.size.min(axis=0) > 0).astype(int)]
    return spheres - np.array(lost)[failed], np.where(failed == 0, tokens, 0)


def scoring(
    cards: Sequence[Card],
    edition: Edition = ENGLISH,
    rulings: Rulings | None = None,
    most: int | None = None,
) -> Scoring[Layout]:
    """Scores layouts under these terms, many at once."""
    ruled = rulings or Rulings()

    def worth(layouts: Sequence[Layout]) -> Worth:
        groups = Groups(color_sets(layouts))
        points, bonus = score_many(groups, cards, edition, ruled, most)
        fulfilled = ~_failed(groups, cards, ruled)
        return Worth(points, bonus, dict(zip(map(str, cards), fulfilled.T, strict=True)))

    return worth


def edition_tokens(edition: Edition, most: int | None) -> NDArray[np.int64]:
    """Bonus tokens if all cards are met, by number of spheres and whether all colours are used."""
    return np.array(
        [
            [edition.bonus(True, five, spheres, most) for five in (False, True)]
            for spheres in range(MOST_SPHERES + 1)
        ]
    )


def _failed(groups: Groups, cards: Sequence[Card], rulings: Rulings) -> Flags:
    """Whether each row fails each card (column), the groups being the colours in their order."""
    columns = [
        groups.failed(
            demand(card, cards, rulings), COLORS.index(card.first), COLORS.index(card.second)
        )
        for card in cards
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((groups.sets.shape[1], 0), bool)


def color_sets(layouts: Sequence[Layout]) -> SeatSets:
    """The seats of each colour (rows, in the order of ``COLORS``) in each layout (columns)."""
    text = "".join(layout.cells for layout in layouts).encode("ascii")
    cells = np.frombuffer(text, np.uint8).reshape(-1, len(SEATS))
    bits = np.array([BIT[seat] for seat in SEATS], np.uint16)
    return np.stack([(cells == ord(color)) @ bits for color in COLORS]).astype(np.uint16)
