"""Random buildings and cards, and what a view shows by its bare definition."""

from hypothesis import strategies as st

from rules.cube.building import Building
from rules.cube.cards import Card

columns = st.text("RYBG", max_size=4)
buildings = st.builds(Building, st.tuples(*[columns] * 16))
low_buildings = st.builds(Building, st.tuples(*[st.text("RY?", max_size=2)] * 16))


@st.composite
def cards(draw: st.DrawFn, colors: str = "RYBG") -> Card:
    wide, high = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rows = [draw(st.text(colors + ".", min_size=wide, max_size=wide)) for _ in range(high)]
    if not set("".join(rows)) & set(colors):
        rows[0] = colors[0] + rows[0][1:]
    return Card(tuple(rows))


def brute_view(building: Building, view: str) -> list[list[str]]:
    """Rows of letters, walking along each line of sight step by step."""

    def letter(x: int, y: int, z: int) -> str:
        column = building.column((x, y))
        return column[z] if z < len(column) else ""

    def nearest(places: list[tuple[int, int, int]]) -> str:
        return next((letter(*place) for place in places if letter(*place)), ".").upper()

    four, back = [0, 1, 2, 3], [3, 2, 1, 0]
    match view:
        case "top":
            return [[nearest([(x, y, z) for z in back]) for x in four] for y in four]
        case "south":
            return [[nearest([(x, y, z) for y in back]) for x in four] for z in back]
        case "north":
            return [[nearest([(x, y, z) for y in four]) for x in back] for z in back]
        case "west":
            return [[nearest([(x, y, z) for x in four]) for y in four] for z in back]
    return [[nearest([(x, y, z) for x in back]) for y in back] for z in back]


def brute_shows(building: Building, card: Card) -> bool:
    """Whether a view shows a card: the view is turned instead of the card."""
    for view in ("top", "south", "north", "west", "east"):
        rows = brute_view(building, view)
        for _ in range(4):
            rows = [list(row) for row in zip(*reversed(rows), strict=True)]
            for top in range(5 - len(card.rows)):
                for left in range(5 - len(card.rows[0])):
                    if all(
                        wanted in (".", rows[top + i][left + j])
                        for i, row in enumerate(card.rows)
                        for j, wanted in enumerate(row)
                    ):
                        return True
    return False
