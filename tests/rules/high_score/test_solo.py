import pytest

from rules.errors import RulesError
from rules.high_score.adviser import par
from rules.high_score.challenges import Challenge
from rules.high_score.game.solo import SoloGame, against_par, compare, solo_game
from rules.high_score.rulings import Rulings
from tests.rules.high_score.test_game import HIGH, LOW, after, full_round, whole_game

ALONE = ("Ada",)


def test_a_result_is_compared_with_par() -> None:
    game = after(*full_round("total/four/0", Ada=HIGH), players=ALONE)
    round_ = against_par(game, 1, "Ada")
    assert round_.result == 35
    assert round_.par == par(Challenge.parse("total/four/0"))
    assert round_.ahead == 35 - round_.par
    assert game.chips(1) == {"Ada": None}


def test_a_solo_history() -> None:
    first = solo_game(whole_game(after(players=ALONE, seed=1), {"Ada": HIGH}))
    second = solo_game(whole_game(after(players=ALONE, seed=2), {"Ada": LOW}))
    other = solo_game(
        whole_game(
            after(
                players=ALONE,
                deck=tuple(f"total/four/{vortex}" for vortex in range(7)),
                rulings=Rulings(pairs="one"),
            ),
            {"Ada": HIGH},
        )
    )
    assert first.way == "standard deck"
    assert other.way == "own deck, pairs=one"
    assert other.total == 7 * 35
    assert other.at == 9.0
    assert first.ahead == pytest.approx(first.total - first.par)
    better, worse = sorted([first, second], key=lambda game: -game.ahead)
    comparison = compare(worse, [better, other])
    assert (comparison.place, comparison.games) == (2, 2)
    assert (comparison.ahead, comparison.best) == (worse.ahead, better.ahead)
    assert comparison.average == pytest.approx((first.ahead + second.ahead) / 2)
    assert compare(better, [first, second]).place == 1


def test_only_a_finished_game_for_one_is_kept() -> None:
    for game in (
        after(players=ALONE),
        whole_game(after(), dict.fromkeys(("Ada", "Ben", "Cleo"), LOW)),
    ):
        with pytest.raises(RulesError, match="finished game of one"):
            solo_game(game)


def test_games_compare_by_how_far_ahead_of_par_they_are() -> None:
    easy, hard = SoloGame(1.0, "x", 150, 160.0), SoloGame(2.0, "x", 90, 80.0)
    assert compare(hard, [easy]).place == 1
