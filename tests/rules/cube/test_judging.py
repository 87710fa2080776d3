"""Buildings, views, cards and verdicts against their bare definitions."""

from itertools import product

import pytest
from hypothesis import given, settings

from rules.cube.building import Building, problems
from rules.cube.cards import Card, Deck, standard_deck
from rules.cube.judge import judge
from rules.cube.moves import movable, why_held
from rules.cube.reasons import HELD
from rules.cube.views import Side, picture
from rules.errors import RulesError
from tests.rules.cube.strategies import brute_shows, brute_view, buildings, cards, low_buildings

START = "R,.,.,Y/.,BG,.,./.,.,.,./B,.,.,G"


@given(buildings)
def test_a_building_prints_as_the_line_that_it_is_parsed_from(building: Building) -> None:
    assert Building.parse(str(building)) == building
    assert building.turned(4) == building
    assert building.same_as(building.turned())
    assert Building.of(dict(building)) == building


@given(buildings)
def test_each_view_shows_the_nearest_cube_of_each_line(building: Building) -> None:
    for side in Side:
        rows = ["".join(row) for row in brute_view(building, side)]
        assert picture(building, side) == "/".join(rows)


@given(buildings, cards())
def test_a_card_is_fulfilled_where_a_view_shows_it(building: Building, card: Card) -> None:
    (verdict,) = judge(building, [card])
    assert verdict.fulfilled == brute_shows(building, card)
    if verdict.fulfilled:
        assert sorted(building[cube] for cube in verdict.cubes) == sorted(card.colors)


@settings(max_examples=60, deadline=None)
@given(low_buildings, cards("RY"))
def test_an_open_verdict_is_one_that_colours_decide(building: Building, card: Card) -> None:
    unseen = [cube for cube, letter in building if letter == "?"][6:]
    for cube in unseen:
        building = building.colored(cube, "R")
    unseen = [cube for cube, letter in building if letter == "?"]
    outcomes = {}
    for colors in product("RY", repeat=len(unseen)):
        whole = building
        for cube, color in zip(unseen, colors, strict=True):
            whole = whole.colored(cube, color)
        outcomes[colors] = brute_shows(whole, card)
    (verdict,) = judge(building, [card], colors="RY")
    found = set(outcomes.values())
    assert verdict.fulfilled == (found.pop() if len(found) == 1 else None)
    if verdict.fulfilled is None:
        deciding = {
            cube
            for at, cube in enumerate(unseen)
            for colors, shown in outcomes.items()
            for other in "RY"
            if outcomes[(*colors[:at], other, *colors[at + 1 :])] != shown
        }
        assert set(verdict.cubes) == deciding


def test_the_supply_may_settle_what_nobody_saw() -> None:
    building = Building.parse("R?,.,.,./.,.,.,./.,.,.,./.,.,.,.")
    assert judge(building, [Card.parse("RR")])[0].fulfilled is None
    assert judge(building, [Card.parse("RR")], supply={"R": 1})[0].fulfilled is False
    only_red = {"R": 2, "Y": 0, "B": 0, "G": 0}
    assert judge(building, [Card.parse("RR")], supply=only_red)[0].fulfilled is True


def test_the_hidden_half_of_a_twin_has_its_colour() -> None:
    upright = Building.parse("r?,.,.,./.,.,.,./.,.,.,./.,.,.,.")
    assert judge(upright, [Card.parse("RR")])[0].fulfilled is True
    either = Building.parse("r?,?,.,./.,.,.,./.,.,.,./.,.,.,.")
    verdict = judge(either, [Card.parse("R/R")])[0]
    assert verdict.fulfilled is True
    assert judge(either, [Card.parse("BB")])[0].fulfilled is False
    assert judge(either, [Card.parse("R/B")])[0].fulfilled is None


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (START, []),
        ("R", ["bad_shape", "bad_shape"]),
        (START.replace("BG", "RYBGR"), ["too_high"]),
        (START.replace("BG", "BX"), ["bad_letter"]),
        (START.replace("BG", "B.G"), ["bad_shape"]),
        (START.replace("BG", ""), ["bad_shape"]),
        (START.replace("BG", "bb"), []),
        (START.replace("BG,.", "b,b"), []),
        (START.replace("BG", "b"), ["twin"]),
        (START.replace("BG,.,.", "b,.,b"), ["twin"]),
        (START.replace("BG", "bbb"), ["twin"]),
        (START.replace("BG", "bX").replace("R", "RRRRR"), ["bad_letter", "too_high", "twin"]),
    ],
)
def test_all_problems_are_told_at_once(text: str, codes: list[str]) -> None:
    assert [problem.code for problem in problems(text)] == codes


def test_more_cubes_than_there_are() -> None:
    (problem,) = problems(START, supply={"B": 1})
    assert (problem.code, problem.cubes) == ("too_many", ((1, 1, 0), (0, 3, 0)))
    four = {"R": 1, "Y": 1, "B": 1, "G": 1}
    board = "R?,YB,G,./.,.,.,./.,.,.,./.,.,.,."
    assert [problem.code for problem in problems(board, supply=four)] == ["too_many"]


def test_the_deck_has_48_different_cards_of_four_cubes() -> None:
    deck = standard_deck()
    assert len(deck) == len({card.key for card in deck.cards}) == 48
    assert {len(card.colors) for card in deck.cards} == {4}
    for codes in ([], ["RB/YG", "YR/GB"]):
        with pytest.raises(RulesError):
            Deck.of(codes)


@pytest.mark.parametrize("text", ["", "R/", "RB/Y", "RRRRR", "r", "R?", "..", "R/R/R/R/R"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(RulesError) as refused:
        Card.parse(text)
    assert refused.value.code == "bad_card"


def test_what_may_not_be_moved() -> None:
    board = Building.parse("RY,b,b,G/.,.,.,./.,.,.,./R,.,.,Y")
    assert movable(board) == ((0, 0, 1), (3, 0, 0), (0, 3, 0), (3, 3, 0))
    assert movable(board, last=(0, 0, 1), first_round=True) == ()
    assert movable(board, closed_rows=True) == ((0, 0, 1), (0, 3, 0), (3, 3, 0))
    assert why_held(board, (1, 0, 0)) == "twin"
    full = Building(("R",) * 15 + ("RB",))
    assert movable(full) == ((3, 3, 1),)
    assert set(HELD) >= {why_held(full, (0, 0, 0)), why_held(full, (3, 3, 0))}
