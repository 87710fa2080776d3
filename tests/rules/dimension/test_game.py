import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dimension.cards import Card, standard_deck
from rules.dimension.game import (
    Event,
    Finished,
    Game,
    HourglassEnded,
    HourglassStarted,
    IllegalMove,
    Revealed,
    RoundClosed,
    SetUp,
    TrayCorrected,
    TraySubmitted,
    apply,
    draw,
    enter,
    event_from_json,
    event_to_json,
    replay,
)
from rules.dimension.game.solo import compare, solo_game
from rules.dimension.game.tokens import worth
from rules.dimension.layout import Layout, LayoutError
from rules.dimension.rulings import Rulings
from rules.errors import RulesError
from tests.rules.dimension.strategies import layouts

CARDS = ("sum4:WO", "exactly:2O", "touch:OK", "touch:BB", "apart:BW", "touch:GK")
A, B, C = "GWWGBBO/O.K.K./W", "KBBOWKG/O.G.O./.", "OKWKWKG/O.G.B./B"
NOTHING = "......./....../."


def after(
    *events: Event, players: tuple[str, ...] = ("Ada", "Ben", "Cleo"), **settings: object
) -> Game:
    return replay([SetUp(players, **settings), *events])  # type: ignore[arg-type]


def submit(**trays: str) -> list[Event]:
    return [TraySubmitted(player, layout) for player, layout in trays.items()]


WORKED_ROUND = (enter(CARDS), *submit(Ada=A, Ben=B, Cleo=C), RoundClosed())


def whole_game(game: Game, trays: dict[str, str]) -> Game:
    for _ in range(game.rounds_left):
        game = apply(game, draw(game))
        for event in (*submit(**trays), RoundClosed()):
            game = apply(game, event)
    return apply(game, Finished(at=9.0))


def test_the_worked_round_at_the_table() -> None:
    game = after(*WORKED_ROUND)
    standings = {player: (s.points, s.bonus) for player, s in game.standings.items()}
    assert standings == {"Ada": (19, 0), "Ben": (18, 0), "Cleo": (21, 1)}
    assert game.rounds_left == 5


def test_ten_instead_of_eleven_at_a_german_table() -> None:
    trays = submit(Ada=A, Ben=B, Cleo="GBBOKWO/G.W.K./.")
    game = after(enter(CARDS), *trays, RoundClosed(), edition="de")
    assert (game.standings["Cleo"].points, game.standings["Cleo"].bonus) == (20, 2)


def test_everybody_starts_with_ten_points_in_six_tokens() -> None:
    game = after()
    assert game.purses["Ada"] == {5: 1, 1: 5}
    assert game.supply == {1: 15, 5: 17, 10: 10, 20: 6, 50: 24}
    assert game.standings["Ada"].points == 10


def test_a_solo_player_never_has_fewer_spheres_than_others() -> None:
    game = after(
        enter(CARDS), TraySubmitted("Ada", "GBBOKWO/G.W.K./."), players=("Ada",), edition="de"
    )
    assert game.score(1, "Ada").bonus == 1


def test_correcting_an_earlier_round_recomputes_everything_after_it() -> None:
    floor = Rulings(total="floor")
    ruined = [enter(CARDS), *submit(Ada=NOTHING, Ben=B, Cleo=C), RoundClosed()]
    game = after(*ruined, rulings=floor)
    game = apply(game, draw(game))
    for event in (*submit(Ada=NOTHING, Ben=B, Cleo=C), RoundClosed()):
        game = apply(game, event)
    before = game.history
    game = apply(game, TrayCorrected(1, "Ada", A, "the photo was of another tray"))
    gain = game.score(1, "Ada").points
    assert gain == 9
    assert game.history[1]["Ada"].points == 19
    assert game.history[1]["Ben"] == before[1]["Ben"]
    assert game.history[2]["Ada"].points == 19 + game.score(2, "Ada").points
    assert game.rounds[0].trays["Ada"].corrections == (
        (Layout.parse(NOTHING), "the photo was of another tray"),
    )
    assert worth(game.purses["Ada"]) == game.standings["Ada"].points


def test_a_correction_can_take_another_players_chip_away() -> None:
    trays = submit(Ada=A, Ben=B, Cleo="GBBOKWO/G.W.K./.")
    game = after(enter(CARDS), *trays, RoundClosed(), edition="de")
    game = apply(game, TrayCorrected(1, "Ada", B, "only ten spheres"))
    assert game.standings["Cleo"].bonus == 1
    assert [h.bonus for h in game.handovers if h.player == "Cleo"] == [-1]


@pytest.mark.parametrize(
    ("start", "sent", "end", "late"),
    [
        (None, 500.0, None, False),
        (100.0, 130.0, None, False),
        (100.0, 160.0, None, False),
        (100.0, 160.1, None, True),
        (100.0, 150.0, 140.0, True),
        (100.0, 150.0, 155.0, False),
        (100.0, 170.0, 200.0, True),
    ],
)
def test_a_tray_after_the_hourglass_is_kept_and_marked_late(
    start: float | None, sent: float, end: float | None, late: bool
) -> None:
    events: list[Event] = [enter(CARDS)]
    if start is not None:
        events.append(HourglassStarted(start))
    if end is not None:
        events.append(HourglassEnded(end))
    game = after(*events, TraySubmitted("Ada", A, sent))
    assert game.rounds[0].trays["Ada"].late is late
    assert game.score(1, "Ada").points == 9


def test_a_tray_sent_again_replaces_the_first() -> None:
    game = after(enter(CARDS), TraySubmitted("Ada", B), TraySubmitted("Ada", A))
    assert str(game.rounds[0].trays["Ada"].layout) == A


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([SetUp(("Ada",))], "already_set_up"),
        ([HourglassStarted()], "no_round"),
        ([RoundClosed()], "no_round"),
        ([TraySubmitted("Ada", A)], "no_round"),
        ([Finished()], "rounds_missing"),
        ([enter(CARDS[:5])], "bad_count"),
        ([enter((*CARDS[:5], "touch:BB"))], "duplicate_card"),
        ([enter((*CARDS[:5], "more:KO"))], "not_in_deck"),
        ([enter((*CARDS[:5], "nonsense"))], "bad_card"),
        ([Revealed(CARDS, put_back=("touch:OK",))], "duplicate_card"),
        ([enter(CARDS), enter(CARDS)], "round_open"),
        ([*WORKED_ROUND, enter(CARDS)], "already_played"),
        ([enter(CARDS), HourglassEnded()], "hourglass_not_running"),
        ([enter(CARDS), HourglassStarted(), HourglassStarted()], "hourglass_ran"),
        (
            [enter(CARDS), HourglassStarted(), HourglassEnded(), HourglassEnded()],
            "hourglass_not_running",
        ),
        ([enter(CARDS), TraySubmitted("Eve", A)], "unknown_player"),
        ([enter(CARDS), TraySubmitted("Ada", "O")], "bad_layout"),
        ([enter(CARDS), TraySubmitted("Ada", "OOOO.../....../.")], "bad_layout"),
        ([enter(CARDS), *submit(Ada=A), RoundClosed()], "trays_missing"),
        ([*WORKED_ROUND, TraySubmitted("Ada", A)], "no_round"),
        ([TrayCorrected(1, "Ada", A, "")], "no_round"),
        ([enter(CARDS), TrayCorrected(0, "Ada", A, "")], "no_round"),
        ([enter(CARDS), TrayCorrected(1, "Ada", A, "")], "no_tray"),
        ([*WORKED_ROUND, TrayCorrected(1, "Eve", A, "")], "unknown_player"),
        ([*WORKED_ROUND, TrayCorrected(1, "Ada", "......./....../K", "")], "bad_layout"),
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
    ("settings", "code"),
    [
        ({"players": ()}, "bad_players"),
        ({"players": tuple("ABCDE")}, "bad_players"),
        ({"cards_per_round": 7}, "bad_variant"),
        ({"without": ("touch",)}, "bad_variant"),
        ({"hourglass_s": 0}, "bad_hourglass"),
        ({"edition": "fr"}, "bad_edition"),
        ({"deck": ("touch:BK",)}, "bad_deck"),
        ({"deck": ("touch:BK", "touch:KB")}, "duplicate_card"),
    ],
)
def test_a_table_that_cannot_be_is_refused(settings: dict[str, object], code: str) -> None:
    with pytest.raises(RulesError) as refusal:
        after(**settings)  # type: ignore[arg-type]
    assert refusal.value.code == code


def test_six_rounds_and_the_end() -> None:
    game = whole_game(after(), {"Ada": A, "Ben": B, "Cleo": C})
    assert game.finished
    assert game.rounds_left == 0
    assert len({card.key for round_ in game.rounds for card in round_.cards}) == 36
    for score in game.final():
        assert score.total == score.points + score.conversion
        held = worth(game.purses[score.player])
        assert held == max(score.total, 0)
    assert game.winners()
    for event, code in ((draw(game), "no_more_rounds"), (Finished(), "finished")):
        with pytest.raises(IllegalMove) as refusal:
            apply(game, event)
        assert refusal.value.code == code


def test_nobody_has_won_before_the_end() -> None:
    assert after(*WORKED_ROUND).winners() == ()


def test_the_same_seed_draws_the_same_cards() -> None:
    assert draw(after(seed=7)) == draw(after(seed=7))
    assert draw(after(seed=7)) != draw(after(seed=8))


def test_left_out_kinds_are_not_drawn() -> None:
    game = after(without=("exactly", "more_sum4"))
    kinds = {card.kind for card in game.stack.cards}
    assert kinds == {"touch", "apart", "notabove", "notbelow"}
    assert len(game.stack.cards) == 40
    with pytest.raises(IllegalMove, match="not in the deck"):
        apply(game, enter(CARDS))


def test_forty_cards_last_for_six_rounds_of_eight_as_discards_come_back() -> None:
    game = after(without=("exactly", "more_sum4"), cards_per_round=8, seed=3)
    game = whole_game(game, {"Ada": A, "Ben": B, "Cleo": C})
    first_five = [card.key for round_ in game.rounds[:5] for card in round_.cards]
    assert len(set(first_five)) == 40
    assert len({card.key for card in game.rounds[5].cards}) == 8


def contradicting(cards: tuple[str, ...]) -> bool:
    keys = {Card.parse(code).key for code in cards}
    return any(key.replace("touch:", "apart:") in keys for key in keys if key.startswith("touch:"))


@pytest.mark.parametrize("seed", range(30))
def test_contradicting_cards_go_back_under_the_stack(seed: int) -> None:
    game = after(put_back=True, cards_per_round=8, without=("exactly", "more_sum4"), seed=seed)
    revealed = draw(game)
    assert not contradicting(revealed.cards)
    later = apply(game, revealed)
    under = tuple(
        str(card) for card in later.stack.cards[len(later.stack.cards) - len(revealed.put_back) :]
    )
    assert under == revealed.put_back
    assert len(later.stack.cards) == 32


def test_without_the_variant_contradictions_happen() -> None:
    games = (after(cards_per_round=8, without=("exactly", "more_sum4"), seed=s) for s in range(30))
    assert any(contradicting(draw(game).cards) for game in games)


def test_after_one_pass_of_the_stack_a_contradicting_card_stays() -> None:
    deck = ("touch:BK", "apart:BK", "touch:OO", "apart:OO", "touch:GG", "apart:GG")
    revealed = draw(after(put_back=True, deck=deck, seed=1))
    assert sorted(revealed.cards) == sorted(deck)
    assert revealed.put_back == ()


def test_a_table_may_put_back_whatever_cannot_be_met() -> None:
    deck = ("more:WG", "more:GO", "more:OK", "more:KB", "touch:OO", "touch:GG", "touch:WW")
    rulings = Rulings(contradiction="unsatisfiable")
    for seed in range(10):
        table = {"put_back": True, "deck": deck, "rulings": rulings, "seed": seed}
        revealed = draw(after(**table))  # type: ignore[arg-type]
        assert sum(code.startswith("more") for code in revealed.cards) == 3


@given(
    st.lists(layouts(), min_size=2, max_size=2), st.integers(0, 99), st.sampled_from(["en", "de"])
)
@settings(max_examples=25)
def test_replay_is_deterministic_and_survives_json(
    trays: list[Layout], seed: int, edition: str
) -> None:
    events: list[Event] = [SetUp(("Ada", "Ben"), edition=edition, seed=seed)]
    for number in range(1, 4):
        game = replay(events)
        events += [draw(game, at=float(number)), HourglassStarted(float(number))]
        events += submit(Ada=str(trays[number % 2]), Ben=str(trays[0]))
        events += [RoundClosed(float(number))]
    events.append(TrayCorrected(1, "Ben", str(trays[1]), "read again"))
    told = [event_from_json(json.loads(json.dumps(event_to_json(event)))) for event in events]
    assert told == events
    assert replay(told) == replay(events)


def test_a_deep_loss_is_a_debt_and_comes_off_later() -> None:
    game = after(players=("Ada",))
    hopeless = ("exactly:1O", "exactly:1B", "exactly:1G", "exactly:1K", "exactly:1W", "more:WG")
    game = apply(game, enter(hopeless))
    game = apply(apply(game, TraySubmitted("Ada", NOTHING)), RoundClosed())
    assert game.standings["Ada"].points == -2
    assert worth(game.purses["Ada"]) == 0
    assert [h.debt for h in game.handovers] == [2]
    game = apply(game, enter(CARDS))
    game = apply(apply(game, TraySubmitted("Ada", C)), RoundClosed())
    assert game.standings["Ada"].points == 9
    assert worth(game.purses["Ada"]) == 9


def test_a_solo_history() -> None:
    player = ("Ada",)
    first = solo_game(whole_game(after(players=player, seed=1), {"Ada": C}))
    second = solo_game(whole_game(after(players=player, seed=2), {"Ada": NOTHING}))
    other = solo_game(
        whole_game(
            after(players=player, cards_per_round=8, put_back=True, without=("exactly",)),
            {"Ada": C},
        )
    )
    assert first.way == "en, 6 cards"
    assert other.way == "en, 8 cards, without exactly, contradictions put back"
    comparison = compare(second, [first, other])
    assert (comparison.place, comparison.games, comparison.best) == (2, 2, first.total)
    assert comparison.average == (first.total + second.total) / 2
    assert compare(first, [first, second]).place == 1
    with pytest.raises(RulesError, match="finished game of one"):
        solo_game(after(players=player))


def test_a_layout_error_carries_the_problems() -> None:
    game = after(enter(CARDS))
    with pytest.raises(LayoutError) as refusal:
        apply(game, TraySubmitted("Ada", "OOOO.../....../K"))
    assert [problem.code for problem in refusal.value.problems] == ["too_many", "floating"]


def test_the_standard_deck_is_played_by_default() -> None:
    assert {card.key for card in after().stack.cards} == {c.key for c in standard_deck().cards}
