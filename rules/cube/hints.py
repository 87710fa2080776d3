"""What one turn can fulfil: draw and place, or move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.cube.building import COLORS, SIZE, SPACES, Building, Cube, Supply
from rules.cube.cards import Card
from rules.cube.judge import judge


@dataclass(frozen=True)
class Step:
    """A cube drawn from the bag (``origin`` is ``None``) or moved, and where it ends."""

    origin: Cube | None
    to: Cube
    color: str

    def to_json(self) -> dict[str, object]:
        """The step as decoded JSON."""
        return {
            "from": self.origin and list(self.origin),
            "to": list(self.to),
            "color": self.color,
        }


def hints(
    building: Building,
    cards: Sequence[Card],
    may_move: Sequence[Cube],
    bag: str,
    colors: str = COLORS,
    supply: Supply | None = None,
) -> list[tuple[Card, Step]]:
    """For each card that is not fulfilled yet, the steps that fulfil it; moves come first."""
    verdicts = judge(building, cards, colors, supply)
    wanted = [verdict.card for verdict in verdicts if not verdict.fulfilled]
    found: dict[Card, list[Step]] = {card: [] for card in wanted}
    for step, after in steps(building, may_move, bag):
        for verdict in judge(after, wanted, colors):
            if verdict.fulfilled:
                found[verdict.card].append(step)
    return [(card, step) for card, there in found.items() for step in there]


def steps(
    building: Building, may_move: Sequence[Cube], bag: str
) -> Iterator[tuple[Step, Building]]:
    """All that one turn can do without a twin, and the building that it leads to."""
    for cube in may_move:
        x, y, _ = cube
        letter, lifted = building[cube], building.lifted((x, y))
        for space in SPACES:
            if space != (x, y) and building.height(space) < SIZE:
                to = (*space, building.height(space))
                yield Step(cube, to, letter), lifted.placed(space, letter)
    for color in bag:
        for space in SPACES:
            if building.height(space) < SIZE:
                to = (*space, building.height(space))
                yield Step(None, to, color), building.placed(space, color)
