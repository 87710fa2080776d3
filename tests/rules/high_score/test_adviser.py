"""The adviser against a slow and obvious search, against the dice, and against itself."""

import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.high_score.adviser import EXPECT, Advice, AtLeast, Goal, advise, par
from rules.high_score.adviser.heaps import heaps
from rules.high_score.adviser.results import results
from rules.high_score.challenges import Challenge, Scoring, Way, standard_deck
from rules.high_score.dice import FACES, Dice
from rules.high_score.moments import Moment
from rules.high_score.rulings import Rulings
from rules.high_score.scoring import score
from tests.rules.high_score.oracle import Oracle, rolls
from tests.rules.high_score.strategies import challenges, dice, rulings

KINDS = ["pairs-rest/{}/-2", "triples-rest/{}/frozen", "tens-rest/{}/3", "run/{}/free"]


def oracle(challenge: Challenge, count: int, goal: Goal, ruled: Rulings) -> Oracle:
    def worth(faces: str) -> int:
        result = score(Dice(faces), challenge, ruled).result
        return result if goal == EXPECT else int(result >= goal.result)  # type: ignore[union-attr]

    return Oracle(challenge, count, worth)


def check(advice: Advice, options: dict[str, Fraction], on_table: int) -> None:
    """The advice gives the exact values, best first, and of equals what keeps most."""
    exact = sorted(options.values(), reverse=True)
    best = exact[0]
    assert [option.value for option in advice.options] == pytest.approx(
        [float(value) for value in exact[:8]], abs=1e-9
    )
    for option in advice.options:
        assert option.value == pytest.approx(float(options[option.keep]), abs=1e-9)
    assert options[advice.keep] == best
    assert len(advice.keep) == max(len(keep) for keep in options if options[keep] == best)
    assert (advice.keep, advice.value) == (advice.options[0].keep, advice.options[0].value)
    assert advice.stop == (len(advice.keep) == on_table)
    assert sum(p for _, p in advice.distribution) == pytest.approx(1.0)


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize(
    ("kind", "goal"), [*((kind, EXPECT) for kind in KINDS), ("total/{}/frozen", AtLeast(8))]
)
def test_with_three_dice_every_moment_is_as_in_the_obvious_search(
    kind: str, goal: Goal, way: Way
) -> None:
    challenge, count, ruled = Challenge.parse(kind.format(way)), 3, Rulings()
    search = oracle(challenge, count, goal, ruled)
    start = advise(Moment.start(challenge), goal, ruled, count)
    assert start.value == pytest.approx(float(search.value()), abs=1e-12)
    if challenge.way is Way.ASIDE:
        moments = [
            (len(aside) + 1, lying, aside)
            for size in range(count)
            for aside, _ in rolls(size)
            for lying, _ in rolls(count - size)
        ]
    else:
        turns = range(1, challenge.way.most_rolls + 1)
        moments = [(roll, lying, "") for roll in turns for lying, _ in rolls(count)]
    for roll, lying, aside in moments:
        moment = Moment.parse(challenge, roll, lying, aside, count)
        options = search.options(lying, aside, moment.rolls_left)
        check(advise(moment, goal, ruled, count), options, len(lying))


@pytest.mark.parametrize("goal", [EXPECT, AtLeast(12)], ids=["expect", "at_least"])
@pytest.mark.parametrize(
    "text", ["triples-rest/three/frozen", "same-rest/three/-2", "pairs-rest/four/frozen"]
)
def test_with_seven_dice_and_one_roll_left_it_is_as_in_the_obvious_search(
    text: str, goal: Goal
) -> None:
    challenge = Challenge.parse(text)
    same_options(oracle(challenge, 7, goal, Rulings()), goal, challenge.way.most_rolls - 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "goal"),
    [
        *((str(card), EXPECT) for card in standard_deck().cards),
        ("pairs/four/6", AtLeast(25)),
        ("triples-rest/three/3", AtLeast(12)),
        ("odd-rest/aside/2", AtLeast(20)),
    ],
)
def test_with_seven_dice_whole_turns_are_as_in_the_obvious_search(text: str, goal: Goal) -> None:
    challenge = Challenge.parse(text)
    search = oracle(challenge, 7, goal, Rulings())
    assert advise(Moment.start(challenge), goal).value == pytest.approx(float(search.value()))
    same_options(search, goal, 1)


def same_options(search: Oracle, goal: Goal, roll: int) -> None:
    for lying in ("1233V55", "VVVV123", "1111111"):
        moment = Moment.parse(search.challenge, roll, lying)
        options = search.options("".join(sorted(lying)), "", moment.rolls_left)
        check(advise(moment, goal), options, 7)


@pytest.mark.parametrize(
    ("text", "roll", "lying", "aside"),
    [
        ("same-rest/aside/-5", 4, "12V", "5554"),
        ("run/aside/free", 3, "1245", "3VV"),
        ("tens-rest/aside/frozen", 2, "V145", "55V"),
        ("odd/aside/2", 7, "4", "555553"),
        ("odd/aside/2", 3, "", "4555553"),
    ],
)
def test_late_in_an_aside_turn_of_seven_dice(text: str, roll: int, lying: str, aside: str) -> None:
    challenge = Challenge.parse(text)
    search = oracle(challenge, 7, EXPECT, Rulings())
    moment = Moment.parse(challenge, roll, lying, aside)
    options = search.options("".join(sorted(lying)), aside, 0) if lying else {}
    over = "".join(sorted(aside))
    check(advise(moment), options or {"": search.holding(over, 0)}, len(lying))


@pytest.mark.parametrize("vortex", ["-5", "3", "frozen"])
@pytest.mark.parametrize("scoring", Scoring)
def test_the_results_of_all_rolls_are_those_of_scoring(scoring: Scoring, vortex: str) -> None:
    same_results(f"{scoring}/four/{vortex}", Rulings())


@pytest.mark.parametrize(
    ("scoring", "ruled"),
    [
        ("pairs", Rulings(pairs="one")),
        ("same-rest", Rulings(vortex="apart")),
        ("pairs-rest", Rulings(vortex="apart", pairs="one")),
        ("triples-rest", Rulings(vortex="apart")),
        ("run", Rulings(vortex="apart")),
        ("tens-rest", Rulings(tens="largest")),
    ],
)
def test_the_results_of_all_rolls_follow_the_rulings(scoring: str, ruled: Rulings) -> None:
    same_results(f"{scoring}/four/3", ruled)
    same_results(f"{scoring}/four/-4", ruled)


@given(dice(), st.sampled_from(Scoring), rulings())
@settings(max_examples=60)
def test_the_results_of_free_vortices_are_those_of_scoring(
    thrown: Dice, scoring: Scoring, ruled: Rulings
) -> None:
    challenge = Challenge.parse(f"{scoring}/four/free")
    at = heaps().place_of[thrown.sorted().faces] - heaps().full.start
    assert results(challenge, ruled)[at] == score(thrown, challenge, ruled).result


@pytest.mark.slow
@pytest.mark.parametrize("scoring", Scoring)
def test_the_results_of_all_vortices_and_rulings(scoring: Scoring) -> None:
    for ruled in (Rulings(), Rulings(pairs="one", vortex="apart", tens="largest")):
        for vortex in ("free", *range(-20, 21)):
            same_results(f"{scoring}/four/{vortex}", ruled)


def same_results(text: str, ruled: Rulings) -> None:
    challenge = Challenge.parse(text)
    expected = [score(Dice(name), challenge, ruled).result for name in heaps().names[heaps().full]]
    assert results(challenge, ruled).tolist() == expected


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("pairs-rest/three/free", EXPECT),
        ("same-rest/aside/-2", EXPECT),
        ("odd/four/frozen", AtLeast(13)),
        ("tens-rest/aside/frozen", AtLeast(10)),
    ],
)
def test_playing_as_advised_brings_what_was_promised(text: str, goal: Goal) -> None:
    challenge, games = Challenge.parse(text), 150
    promised = advise(Moment.start(challenge), goal)
    dice_cup = random.Random(13)
    ends = [played(challenge, goal, dice_cup) for _ in range(games)]
    gains = ends if goal == EXPECT else [int(end >= goal.result) for end in ends]  # type: ignore[union-attr]
    mean = sum(gains) / games
    spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / games)
    assert abs(mean - promised.value) < 4 * spread / sqrt(games)
    counts, seen, expected, furthest = Counter(ends), 0.0, 0.0, 0.0
    assert set(counts) <= {result for result, _ in promised.distribution}
    for result, chance in promised.distribution:
        seen, expected = seen + counts[result] / games, expected + chance
        furthest = max(furthest, abs(seen - expected))
    assert furthest < 2 / sqrt(games)  # Kolmogorov and Smirnov: once in 1,500


def played(challenge: Challenge, goal: Goal, dice_cup: random.Random) -> int:
    """The result of a turn played as advised."""
    lying, aside = "", ""
    for roll in range(1, challenge.way.most_rolls + 1):
        lying += "".join(dice_cup.choices(FACES, k=7 - len(lying) - len(aside)))
        advice = advise(Moment.parse(challenge, roll, lying, aside), goal)
        if challenge.way is Way.ASIDE:
            aside, lying = aside + advice.keep, ""
        else:
            lying = advice.keep
        if advice.stop:
            break
    return score(Dice.parse(lying + aside), challenge).result


@given(challenges(), rulings(), st.data())
@settings(max_examples=40, deadline=None)
def test_what_must_hold_of_every_advice(
    challenge: Challenge, ruled: Rulings, data: st.DataObject
) -> None:
    lying = data.draw(dice()).faces
    roll = 1 if challenge.way is Way.ASIDE else data.draw(st.integers(1, challenge.way.most_rolls))
    advice = advise(Moment.parse(challenge, roll, lying), EXPECT, ruled)
    chances = dict(advice.distribution)
    assert sum(chances.values()) == pytest.approx(1.0)
    assert sum(result * p for result, p in chances.items()) == pytest.approx(advice.value)
    assert list(chances) == sorted(chances)
    assert all(p > 0 for p in chances.values())
    assert 1 <= len(advice.options) <= 8
    assert len({option.keep for option in advice.options}) == len(advice.options)
    assert Dice(lying).has(Dice(advice.keep))
    if challenge.frozen:
        assert all(Dice(o.keep).vortices == Dice(lying).vortices for o in advice.options)
    wanted = data.draw(st.integers(-30, 40))
    moment = Moment.parse(challenge, roll, lying)
    less, more = (advise(moment, AtLeast(x), ruled) for x in (wanted, wanted + 1))
    assert 0 <= more.value <= less.value + 1e-12 <= 1 + 2e-12
    reached = sum(p for result, p in less.distribution if result >= wanted)
    assert reached == pytest.approx(less.value)
    assert sum(p for result, p in chances.items() if result >= wanted) <= less.value + 1e-12


@given(challenges())
@settings(max_examples=10, deadline=None)
def test_before_the_first_roll_the_value_is_the_mean_of_those_after_it(
    challenge: Challenge,
) -> None:
    start = advise(Moment.start(challenge), dice=3)
    after = [
        (chance, advise(Moment.parse(challenge, 1, lying, count=3), dice=3))
        for lying, chance in rolls(3)
    ]
    assert float(sum(c * Fraction(a.value) for c, a in after)) == pytest.approx(start.value)
    for result, chance in start.distribution:
        mean = sum(float(c) * dict(a.distribution).get(result, 0.0) for c, a in after)
        assert mean == pytest.approx(chance)
    assert (start.keep, start.stop, start.options) == ("", False, ())


def test_more_freedom_is_worth_more() -> None:
    for scoring in ("same-rest", "run", "odd"):
        pars = {v: par(Challenge.parse(f"{scoring}/three/{v}")) for v in ("free", "0", "frozen")}
        assert pars["free"] > pars["0"] > pars["frozen"]


def test_what_cannot_be_reached_or_missed_ends_the_turn() -> None:
    for text in ("total/four/0", "total/three/frozen", "total/aside/free"):
        moment = Moment.parse(Challenge.parse(text), 1, "1233V55")
        for goal, value in ((AtLeast(99), 0.0), (AtLeast(-99), 1.0)):
            advice = advise(moment, goal)
            assert advice.stop
            assert advice.value == value


@pytest.mark.parametrize(
    ("text", "roll", "lying", "keeps"),
    [
        ("total/four/0", 1, "1233V55", {"", "123355V"}),
        ("total/four/frozen", 1, "1233V55", {"V", "123355V"}),
        ("total/four/frozen", 1, "VVVVVVV", {"VVVVVVV"}),
        ("total/four/0", 4, "1233V55", {"123355V"}),
        ("total/three/0", 3, "1233V55", {"123355V"}),
        ("total/aside/frozen", 1, "1VVVVVV", {"VVVVVV", "1VVVVVV"}),
        ("total/three/frozen", 1, "11VVVVV", {"VVVVV", "1VVVVV", "11VVVVV"}),
    ],
)
def test_what_may_stay(text: str, roll: int, lying: str, keeps: set[str]) -> None:
    advice = advise(Moment.parse(Challenge.parse(text), roll, lying))
    assert {option.keep for option in advice.options} == keeps


def test_scoring_and_playing_do_not_load_numpy() -> None:
    code = (
        "import sys; from rules.high_score import questions; import rules.high_score.game.solo; "
        "questions.answer_score({'dice': '5533V12', 'challenge': 'pairs-rest/three/free'}); "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
