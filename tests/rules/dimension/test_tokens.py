from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dimension.editions import ENGLISH, GERMAN
from rules.dimension.game import RoundClosed, SetUp, TraySubmitted, apply, enter, replay
from rules.dimension.game.tokens import exchange, moved, worth

CARDS = ("sum4:WO", "exactly:2O", "touch:OK", "touch:BB", "apart:BW", "touch:GK")


@pytest.mark.parametrize(
    ("purse", "amount", "change"),
    [
        ({5: 1, 1: 5}, 11, {10: 1, 1: 1}),
        ({5: 1, 1: 5}, 9, {10: 1, 1: -1}),
        ({5: 1, 1: 5}, -2, {1: -2}),
        ({5: 1}, -2, {5: -1, 1: 3}),
        ({10: 1}, -10, {10: -1}),
        ({50: 1, 1: 2}, -12, {50: -1, 20: 2, 1: -2}),
        ({50: 1}, -12, {50: -1, 20: 1, 10: 1, 5: 1, 1: 3}),
        ({}, 0, {}),
    ],
)
def test_change_is_made_with_the_fewest_tokens(
    purse: dict[int, int], amount: int, change: dict[int, int]
) -> None:
    found, missing = exchange(purse, ENGLISH.point_tokens, amount)
    assert missing == 0
    assert worth(found) == amount
    assert sum(map(abs, found.values())) <= sum(map(abs, change.values()))


def fewest_by_trying(
    purse: Mapping[int, int], supply: Mapping[int, int], amount: int
) -> int | None:
    ranges = [range(-purse.get(v, 0), supply.get(v, 0) + 1) for v in supply]
    ways = (dict(zip(supply, counts, strict=True)) for counts in product(*ranges))
    return min((sum(map(abs, w.values())) for w in ways if worth(w) == amount), default=None)


def few() -> st.SearchStrategy[dict[int, int]]:
    return st.fixed_dictionaries(
        {1: st.integers(0, 4), 5: st.integers(0, 3), 10: st.integers(0, 2)}
    )


@settings(max_examples=200)
@given(few(), few(), st.integers(-30, 30))
def test_no_smaller_exchange_exists(
    purse: dict[int, int], supply: dict[int, int], amount: int
) -> None:
    found, missing = exchange(purse, supply, amount)
    step = 1 if amount > 0 else -1
    assert fewest_by_trying(purse, supply, amount - step * missing) == sum(map(abs, found.values()))
    for less in range(missing):
        assert fewest_by_trying(purse, supply, amount - step * less) is None


def test_a_short_supply_pays_what_it_can() -> None:
    found, missing = exchange({}, {1: 3, 5: 1}, 11)
    assert (worth(found), missing) == (8, 3)


def test_tokens_are_never_lost() -> None:
    game = replay([SetUp(("Ada", "Ben", "Cleo", "Dan"), edition="de")])
    game = apply(game, enter(CARDS))
    for player in game.settings.players:
        game = apply(game, TraySubmitted(player, "OKWKWKG/O.G.B./B"))
    game = apply(game, RoundClosed())
    total: Mapping[int, int] = game.supply
    for purse in game.purses.values():
        total = moved(total, purse)
    assert total == GERMAN.point_tokens
    assert [worth(purse) for purse in game.purses.values()] == [21] * 4
    assert [h.amount for h in game.handovers] == [11] * 4
    assert [h.bonus for h in game.handovers] == [1] * 4


def test_the_boxs_end_is_told() -> None:
    game = replay([SetUp(("Ada",))])
    empty = replace(game, supply=dict.fromkeys(game.supply, 0), bonus_paid={"Ada": 30})
    empty = apply(empty, enter(CARDS))
    empty = apply(apply(empty, TraySubmitted("Ada", "OKWKWKG/O.G.B./B")), RoundClosed())
    (handover,) = empty.handovers
    assert handover.short == 11
    assert handover.take == {}
