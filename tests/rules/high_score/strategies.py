"""Random dice, challenges and rulings for property tests."""

from hypothesis import strategies as st

from rules.high_score.challenges import Challenge, Scoring, Vortex, Way
from rules.high_score.dice import DICE, FACES, Dice
from rules.high_score.rulings import Rulings


def dice(count: int = DICE) -> st.SearchStrategy[Dice]:
    """So many dice."""
    return st.text(FACES, min_size=count, max_size=count).map(Dice)


def vortices() -> st.SearchStrategy[int | Vortex]:
    """Any vortex."""
    return st.one_of(st.integers(-20, 20), st.sampled_from(Vortex))


def challenges() -> st.SearchStrategy[Challenge]:
    """Any challenge."""
    return st.builds(Challenge, st.sampled_from(Scoring), st.sampled_from(Way), vortices())


def rulings() -> st.SearchStrategy[Rulings]:
    """Any rulings."""
    return st.builds(
        Rulings,
        pairs=st.sampled_from(["all", "one"]),
        vortex=st.sampled_from(["matches", "apart"]),
        tens=st.sampled_from(["best", "largest"]),
    )
