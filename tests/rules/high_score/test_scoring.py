"""Results: the book's examples (with dice of our own, its pictures are lost) and our rulings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.errors import RulesError
from rules.high_score.challenges import FREE_VALUES, Challenge, Scoring, Vortex
from rules.high_score.dice import VORTEX, Dice
from rules.high_score.rulings import Rulings
from rules.high_score.scoring import Result, decisive_rulings, score
from tests.rules.high_score.strategies import challenges, dice, rulings


def rolled(faces: str, scoring: str, vortex: object = 0, ruled: Rulings | None = None) -> Result:
    return score(Dice.parse(faces), Challenge.parse(f"{scoring}/four/{vortex}"), ruled)


def counting(result: Result) -> str:
    """The faces of the dice that count, sorted."""
    return "".join(sorted(result.dice.faces[at] for at in result.counted))


@pytest.mark.parametrize(
    ("scoring", "faces", "vortex", "result", "counts"),
    [
        ("total", "5534243", 0, 26, "2334455"),
        ("total", "2V35355", -3, 20, "233555V"),
        ("same", "514V545", 0, 23, "44555"),
        ("same", "3212224", 0, 8, "2222"),
        ("same-rest", "V352335", -3, 20, "33355"),
        ("same-rest", "1335554", 0, 16, "33555"),
        ("tens-rest", "2245553", 0, 14, "23555"),
        ("tens-rest", "5411VVV", 0, 9, "145"),
        ("pairs", "3445551", 0, 18, "4455"),
        ("pairs", "5553555", 0, 30, "555555"),
        ("pairs-rest", "1244555", 0, 10, "4455"),
        ("pairs-rest", "1244455", 0, 11, "4455"),
        ("triples-rest", "1244555", 0, 4, "555"),
        ("triples-rest", "1222235", 0, -5, "222"),
        ("odd", "1255524", 0, 16, "1555"),
        ("odd", "2233555", 0, 21, "33555"),
        ("odd-rest", "1223455", 0, 6, "1355"),
        ("odd-rest", "1234445", 0, -5, "135"),
        ("shown-rest", "1244555", 0, -4, "1244"),
        ("shown-rest", "1223455", 0, 2, "12234"),
        ("run", "1244555", 0, 3, "12"),
        ("run", "112335V", -2, 8, "11233V"),
        ("triples-rest", "24455VV", "free", 25, "4455VV"),
    ],
)
def test_the_books_examples(
    scoring: str, faces: str, vortex: object, result: int, counts: str
) -> None:
    scored = rolled(faces, scoring, vortex)
    assert scored.result == result
    assert counting(scored) == counts


def test_the_contracts_example() -> None:
    scored = rolled("5533V12", "pairs-rest", "free")
    assert scored.result == 19
    assert scored.values == (5, 5, 3, 3, 2, 1, 2)
    assert scored.counted == (0, 1, 2, 3, 4, 6)


@pytest.mark.parametrize(
    ("scoring", "faces", "vortex", "result"),
    [
        ("same", "33V1245", 3, 9),  # a vortex is matched by its value
        ("same", "VV12345", -5, -10),  # equal values count, also when they cost
        ("same-rest", "V123455", -5, 5),  # subtracting a negative value adds
        ("pairs", "3333333", 0, 18),
        ("pairs", "44V1235", 4, 8),
        ("pairs", "444V123", 4, 16),  # four of a kind are two pairs
        ("triples-rest", "3333332", 0, 16),
        ("odd", "V111111", 3, 9),
        ("odd", "V111111", -3, 6),  # odd are 1, 3 and 5, nothing else
        ("odd", "V111111", 7, 6),
        ("odd-rest", "V111111", -3, 9),
        ("shown-rest", "V555555", 4, -26),
        ("shown-rest", "V444444", 0, 24),
        ("shown-rest", "V444444", 5, 19),
        ("run", "2345V55", 1, 25),  # the vortex fills the place of its value
        ("run", "234555V", 0, 0),
        ("run", "12345V5", 6, 26),
        ("run", "VVVVVVV", 20, 140),
        ("run", "VVVVVVV", -20, -140),
        ("tens-rest", "V111111", 10, 4),  # a vortex worth ten is a ten by itself
        ("tens-rest", "VVVVVVV", 10, 70),
        ("tens-rest", "5555V11", -10, 28),
        ("tens-rest", "5553V11", -3, 23),
        ("tens-rest", "V555551", -5, 19),
        ("total", "VVVVVVV", "free", 42),
        ("same", "VVVVVVV", "frozen", 0),
        ("odd-rest", "V222222", "free", -7),
        ("shown-rest", "V555555", "free", -26),
        ("run", "V124555", "free", 25),
        ("run", "VV24555", "free", 25),
        ("tens-rest", "VVVVVVV", "free", 30),
    ],
)
def test_every_scoring(scoring: str, faces: str, vortex: object, result: int) -> None:
    assert rolled(faces, scoring, vortex).result == result


@pytest.mark.parametrize(
    ("scoring", "faces", "vortex", "ruling", "usual", "other"),
    [
        ("pairs", "4444123", 0, "pairs", 16, 8),
        ("pairs", "555555V", "free", "pairs", 30, 10),
        ("pairs-rest", "4444123", 0, "pairs", 10, -6),
        ("same", "33V1245", 3, "vortex", 9, 6),
        ("same", "3V12455", 3, "vortex", 16, 10),
        ("pairs", "3VV1245", 3, "vortex", 6, 6),
        ("triples-rest", "33V1245", 3, "vortex", -3, -21),
        ("run", "2345V55", 1, "vortex", 25, 1),
        # Best: 5 + 3 + 2 and 4 + 4 + 2. The largest first: 5 + 4 + 1, and the rest is no ten.
        ("tens-rest", "1223445", 0, "tens", 19, -1),
        ("tens-rest", "124445V", -5, "tens", 25, 5),
        ("tens-rest", "5544111", 0, "tens", 19, 19),
    ],
)
def test_rulings(
    scoring: str, faces: str, vortex: object, ruling: str, usual: int, other: int
) -> None:
    assert rolled(faces, scoring, vortex).result == usual
    assert rolled(faces, scoring, vortex, Rulings().other(ruling)).result == other


def test_a_vortex_apart_still_has_its_value() -> None:
    apart = Rulings(vortex="apart")
    assert rolled("V222222", "odd-rest", 3, apart).result == -9
    assert rolled("V222222", "shown-rest", 3, apart).result == 15
    assert rolled("V542222", "tens-rest", 1, apart).result == 2


def test_the_decisive_rulings_are_named() -> None:
    pairs = Challenge.parse("pairs/four/4")
    assert decisive_rulings(Dice("4444123"), pairs, Rulings()) == ("pairs",)
    assert decisive_rulings(Dice("444V123"), pairs, Rulings()) == ("pairs", "vortex")
    assert decisive_rulings(Dice("1234555"), pairs, Rulings()) == ()


@pytest.mark.parametrize(
    "given", [{"pair": "all"}, {"pairs": "two"}, {"vortex": ["matches"]}, {"tens": None}]
)
def test_rulings_that_do_not_exist_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(RulesError) as refusal:
        Rulings.parse(given)
    assert refusal.value.code == "bad_ruling"


@given(rulings())
def test_rulings_survive_json(ruled: Rulings) -> None:
    assert Rulings.parse(ruled.to_json()) == ruled
    assert ruled.other("tens").other("tens") == ruled


@given(dice(), challenges(), rulings())
@settings(max_examples=40)
def test_a_result_adds_up(thrown: Dice, challenge: Challenge, ruled: Rulings) -> None:
    scored = score(thrown, challenge, ruled)
    count = sum(scored.values[at] for at in scored.counted)
    rest = sum(scored.values) - count
    assert scored.result == (count - rest if challenge.scoring.minus_rest else count)
    assert len(set(scored.counted)) == len(scored.counted)
    for face, value in zip(thrown.faces, scored.values, strict=True):
        assert value in challenge.vortex_values if face == VORTEX else value == int(face)


@given(dice(), challenges(), rulings(), st.randoms())
@settings(max_examples=40)
def test_the_order_of_dice_does_not_matter(
    thrown: Dice, challenge: Challenge, ruled: Rulings, random: st.DataObject
) -> None:
    faces = list(thrown.faces)
    random.shuffle(faces)  # type: ignore[attr-defined]
    shuffled = score(Dice("".join(faces)), challenge, ruled)
    assert shuffled.result == score(thrown, challenge, ruled).result


@given(dice(), st.sampled_from(Scoring), st.sampled_from(FREE_VALUES), rulings())
@settings(max_examples=40)
def test_a_free_vortex_is_at_least_as_good_as_any_value(
    thrown: Dice, scoring: Scoring, value: int, ruled: Rulings
) -> None:
    free = Challenge.parse(f"{scoring}/four/free")
    fixed = Challenge.parse(f"{scoring}/four/{value}")
    assert score(thrown, free, ruled).result >= score(thrown, fixed, ruled).result


@given(dice(), st.sampled_from(Scoring), rulings())
def test_a_frozen_vortex_scores_as_zero(thrown: Dice, scoring: Scoring, ruled: Rulings) -> None:
    frozen, zero = (Challenge.parse(f"{scoring}/four/{vortex}") for vortex in ("frozen", "0"))
    assert frozen.vortex is Vortex.FROZEN
    assert score(thrown, frozen, ruled).result == score(thrown, zero, ruled).result


@given(dice(), challenges())
@settings(max_examples=40)
def test_the_rulings_only_differ_where_they_say(thrown: Dice, challenge: Challenge) -> None:
    name = challenge.scoring.removesuffix("-rest")
    asked = {"pairs": {"pairs", "vortex"}, "tens": {"tens"}}
    asked |= {match: {"vortex"} for match in ("same", "triples", "run")}
    assert set(decisive_rulings(thrown, challenge, Rulings())) <= asked.get(name, set())
