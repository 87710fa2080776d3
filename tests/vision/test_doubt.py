"""Doubt is a sum over positions: it needs nothing of a game but a way to score them."""

from collections.abc import Sequence

import numpy as np
import pytest

from rules.worth import Worth
from vision.doubt import decisive, weigh

FIRST, SECOND = "first", "second"


def eyes(dice: Sequence[str]) -> Worth:
    """A toy game of two dice: their eyes are the points, a double fulfils its card."""
    points = np.array([sum(map(int, pair)) for pair in dice], dtype=np.int64)
    double = np.array([pair[0] == pair[1] for pair in dice])
    return Worth(points, np.zeros_like(points), {"double": double})


def parts(dice: Sequence[str]) -> dict[str, list[str]]:
    return {FIRST: [pair[0] for pair in dice], SECOND: [pair[1] for pair in dice]}


def test_points_and_cards_are_weighed_by_chances() -> None:
    weighed = weigh({"11": 0.5, "12": 0.3}, eyes)
    assert weighed.points == {2: pytest.approx(0.625), 3: pytest.approx(0.375)}
    assert weighed.cards == {"double": pytest.approx(0.625)}


def test_the_part_that_tells_the_points_apart_decides() -> None:
    dice = {"11": 0.5, "12": 0.3}
    assert decisive(weigh(dice, eyes), parts(list(dice))) == (SECOND,)


def test_nothing_decides_where_all_are_worth_the_same() -> None:
    dice = {"12": 0.5, "21": 0.5}
    assert decisive(weigh(dice, eyes), parts(list(dice))) == ()


def test_nothing_decides_where_the_points_are_as_good_as_certain() -> None:
    dice = {"11": 0.999, "12": 0.001}
    assert decisive(weigh(dice, eyes), parts(list(dice))) == ()


def test_positions_without_any_chance_count_alike() -> None:
    assert weigh({"11": 0.0, "12": 0.0}, eyes).points == {3: 0.5, 2: 0.5}
