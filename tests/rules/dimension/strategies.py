"""Random layouts, cards and deals for property tests."""

from hypothesis import strategies as st

from rules.dimension.board import seats_in, shapes
from rules.dimension.cards import Card, standard_deck
from rules.dimension.layout import COLORS, PER_COLOR, Layout
from rules.dimension.rulings import Rulings


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """A legal layout."""
    seats = seats_in(draw(st.sampled_from(shapes())))
    colors = draw(st.permutations(COLORS * PER_COLOR))
    return Layout.of(dict(zip(seats, colors, strict=False)))


def deals(least: int = 1, most: int = 8) -> st.SearchStrategy[list[Card]]:
    """Different cards of the deck."""
    return st.lists(
        st.sampled_from(standard_deck().cards), min_size=least, max_size=most, unique=True
    )


def rulings() -> st.SearchStrategy[Rulings]:
    """Any rulings."""
    return st.builds(
        Rulings,
        lone_touch=st.sampled_from(["fulfilled", "failed"]),
        exactly_pair=st.sampled_from(["both", "joint"]),
        total=st.sampled_from(["negative", "floor"]),
        contradiction=st.sampled_from(["pair", "unsatisfiable"]),
    )
