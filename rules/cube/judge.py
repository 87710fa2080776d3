"""Verdicts: whether a building shows a card, from where, and what that hangs on.

Where nobody saw the colour of a cube (``?``), a card is fulfilled if every colouring shows it, not
fulfilled if none does, and open otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rules.cube.building import COLORS, UNKNOWN, Building, Cube, Supply, partners
from rules.cube.cards import Card
from rules.cube.colorings import Demand, Unseen
from rules.cube.reasons import found, found_either_way, not_found, undecided
from rules.cube.views import Side, Sight, letters, sight
from rules.texts import Text


@dataclass(frozen=True)
class Verdict:
    """Whether a card is fulfilled; ``None`` if that is open.

    A fulfilled card has the ``view`` that shows it and its ``cubes``, in the order of the card as
    it stands there. An open one has the cubes whose colours decide.
    """

    card: Card
    fulfilled: bool | None
    view: Side | None
    cubes: tuple[Cube, ...]
    reason: Text

    def shown(self) -> dict[str, object]:
        """What to point at, as decoded JSON."""
        return {"view": self.view and str(self.view), "cubes": list(map(list, self.cubes))}


@dataclass(frozen=True)
class Sights:
    """A building with what its five views show."""

    building: Building

    @cached_property
    def seen(self) -> dict[Side, tuple[Sight, str]]:
        """By view, the cubes and their letters, halves of twins like any cube."""
        by_side = {side: sight(self.building, side) for side in Side}
        return {
            side: (seen, letters(self.building, seen).upper()) for side, seen in by_side.items()
        }

    def find(self, card: Card) -> tuple[Side, tuple[Cube, ...]] | None:
        """The first view that shows a card, and its cubes there; ``None`` if there is none."""
        for side, demand in self._matches(card, also=""):
            return side, tuple(demand)
        return None

    def demands(self, card: Card) -> list[Demand]:
        """For each place where the card may be shown, what colours unseen cubes need for it."""
        return [
            {cube: color for cube, color in demand.items() if self.building[cube] == UNKNOWN}
            for _, demand in self._matches(card, also=UNKNOWN)
        ]

    def _matches(self, card: Card, also: str) -> Iterator[tuple[Side, Demand]]:
        for side, (seen, shown) in self.seen.items():
            for placement in card.placements:
                if all(shown[at] == color or shown[at] in also for at, color in placement):
                    yield side, {cube: color for at, color in placement if (cube := seen[at])}


def judge(
    building: Building,
    cards: Sequence[Card],
    colors: str = COLORS,
    supply: Supply | None = None,
) -> tuple[Verdict, ...]:
    """The verdict on each card; the building must have no problems."""
    completed = [Sights(whole) for whole in _with_whole_twins(building)]
    return tuple(_over_all(card, completed, colors, supply or {}) for card in cards)


def _over_all(card: Card, completed: Sequence[Sights], colors: str, supply: Supply) -> Verdict:
    """One verdict over all ways in which the hidden half of a twin may lie."""
    verdicts = [_verdict(card, sights, colors, supply) for sights in completed]
    if len({(verdict.fulfilled, verdict.view, verdict.cubes) for verdict in verdicts}) == 1:
        return verdicts[0]
    hidden = {cube for sights in completed for cube in _halves_unlike(completed[0], sights)}
    if len({verdict.fulfilled for verdict in verdicts}) == 1:
        if verdicts[0].fulfilled:
            return Verdict(card, True, None, verdicts[0].cubes, found_either_way())
        hidden = set()
    deciding = {cube for v in verdicts if v.fulfilled is None for cube in v.cubes} | hidden
    return _open(card, tuple(sorted(deciding)))


def _verdict(card: Card, sights: Sights, colors: str, supply: Supply) -> Verdict:
    shown = sights.find(card)
    if shown is not None:
        side, cubes = shown
        return Verdict(card, True, side, cubes, found(side))
    demands = sights.demands(card)
    unseen = Unseen.of(sights.building, colors, supply)
    possible = [demand for demand in demands if unseen.allows(demand)]
    if not possible:
        return Verdict(card, False, None, (), not_found(card.colors, sights.building))
    if not unseen.can_avoid(possible):
        return Verdict(card, True, None, tuple(possible[0]), found_either_way())
    return _open(card, unseen.deciding(possible))


def _open(card: Card, deciding: tuple[Cube, ...]) -> Verdict:
    return Verdict(card, None, None, deciding, undecided(deciding))


def _with_whole_twins(building: Building) -> Iterator[Building]:
    """The building with the other half of each twin told, in every way that it may lie."""
    there = dict(building)
    halves = [cube for cube, letter in there.items() if letter.islower()]
    lone = [h for h in halves if sum(there[other] == there[h] for other in halves) == 1]
    for chosen in product(*(partners(half, there) for half in lone)):
        if len(set(chosen)) == len(chosen):
            whole = building
            for half, other in zip(lone, chosen, strict=True):
                whole = whole.colored(other, there[half])
            yield whole


def _halves_unlike(one: Sights, other: Sights) -> Iterator[Cube]:
    return (cube for cube, letter in one.building if other.building[cube] != letter)
