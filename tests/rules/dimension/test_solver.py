import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dimension.cards import Card, standard_deck
from rules.dimension.editions import ENGLISH, GERMAN, edition
from rules.dimension.layout import Layout
from rules.dimension.patterns import patterns
from rules.dimension.rulings import Rulings
from rules.dimension.scoring import score_round
from rules.dimension.solver import can_all_be_met, solve
from tests.rules.dimension.exhaustive import Deal, every_layout, optima
from tests.rules.dimension.strategies import deals, layouts, rulings

UP_TO_ROTATION = 9_439_666
"""By Burnside's lemma: 56,632,756 layouts, less those equal under rotation."""


def cards_of(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


def test_the_patterns_stand_for_every_layout() -> None:
    table = patterns()
    of_one_naming = table.sixths * 120 // table.doubled
    assert of_one_naming.sum() == 6 * UP_TO_ROTATION


def random_deals(seeds: range) -> list[Deal]:
    """Deals of all sizes, in both editions, under all rulings."""
    found: list[Deal] = []
    for seed in seeds:
        rng = random.Random(seed)
        cards = rng.sample(standard_deck().cards, rng.choice([1, 3, 6, 6, 6, 8]))
        if seed % 4 == 0:  # exactly pairs are rare in a random deal
            cards = cards_of("exactly:1O exactly:2O") + [c for c in cards if c.colors != "O"][:6]
        ruled = Rulings(
            lone_touch=rng.choice(["fulfilled", "failed"]),
            exactly_pair=rng.choice(["both", "joint"]),
        )
        most = rng.choice([None, 8, 10, 11])
        found.append((cards, edition(rng.choice(["en", "de"])), ruled, most))
    return found


def assert_solver_equals_exhaustive_search(asked: list[Deal]) -> None:
    for (cards, box, ruled, most), truth in zip(asked, optima(asked), strict=True):
        solution = solve(cards, box, ruled, most)
        found = (solution.best.points, solution.best.bonus, solution.optimal)
        assert found == (truth.points, truth.bonus, truth.count), [str(c) for c in cards]
        with_bonus = solution.with_bonus and solution.with_bonus.points
        assert with_bonus == truth.best_with_bonus


@pytest.mark.no_cover
def test_the_solver_equals_an_exhaustive_search() -> None:
    assert_solver_equals_exhaustive_search(random_deals(range(6)))


@pytest.mark.slow
def test_the_exhaustive_search_leaves_no_layout_out() -> None:
    assert sum(map(len, every_layout())) == UP_TO_ROTATION


@pytest.mark.slow
def test_the_solver_equals_an_exhaustive_search_on_many_deals() -> None:
    assert_solver_equals_exhaustive_search(random_deals(range(6, 86)))


@given(deals(), rulings(), st.sampled_from(["en", "de"]), st.none() | st.integers(0, 11))
def test_the_layouts_shown_score_what_is_said(
    cards: list[Card], ruled: Rulings, code: str, most: int | None
) -> None:
    box = edition(code)
    solution = solve(cards, box, ruled, most)
    score = score_round(solution.best.layout, cards, box, ruled, most)
    assert (score.points, score.bonus) == (solution.best.points, solution.best.bonus)
    if solution.with_bonus:
        score = score_round(solution.with_bonus.layout, cards, box, ruled, most)
        assert score.points == solution.with_bonus.points
        assert score.bonus >= 1


@given(deals(), layouts(), rulings())
def test_no_layout_beats_the_best(cards: list[Card], layout: Layout, ruled: Rulings) -> None:
    score = score_round(layout, cards, ENGLISH, ruled)
    best = solve(cards, ENGLISH, ruled).best
    assert (score.points, score.bonus) <= (best.points, best.bonus)


@settings(max_examples=40)
@given(deals(4, 8))
def test_a_conflict_is_one_and_no_smaller_one_exists(cards: list[Card]) -> None:
    conflict = solve(cards).conflict
    assert bool(conflict) is not can_all_be_met(cards)
    if not conflict or any(card.kind == "exactly" for card in conflict):
        return  # exactly cards mean something else without their siblings: tested below
    assert not can_all_be_met(conflict)
    rest = [card for card in cards if card.kind != "exactly"]
    for smaller in combinations(rest, len(conflict) - 1):
        assert can_all_be_met(smaller)


@pytest.mark.parametrize(
    ("cards", "conflict"),
    [
        ("touch:BK apart:BK", ""),  # leave one of the colours out
        ("notabove:O notbelow:O", ""),
        ("exactly:1B exactly:1K touch:BK apart:BK", "exactly:1B exactly:1K touch:BK apart:BK"),
        ("exactly:1O exactly:2O more:GO", "exactly:1O more:GO"),  # three oranges, four greens
        ("more:WG more:GO more:OK more:KB more:BW", "more:WG more:GO more:OK more:KB"),
        ("sum4:KW exactly:1K exactly:2W touch:OB", "sum4:KW exactly:1K exactly:2W"),
    ],
)
def test_conflicts(cards: str, conflict: str) -> None:
    solution = solve(cards_of(cards))
    assert [str(card) for card in solution.conflict] == conflict.split()
    assert can_all_be_met(cards_of(cards)) is not bool(conflict)


def test_one_card_alone_is_easy() -> None:
    solution = solve(cards_of("touch:BK"))
    assert (solution.best.points, solution.best.bonus) == (11, 1)
    assert solution.with_bonus == solution.best


def test_failing_a_card_can_be_worth_it() -> None:
    cards = cards_of("exactly:1O exactly:1B exactly:1G exactly:1K exactly:1W more:WG")
    solution = solve(cards)
    assert solution.conflict
    assert score_round(solution.best.layout, cards).failed > 1
    assert solution.with_bonus is None


def test_the_german_second_chip_needs_a_fuller_tray() -> None:
    cards = cards_of("touch:BK apart:OO")
    assert solve(cards, GERMAN).best.bonus == 1
    assert solve(cards, GERMAN, most=11).best.points == 11  # points come first
    few = cards_of("exactly:1O exactly:1B exactly:1G exactly:1K exactly:1W")
    assert solve(few, GERMAN, most=6).best.bonus in (0, 2)


def test_a_solution_is_json_as_in_the_contract() -> None:
    answer = solve(cards_of("touch:BK exactly:2O")).to_json()
    assert list(answer) == ["points", "bonus", "layout", "optimal", "conflict", "with_bonus"]
    assert answer["with_bonus"] == {"points": 11, "layout": answer["layout"]}
