import pytest
from hypothesis import given

from rules.dimension.cards import Card
from rules.dimension.editions import ENGLISH, GERMAN, START_POINTS, Edition, edition
from rules.dimension.layout import Layout, LayoutError
from rules.dimension.rulings import Rulings
from rules.dimension.scoring import final_scores, score_round, winners
from rules.errors import RulesError
from tests.rules.dimension.strategies import deals, layouts

# The books' worked round. Their pictures are lost: these cards and trays fit their account.
WORKED_CARDS = [
    Card.parse(code)
    for code in ("sum4:WO", "exactly:2O", "touch:OK", "touch:BB", "apart:BW", "touch:GK")
]
PLAYER_A = Layout.parse("GWWGBBO/O.K.K./W")
PLAYER_B = Layout.parse("KBBOWKG/O.G.O./.")
PLAYER_C = Layout.parse("OKWKWKG/O.G.B./B")
PLAYER_C_WITH_TEN = Layout.parse("GBBOKWO/G.W.K./.")


@pytest.mark.parametrize("box", [ENGLISH, GERMAN])
@pytest.mark.parametrize(
    ("tray", "spheres", "missed", "points", "bonus"),
    [
        (PLAYER_A, 11, ["sum4:WO"], 9, 0),
        (PLAYER_B, 10, ["exactly:2O"], 8, 0),
        (PLAYER_C, 11, [], 11, 1),
    ],
)
def test_the_books_worked_round(
    box: Edition, tray: Layout, spheres: int, missed: list[str], points: int, bonus: int
) -> None:
    score = score_round(tray, WORKED_CARDS, box, most=11)
    assert [str(v.card) for v in score.verdicts if not v.fulfilled] == missed
    assert (score.spheres, score.points, score.bonus) == (spheres, points, bonus)
    assert (score.failed, score.penalty) == (len(missed), 2 * len(missed))


def test_ten_instead_of_eleven_would_have_earned_a_second_chip_in_the_german_edition() -> None:
    assert score_round(PLAYER_C_WITH_TEN, WORKED_CARDS, GERMAN, most=11).bonus == 2
    assert score_round(PLAYER_C_WITH_TEN, WORKED_CARDS, ENGLISH, most=11).bonus == 1
    assert score_round(PLAYER_C_WITH_TEN, WORKED_CARDS, GERMAN, most=10).bonus == 1
    assert score_round(PLAYER_C_WITH_TEN, WORKED_CARDS, GERMAN).bonus == 1  # nobody else known


def test_the_chip_for_fewer_spheres_does_not_need_five_colors() -> None:
    few = Layout.parse("O....../....../.")
    assert score_round(few, [Card.parse("exactly:1O")], GERMAN, most=2).bonus == 1
    assert score_round(few, [Card.parse("exactly:1B")], GERMAN, most=2).bonus == 0


def test_a_score_is_json_as_in_the_contract() -> None:
    assert score_round(PLAYER_A, WORKED_CARDS[:2]).to_json() == {
        "spheres": 11,
        "verdicts": {"sum4:WO": False, "exactly:2O": True},
        "failed": 1,
        "penalty": 2,
        "points": 9,
        "bonus": 0,
        "problems": [],
    }


@pytest.mark.parametrize(("choice", "failed", "penalty"), [("both", 2, 4), ("joint", 2, 2)])
def test_a_missed_exactly_pair_is_the_tables_to_rule(
    choice: str, failed: int, penalty: int
) -> None:
    cards = [Card.parse("exactly:1O"), Card.parse("exactly:2O")]
    rulings = Rulings.parse({"exactly_pair": choice})
    score = score_round(Layout.parse("OO...../....../."), cards, rulings=rulings)
    assert (score.failed, score.penalty, score.points) == (failed, penalty, 2 - penalty)
    assert score.decisive_rulings == ("exactly_pair",)


def test_joint_pairs_do_not_spare_other_cards() -> None:
    cards = [Card.parse(c) for c in ("exactly:1O", "exactly:2O", "exactly:1B", "more:OK")]
    score = score_round(Layout(), cards, rulings=Rulings(exactly_pair="joint"))
    assert (score.failed, score.penalty) == (4, 6)


def test_a_ruling_that_decided_is_named() -> None:
    lone = score_round(Layout.parse("B....../....../."), [Card.parse("touch:BB")])
    assert lone.decisive_rulings == ("lone_touch",)
    assert score_round(PLAYER_A, WORKED_CARDS).decisive_rulings == ()


def test_a_layout_that_cannot_be_is_not_scored() -> None:
    with pytest.raises(LayoutError) as refusal:
        score_round(Layout.parse("OOOO.../K...../."), WORKED_CARDS)
    assert [problem.code for problem in refusal.value.problems] == ["too_many"]


@given(deals(), layouts())
def test_points_are_spheres_less_two_a_failed_card(cards: list[Card], layout: Layout) -> None:
    score = score_round(layout, cards)
    assert score.points == len(layout) - 2 * score.failed
    assert score.bonus == (score.failed == 0 and len(layout.colors()) == 5)


def test_the_boxes_hold_what_the_books_say() -> None:
    assert (sum(ENGLISH.point_tokens.values()), ENGLISH.bonus_tokens) == (90, 30)
    assert (sum(GERMAN.point_tokens.values()), GERMAN.bonus_tokens) == (74, 45)
    assert [ENGLISH.convert(n) for n in range(7)] == [-6, -3, -1, 0, 1, 3, 6]
    chips = [-10, -6, -3, -1, 0, 1, 3, 6, 10, 15, 21, 28, 36]
    assert [GERMAN.convert(n) for n in range(13)] == chips
    assert START_POINTS == 10
    with pytest.raises(RulesError, match="no edition 'fr'"):
        edition("fr")


@pytest.mark.parametrize(
    ("points", "tokens", "places", "first"),
    [
        ({"A": 50, "B": 40}, {"A": 3, "B": 3}, {"A": 1, "B": 2}, ("A",)),
        ({"A": 50, "B": 40}, {"A": 0, "B": 6}, {"A": 2, "B": 1}, ("B",)),  # 44 : 46
        ({"A": 50, "B": 49}, {"A": 3, "B": 4}, {"A": 2, "B": 1}, ("B",)),  # tie: more tokens
        ({"A": 50, "B": 50}, {"A": 3, "B": 3}, {"A": 1, "B": 1}, ("A", "B")),  # shared win
        (
            {"A": 50, "B": 50, "C": 40},
            {"A": 3, "B": 3, "C": 3},
            {"A": 1, "B": 1, "C": 3},
            ("A", "B"),
        ),
    ],
)
def test_who_wins(
    points: dict[str, int], tokens: dict[str, int], places: dict[str, int], first: tuple[str, ...]
) -> None:
    scores = final_scores(points, tokens, ENGLISH)
    assert {score.player: score.place for score in scores} == places
    assert winners(scores) == first
    assert [score.total for score in scores] == sorted((s.total for s in scores), reverse=True)
