import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.errors import RulesError
from rules.high_score.board import Chip
from rules.high_score.challenges import standard_deck
from rules.high_score.dice import Dice
from rules.high_score.game import (
    DiceCorrected,
    DiceSubmitted,
    Event,
    Finished,
    Game,
    IllegalMove,
    Revealed,
    Rolled,
    RoundClosed,
    SetUp,
    Standing,
    apply,
    draw,
    enter,
    event_from_json,
    event_to_json,
    replay,
)
from rules.high_score.game.state import final_scores, winners
from rules.high_score.rulings import Rulings
from tests.rules.high_score.strategies import dice

ABC = ("Ada", "Ben", "Cleo")
GOLD, SILVER, BRONZE = Chip
TOTAL = "total/four/0"
LOW, MIDDLE, HIGH, NOTHING = "1111111", "3333333", "5555555", "VVVVVVV"


def after(*events: Event, players: tuple[str, ...] = ABC, **settings: object) -> Game:
    return replay([SetUp(players, **settings), *events])  # type: ignore[arg-type]


def turns(**final: str) -> list[Event]:
    return [DiceSubmitted(player, faces) for player, faces in final.items()]


def full_round(challenge: str = TOTAL, **final: str) -> list[Event]:
    return [enter(challenge), *turns(**final), RoundClosed()]


def whole_game(game: Game, final: dict[str, str]) -> Game:
    for _ in range(game.rounds_left):
        game = apply(game, draw(game))
        while game.current and (player := game.current.whose_turn):
            game = apply(game, DiceSubmitted(player, final[player]))
        game = apply(game, RoundClosed())
    return apply(game, Finished(at=9.0))


def test_a_round_with_its_results_pieces_and_chips() -> None:
    game = after(*full_round(Ada=MIDDLE, Ben=LOW, Cleo=HIGH))
    assert [game.result(1, player).result for player in ABC] == [21, 7, 35]
    assert [piece.space for piece in game.pieces(1).values()] == [21, 7, 5]
    assert [piece.marker for piece in game.pieces(1).values()] == [False, False, True]
    assert game.chips(1) == {"Ada": SILVER, "Ben": BRONZE, "Cleo": GOLD}
    assert game.standings["Cleo"] == Standing(gold=1)
    assert [game.standings[player].points for player in ABC] == [2, 1, 3]
    assert game.rounds_left == 6


def test_equal_results_drop_in_the_order_of_turns() -> None:
    game = after(*full_round(Ada=MIDDLE, Ben=MIDDLE, Cleo=MIDDLE))
    assert [piece.place for piece in game.pieces(1).values()] == [21, 20, 19]
    assert game.chips(1) == {"Ada": GOLD, "Ben": SILVER, "Cleo": BRONZE}


def test_the_gold_winner_starts_the_next_round_and_turns_go_clockwise() -> None:
    game = after(*full_round(Ada=LOW, Ben=MIDDLE, Cleo=LOW), enter("odd/four/0"))
    assert game.current
    assert game.current.order == ("Ben", "Cleo", "Ada")
    assert game.current.whose_turn == "Ben"


def test_nobody_positive_and_the_same_player_starts_again() -> None:
    game = after(
        enter(TOTAL),
        *turns(Ben=NOTHING, Cleo=NOTHING, Ada=NOTHING),
        RoundClosed(),
        starter="Ben",
    )
    assert set(game.chips(1).values()) == {None}
    assert game.next_starter == "Ben"


def test_the_table_chooses_who_starts() -> None:
    assert after().next_starter == "Ada"
    assert after(starter="Cleo").order_from("Cleo") == ("Cleo", "Ada", "Ben")
    assert after(starter="Cleo").next_starter == "Cleo"


def test_two_players_play_for_gold_and_bronze() -> None:
    game = after(*full_round(Ada=LOW, Ben=HIGH), players=("Ada", "Ben"))
    assert game.chips(1) == {"Ada": BRONZE, "Ben": GOLD}


def test_no_chip_without_a_positive_result() -> None:
    game = after(*full_round(Ada=NOTHING, Ben=HIGH), players=("Ada", "Ben"))
    assert game.chips(1) == {"Ada": None, "Ben": GOLD}


def test_chips_are_not_told_before_all_dice_are_in() -> None:
    game = after(enter(TOTAL), *turns(Ada=HIGH, Ben=LOW))
    assert set(game.chips(1).values()) == {None}
    assert list(game.pieces(1)) == ["Ada", "Ben"]
    with pytest.raises(IllegalMove, match="no dice"):
        game.result(1, "Cleo")


def test_rolls_on_the_way_are_kept() -> None:
    game = after(
        enter("total/aside/0"),
        Rolled("Ada", 1, "1123V55", at=1.0),
        Rolled("Ada", 2, "11234", "55", at=2.0),
        Rolled("Ada", 2, "11244", "55", at=3.0),  # told again
        Rolled("Ada", 4, "12", "55443", at=4.0),  # the third was not told
        DiceSubmitted("Ada", "5544321", at=5.0),
    )
    turn = game.rounds[0].turn("Ada")
    assert [(roll.roll, str(roll.dice), str(roll.aside)) for roll in turn.rolls] == [
        (1, "1123V55", ""),
        (2, "11244", "55"),
        (4, "12", "55443"),
    ]
    assert turn.at == 5.0
    assert game.rounds[0].whose_turn == "Ben"


def test_dice_sent_again_replace_the_first() -> None:
    game = after(enter(TOTAL), *turns(Ada=LOW, Ben=LOW), DiceSubmitted("Ada", HIGH))
    assert game.result(1, "Ada").result == 35
    assert list(game.pieces(1)) == ["Ada", "Ben"]


def test_a_correction_changes_all_that_follows_from_it() -> None:
    played = [*full_round(Ada=MIDDLE, Ben=LOW, Cleo=LOW), enter("odd/four/0")]
    game = after(*played, *turns(Ada=LOW, Ben=LOW, Cleo=LOW), RoundClosed())
    game = apply(game, DiceCorrected(1, "Ben", "3333331", "a 3 was read as a 1"))
    assert [piece.place for piece in game.pieces(1).values()] == [21, 19, 7]
    game = apply(game, DiceCorrected(1, "Ben", HIGH, "another photo"))
    assert game.chips(1) == {"Ada": SILVER, "Ben": GOLD, "Cleo": BRONZE}
    assert game.history[1]["Ben"] == Standing(gold=1)
    assert game.rounds[1].order == ABC  # who began is what was played
    assert game.standings["Ben"] == Standing(gold=1, silver=1)
    assert game.rounds[0].turn("Ben").corrections == (
        (Dice(LOW), "a 3 was read as a 1"),
        (Dice("3333331"), "another photo"),
    )


def test_a_corrected_gold_starts_the_next_round() -> None:
    game = after(*full_round(Ada=MIDDLE, Ben=LOW, Cleo=LOW))
    game = apply(game, DiceCorrected(1, "Cleo", HIGH, "misread"))
    assert game.next_starter == "Cleo"


def test_a_correction_after_the_end_may_change_the_winner() -> None:
    game = whole_game(after(), {"Ada": HIGH, "Ben": "1122334", "Cleo": NOTHING})
    before = game.final()
    for number in range(1, 8):
        game = apply(game, DiceCorrected(number, "Cleo", HIGH, "misread"))
    assert game.final() != before


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([SetUp(ABC)], "already_set_up"),
        ([RoundClosed()], "no_round"),
        ([DiceSubmitted("Ada", LOW)], "no_round"),
        ([Rolled("Ada", 1, LOW)], "no_round"),
        ([Finished()], "rounds_missing"),
        ([enter("total")], "bad_challenge"),
        ([enter(TOTAL), enter("odd/four/0")], "round_open"),
        ([*full_round(Ada=LOW, Ben=LOW, Cleo=LOW), enter(TOTAL)], "already_played"),
        ([enter(TOTAL), DiceSubmitted("Eve", LOW)], "unknown_player"),
        ([enter(TOTAL), Rolled("Eve", 1, LOW)], "unknown_player"),
        ([enter(TOTAL), DiceSubmitted("Ben", LOW)], "not_your_turn"),
        ([enter(TOTAL), Rolled("Ben", 1, LOW)], "not_your_turn"),
        ([enter(TOTAL), *turns(Ada=LOW), Rolled("Ada", 1, LOW)], "turn_over"),
        ([enter(TOTAL), DiceSubmitted("Ada", "111")], "bad_dice"),
        ([enter(TOTAL), Rolled("Ada", 1, "111")], "bad_dice"),
        ([enter(TOTAL), Rolled("Ada", 1, "")], "bad_dice"),
        ([enter(TOTAL), Rolled("Ada", 1, "11111", "11")], "bad_dice"),
        ([enter("odd/aside/0"), Rolled("Ada", 3, "", LOW)], "bad_dice"),
        ([enter(TOTAL), Rolled("Ada", 0, LOW)], "bad_roll"),
        ([enter(TOTAL), Rolled("Ada", 5, LOW)], "bad_roll"),
        ([enter(TOTAL), Rolled("Ada", 3, LOW), Rolled("Ada", 2, LOW)], "bad_roll"),
        ([enter("odd/aside/0"), Rolled("Ada", 1, "11111", "11")], "bad_roll"),
        ([enter("odd/aside/0"), Rolled("Ada", 4, "11111", "11")], "bad_roll"),
        ([enter(TOTAL), *turns(Ada=LOW, Ben=LOW), RoundClosed()], "dice_missing"),
        ([DiceCorrected(1, "Ada", LOW, "")], "no_round"),
        ([enter(TOTAL), DiceCorrected(0, "Ada", LOW, "")], "no_round"),
        ([enter(TOTAL), DiceCorrected(1, "Ada", LOW, "")], "no_dice"),
        ([enter(TOTAL), *turns(Ada=LOW), DiceCorrected(1, "Eve", LOW, "")], "unknown_player"),
        ([enter(TOTAL), *turns(Ada=LOW), DiceCorrected(1, "Ada", "9", "")], "bad_dice"),
    ],
)
def test_illegal_moves_are_refused_with_a_reason(events: list[Event], code: str) -> None:
    *before, last = events
    game = after(*before)
    with pytest.raises(RulesError) as refusal:
        apply(game, last)
    assert refusal.value.code == code
    assert refusal.value.text


@pytest.mark.parametrize(
    ("challenge", "before", "last"),
    [
        ("total/four/0", Rolled("Ada", 4, LOW), DiceSubmitted("Ada", HIGH)),
        ("total/three/0", Rolled("Ada", 3, LOW), DiceSubmitted("Ada", HIGH)),
        ("total/four/frozen", Rolled("Ada", 1, "VV12345"), Rolled("Ada", 2, "V123455")),
        ("total/three/frozen", Rolled("Ada", 1, "VV12345"), DiceSubmitted("Ada", "V123455")),
        ("total/aside/0", Rolled("Ada", 2, "12345", "55"), Rolled("Ada", 3, "1234", "445")),
        ("total/aside/0", Rolled("Ada", 1, LOW), Rolled("Ada", 2, "12345", "15")),
        ("total/aside/0", Rolled("Ada", 1, LOW), Rolled("Ada", 3, "12345", "55")),
        ("total/aside/0", Rolled("Ada", 2, "12345", "55"), Rolled("Ada", 4, "1234", "555")),
        ("total/aside/frozen", Rolled("Ada", 1, "VV12345"), Rolled("Ada", 2, "12345", "V5")),
        ("total/aside/frozen", Rolled("Ada", 1, "VV12345"), DiceSubmitted("Ada", "V123455")),
        ("total/aside/0", Rolled("Ada", 2, "12345", "55"), DiceSubmitted("Ada", "1234445")),
        ("total/aside/0", Rolled("Ada", 2, "11111", "55"), DiceSubmitted("Ada", HIGH)),
        ("total/aside/0", Rolled("Ada", 4, "1", "555555"), DiceSubmitted("Ada", HIGH)),
    ],
)
def test_what_contradicts_the_rolls_is_refused(challenge: str, before: Event, last: Event) -> None:
    game = after(enter(challenge), before)
    with pytest.raises(IllegalMove) as refusal:
        apply(game, last)
    assert refusal.value.code == "contradicts_rolls"
    assert "Tell the last roll again" in refusal.value.text


@pytest.mark.parametrize(
    ("challenge", "told"),
    [
        ("total/four/0", [Rolled("Ada", 1, "VV12345"), Rolled("Ada", 2, HIGH)]),
        ("total/three/frozen", [Rolled("Ada", 1, "VV12345"), Rolled("Ada", 3, "VVV5555")]),
        ("total/aside/frozen", [Rolled("Ada", 1, "VV12345"), Rolled("Ada", 2, "12345", "VV")]),
        ("total/aside/0", [Rolled("Ada", 1, "1234555"), Rolled("Ada", 3, "1111", "554")]),
    ],
)
def test_what_fits_together_is_accepted(challenge: str, told: list[Event]) -> None:
    assert len(after(enter(challenge), *told).rounds[0].turn("Ada").rolls) == 2


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"players": ()}, "bad_players"),
        ({"players": tuple("ABCDEF")}, "bad_players"),
        ({"starter": "Eve"}, "unknown_player"),
        ({"deck": (TOTAL,)}, "bad_deck"),
        ({"deck": (TOTAL,) * 7}, "duplicate_card"),
        ({"deck": ("total",) * 7}, "bad_challenge"),
    ],
)
def test_a_table_that_cannot_be_is_refused(settings: dict[str, object], code: str) -> None:
    with pytest.raises(RulesError) as refusal:
        after(**settings)  # type: ignore[arg-type]
    assert refusal.value.code == code


def test_seven_rounds_of_different_challenges_and_the_end() -> None:
    game = whole_game(after(), {"Ada": HIGH, "Ben": MIDDLE, "Cleo": LOW})
    assert game.finished
    assert game.rounds_left == 0
    played = [round_.challenge for round_ in game.rounds]
    assert len(set(played)) == 7
    assert set(played) <= set(standard_deck().cards)
    assert sum(standing.gold for standing in game.standings.values()) <= 7
    assert game.winners()
    for event, code in ((draw(game), "no_more_rounds"), (Finished(), "finished")):
        with pytest.raises(IllegalMove) as refusal:
            apply(game, event)
        assert refusal.value.code == code


def test_nobody_has_won_before_the_end() -> None:
    assert after(*full_round(Ada=LOW, Ben=LOW, Cleo=LOW)).winners() == ()


def test_ties_are_broken_by_gold_then_silver_and_else_shared() -> None:
    standings = {
        "Ada": Standing(gold=1, silver=0, bronze=3),
        "Ben": Standing(gold=2),
        "Cleo": Standing(gold=1, silver=1, bronze=1),
        "Dora": Standing(silver=3),
        "Emil": Standing(gold=2),
    }
    scores = final_scores(standings)
    assert [score.points for score in scores] == [6] * 5
    assert [(score.player, score.place) for score in scores] == [
        ("Ben", 1),
        ("Emil", 1),
        ("Cleo", 3),
        ("Ada", 4),
        ("Dora", 5),
    ]
    assert winners(scores) == ("Ben", "Emil")


def test_the_same_seed_deals_the_same_challenges() -> None:
    assert after(seed=7).pile == after(seed=7).pile
    assert after(seed=7).pile != after(seed=8).pile
    assert draw(after(seed=7)) == Revealed(str(after(seed=7).pile[0]))


def test_an_own_deck_is_dealt_from_until_it_is_played_out() -> None:
    deck = tuple(f"total/four/{vortex}" for vortex in range(7))
    game = whole_game(after(deck=deck), dict.fromkeys(ABC, LOW))
    assert {str(round_.challenge) for round_ in game.rounds} == set(deck)
    with pytest.raises(IllegalMove) as refusal:
        draw(game)
    assert refusal.value.code == "no_more_rounds"


def test_a_challenge_that_was_entered_is_not_dealt_again() -> None:
    game = after(seed=3)
    second = str(game.pile[1])
    game = apply(game, enter(second))
    for event in (*turns(Ada=LOW, Ben=LOW, Cleo=LOW), RoundClosed()):
        game = apply(game, event)
    first = draw(game)
    assert first.challenge == str(game.pile[0])


def test_rulings_of_the_table_are_used() -> None:
    game = after(
        enter("pairs/four/0"),
        *turns(Ada="4444123"),
        rulings=Rulings(pairs="one"),
    )
    assert game.result(1, "Ada").result == 8


@given(st.lists(dice(), min_size=3, max_size=3), st.integers(0, 99))
@settings(max_examples=15)
def test_replay_is_deterministic_and_survives_json(thrown: list[Dice], seed: int) -> None:
    events: list[Event] = [SetUp(ABC, seed=seed, rulings=Rulings(tens="largest"))]
    final = dict(zip(ABC, map(str, thrown), strict=True))
    for number in range(1, 4):
        game = replay(events)
        events.append(draw(game, at=float(number)))
        for player in game.order_from(game.next_starter):
            events += [Rolled(player, 1, final[player]), DiceSubmitted(player, final[player])]
        events.append(RoundClosed(float(number)))
    events.append(DiceCorrected(1, "Ben", final["Ada"], "read again"))
    told = [event_from_json(json.loads(json.dumps(event_to_json(event)))) for event in events]
    assert told == events
    assert replay(told) == replay(events)
