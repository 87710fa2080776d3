"""Colours that nobody saw: whether some colouring shows a card, and whether some does not.

A card may be shown in several places. Each place demands colours of some unseen cubes; the card is
shown if all demands of one place are met.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.cube.building import Building, Cube, Supply

Demand = Mapping[Cube, str]
"""The colours that unseen cubes need, so that a card is shown in one place."""

MOST_STEPS = 20_000
"""Steps of a search before it gives up. Then a verdict stays open, which is safe."""


@dataclass(frozen=True)
class Unseen:
    """The unseen cubes of a building: what colours they can have, and how many are left of each."""

    colors: str
    left: Mapping[str, int]
    """Cubes left of each colour whose number is limited."""

    @classmethod
    def of(cls, building: Building, colors: str, supply: Supply) -> "Unseen":
        """The unseen cubes of a building, with what its seen ones leave of the supply."""
        return cls(colors, {color: supply[color] - building.count(color) for color in supply})

    def allows(self, demand: Demand) -> bool:
        """Whether there are enough cubes for these colours."""
        used = Counter(demand.values())
        return all(used[color] <= left for color, left in self.left.items())

    def can_avoid(self, demands: Sequence[Demand], given: Demand | None = None) -> bool:
        """Whether some colouring, beginning with the given colours, meets no demand wholly."""
        steps = iter(range(MOST_STEPS))
        return self._avoid(demands, dict(given or {}), steps)

    def deciding(self, demands: Sequence[Demand]) -> tuple[Cube, ...]:
        """The cubes whose colour alone can turn a verdict, all others being as they may be."""
        cubes = sorted({cube for demand in demands for cube in demand})
        return tuple(cube for cube in cubes if self._decides(cube, demands))

    def _decides(self, cube: Cube, demands: Sequence[Demand]) -> bool:
        return any(
            self.allows(given := {**demand, cube: color}) and self.can_avoid(demands, given)
            for demand in demands
            if cube in demand
            for color in self.colors
            if color != demand[cube]
        )

    def _avoid(
        self, demands: Sequence[Demand], chosen: dict[Cube, str], steps: Iterator[int]
    ) -> bool:
        if next(steps, None) is None:
            return True
        threats = [d for d in demands if all(chosen.get(c, d[c]) == d[c] for c in d)]
        if not threats:
            return True
        threat = min(threats, key=lambda demand: sum(cube not in chosen for cube in demand))
        cube = next((cube for cube in threat if cube not in chosen), None)
        if cube is None:
            return False
        wanted = Counter(demand.get(cube) for demand in threats)
        for color in sorted(self.colors, key=lambda color: wanted[color]):
            more = {**chosen, cube: color}
            if self.allows(more) and self._avoid(demands, more, steps):
                return True
        return False
