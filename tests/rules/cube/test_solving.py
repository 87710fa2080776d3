"""The solver against a search that is obviously right; hints; questions."""

import random
from itertools import combinations_with_replacement, product

import pytest

from rules.cube.building import SPACES, Building
from rules.cube.cards import Card, standard_deck
from rules.cube.entry import CubeRules
from rules.cube.judge import judge
from rules.cube.solver import solve
from rules.errors import RulesError
from tests.rules.cube.strategies import brute_shows


def slow_fewest(cards: list[Card], most: int) -> int | None:
    """Try every building, those of few cubes first."""
    for number in range(1, most + 1):
        for spaces in combinations_with_replacement(range(len(SPACES)), number):
            for colors in product("RY", repeat=number):
                columns = [""] * len(SPACES)
                for space, color in zip(spaces, colors, strict=True):
                    columns[space] += color
                if max(map(len, columns)) <= 4 and all(
                    brute_shows(Building(tuple(columns)), card) for card in cards
                ):
                    return number
    return None


@pytest.mark.parametrize(
    "codes", [["R"], ["RY", "R.Y"], ["RY", "YY"], ["R/Y", "R..R"], ["R.", ".R/Y."]]
)
def test_no_smaller_building_shows_all_cards(codes: list[str]) -> None:
    cards = [Card.parse(code) for code in codes]
    assert solve(cards).cubes == slow_fewest(cards, 3)


def test_solutions_show_their_cards_and_more_cards_take_no_fewer_cubes() -> None:
    rng = random.Random(5)
    for _ in range(4):
        cards = rng.sample(standard_deck().cards, 3)
        two, three = solve(cards[:2]), solve(cards)
        assert two.optimal
        assert three.optimal
        assert two.building is not None
        assert three.building is not None
        assert len(two.building) <= len(three.building)
        assert all(verdict.fulfilled for verdict in judge(three.building, cards))


def test_what_cannot_be_is_proven() -> None:
    assert solve([Card.parse("RRYG")], supply={"R": 1}).to_json() == {
        "board": None,
        "cubes": None,
        "optimal": True,
    }
    four = {"R": 1, "Y": 1, "B": 1, "G": 1}
    both = [Card.parse("RB/YG"), Card.parse("RYBG")]
    assert solve(both, supply=four).to_json()["optimal"]
    assert solve(both, supply=four).building is None


def test_a_search_that_is_stopped_claims_no_proof() -> None:
    cards = standard_deck().cards[:5]
    found = solve(cards, seconds=0.0)
    assert not found.optimal
    if found.building is not None:
        assert all(verdict.fulfilled for verdict in judge(found.building, cards))


def test_a_huge_supply_is_as_good_as_none() -> None:
    supply = dict.fromkeys("RYBG", 10**12)
    assert solve([Card.parse("R..R/Y...")], supply=supply).cubes == 3


def test_progress_is_told() -> None:
    told: list[int] = []
    cards = [Card.parse("RY/BG"), Card.parse("RBGY")]
    assert solve(cards, progress=told.append).cubes == 6
    assert told == [4, 5]


def test_a_hint_leads_to_the_card() -> None:
    asked = {"board": "R,B,.,./Y,.,.,G/.,.,.,./.,.,.,.", "cards": ["RB/YG"], "bag": ["G"]}
    hints = CubeRules().solve(asked)["hints"]
    assert {"card": "RB/YG", "from": [3, 1, 0], "to": [1, 1, 0], "color": "G"} in hints
    assert {"card": "RB/YG", "from": None, "to": [1, 1, 0], "color": "G"} in hints
    for hint in CubeRules().solve({**asked, "last": [3, 1, 0], "bag": []})["hints"]:
        assert hint["from"] not in (None, [3, 1, 0])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"cards": ["R?"]}, "bad_card"),
        ({"cards": "RB"}, "bad_cards"),
        ({"cards": ["R"] * 13}, "bad_cards"),
        ({"cards": [], "board": None}, "bad_cards"),
        ({"board": 7}, "bad_board"),
        ({"board": "R"}, "bad_board"),
        ({"supply": {"R": -1}}, "bad_supply"),
        ({"supply": {"X": 1}}, "bad_supply"),
        ({"colors": "RRBG"}, "bad_colors"),
        ({"bag": 4}, "bad_bag"),
        ({"bag": ["X"]}, "bad_bag"),
        ({"last": [0, 0, 4]}, "bad_cube"),
        ({"first_round": 1}, "bad_first_round"),
    ],
)
def test_a_bad_question_is_refused(change: dict[str, object], code: str) -> None:
    asked = {"board": "R,.,.,./.,.,.,./.,.,.,./.,.,.,.", "cards": ["R"], **change}
    with pytest.raises(RulesError) as refused:
        CubeRules().solve(asked)
    assert refused.value.code == code


def test_scores_tell_problems_and_other_colours() -> None:
    asked = {"board": "O,.,.,./.,.,.,./.,.,.,./.,.,.,.", "cards": ["O"]}
    with pytest.raises(RulesError):
        CubeRules().score(asked)
    supply = {"O": 2, "W": 2, "K": 2, "N": 2}
    assert CubeRules().score({**asked, "supply": supply})["cards"] == {"O": True}
    answer = CubeRules().score({**asked, "cards": ["R"]})
    assert (answer["cards"], answer["shown"]) == ({"R": None}, {})
    assert CubeRules().moves({"board": "R,.,.,./.,.,.,./.,.,.,./.,.,.,."}) == {
        "movable": [[0, 0, 0]]
    }
