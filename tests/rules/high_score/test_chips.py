"""Chip points: exact, places and drops included, against trying out everything."""

from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.errors import RulesError
from rules.high_score.adviser import Chips, advise
from rules.high_score.adviser.goals import chip_points
from rules.high_score.board import awarded, moved
from rules.high_score.challenges import Challenge
from rules.high_score.moments import Moment

RESULTS = range(-3, 70)


def tried_out(rolled: tuple[int, ...], ours: int, to_come: int, others: dict[int, float]) -> float:
    """The chip points of a result, over all that the players to come may roll."""
    points = 0.0
    for ends in product(others.items(), repeat=to_come):
        pieces = moved([*rolled, ours, *(result for result, _ in ends)])
        chip = awarded(pieces)[len(rolled)]
        points += prod(p for _, p in ends) * (chip.points if chip else 0)
    return points


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[int, ...], int]:
    """Results already rolled, and players to come."""
    players = draw(st.integers(2, 5))
    to_come = draw(st.integers(0, players - 1))
    near = st.one_of(st.integers(-2, 5), st.integers(15, 19), st.integers(58, 64))
    rolled = draw(st.lists(near, min_size=players - 1 - to_come, max_size=players - 1 - to_come))
    return tuple(rolled), to_come


@given(tables(), st.data())
@settings(max_examples=60, deadline=None)
def test_chip_points_are_those_of_trying_everything_out(
    table: tuple[tuple[int, ...], int], data: st.DataObject
) -> None:
    rolled, to_come = table
    ends = data.draw(
        st.lists(
            st.sampled_from([-1, 0, 1, 2, 3, 16, 17, 18, 60, 61]),
            min_size=1,
            max_size=4,
            unique=True,
        )
    )
    others = {end: (at + 1) / sum(range(len(ends) + 1)) for at, end in enumerate(ends)}
    ours = data.draw(st.sampled_from([-1, 0, 1, 2, 3, 4, 16, 17, 18, 60, 62]))
    expected = tried_out(rolled, ours, to_come, others)
    assert chip_points(rolled, to_come, others, [ours])[ours] == pytest.approx(expected)
    assert chip_points(rolled, to_come, others, RESULTS)[ours] == pytest.approx(expected)


def test_the_last_player_knows_what_each_result_brings() -> None:
    worth = chip_points((17, 9), 0, {}, RESULTS)
    assert (worth[18], worth[17], worth[10], worth[9], worth[1], worth[0]) == (3, 2, 2, 1, 1, 0)
    two = chip_points((17,), 0, {}, RESULTS)
    assert (two[18], two[17], two[1], two[0]) == (3, 1, 1, 0)


def test_a_piece_that_drops_past_ours_lets_us_stay_ahead() -> None:
    # The player to come rolls 18, which is taken, as is our 17: they drop to 16, behind us.
    assert chip_points((18,), 1, {18: 1.0}, [17])[17] == 2
    assert chip_points((19,), 1, {18: 1.0}, [17])[17] == 1


@pytest.mark.parametrize("text", ["total/three/0", "pairs/aside/-5", "odd/four/frozen"])
def test_the_last_player_only_has_to_beat_the_others(text: str) -> None:
    challenge = Challenge.parse(text)
    moment = Moment.parse(challenge, 1, "1133555")
    safe = advise(moment, Chips((-5,), 0))
    assert safe.stop  # positive already: gold
    assert safe.value == 3
    assert advise(Moment.start(challenge), Chips((60, 60), 0)).value <= 1


def test_more_players_to_come_leave_less() -> None:
    start = Moment.start(Challenge.parse("same/three/-4"))
    values = [advise(start, Chips((20,), to_come)).value for to_come in (1, 2, 3)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("rolled", "to_come"), [((), 0), ((1, 2, 3, 4, 5), 0), ((1,), -1), ((), 5)]
)
def test_chips_are_for_two_to_five_players(rolled: tuple[int, ...], to_come: int) -> None:
    with pytest.raises(RulesError) as refusal:
        Chips(rolled, to_come)
    assert refusal.value.code == "bad_goal"
