"""Whole games as events: turns, claims, twins, secret hands, ends and ties."""

from typing import Any

import pytest

from rules.cube.cards import Deck
from rules.cube.game import (
    BuildingTold,
    Claimed,
    Drawn,
    Event,
    Finished,
    Game,
    Moved,
    Refilled,
    SetUp,
    TwinPlaced,
    apply,
    event_from_json,
    event_to_json,
    replay,
    shuffled,
)
from rules.errors import RulesError

TWO = SetUp(("Ada", "Ben"))


def played(*events: Event, start: SetUp = TWO) -> Game:
    return replay([event_from_json(event_to_json(event)) for event in (start, *events)])


def refusal(game: Game, event: Event) -> str:
    with pytest.raises(RulesError) as refused:
        apply(game, event)
    return refused.value.code


def test_four_cubes_stand_on_the_corners_and_turns_alternate() -> None:
    game = played()
    assert str(game.building) == "R,.,.,Y/.,.,.,./.,.,.,./G,.,.,B"
    assert (game.whose_turn, game.round, game.goal) == ("Ada", 1, 7)
    assert refusal(game, Drawn("Ben", "R", "1,1")) == "not_your_turn"
    assert refusal(game, Drawn("Cem", "R", "1,1")) == "unknown_player"
    assert refusal(game, Drawn("Ada", "X", "1,1")) == "bad_color"
    assert refusal(game, Drawn("Ada", "R", "4,1")) == "bad_space"
    assert refusal(game, Moved("Ada", "0,0,0", "1,1")) == "corner"
    assert refusal(game, Moved("Ada", "1,0,0", "1,1")) == "no_cube"
    assert refusal(game, Moved("Ada", "here", "1,1")) == "bad_cube"
    assert refusal(game, Claimed("Ada", "R..Y")) == "too_early"


def test_a_cube_moved_just_before_is_taboo_for_one_turn() -> None:
    game = played(Drawn("Ada", "R", "1,1"), Moved("Ben", "1,1,0", "2,2"))
    assert refusal(game, Moved("Ada", "2,2,0", "1,1")) == "last_moved"
    assert refusal(game, Moved("Ada", "0,0,0", "0,0")) == "same_space"
    later = apply(game, Drawn("Ada", "B", "0,1"))
    assert apply(later, Moved("Ben", "2,2,0", "0,1")).last_moved == (0, 1, 1)


def test_claims_come_after_a_turn_clockwise_and_in_chains() -> None:
    game = played(Drawn("Ada", "B", "1,0"))
    game = apply(apply(game, Claimed("Ada", "RB.Y")), Claimed("Ada", "RB"))
    assert refusal(game, Claimed("Ada", "RG")) == "not_fulfilled"
    game = apply(game, Claimed("Ben", "BR"))
    assert refusal(game, Claimed("Ada", "RB")) == "too_late"
    assert (game.cards_of("Ada"), game.cards_of("Ben")) == (2, 1)


def test_the_own_twin_comes_after_the_first_card() -> None:
    game = played(Drawn("Ada", "B", "1,0"))
    assert refusal(game, TwinPlaced("Ben", "R", "2,2")) == "no_card_yet"
    game = apply(game, Claimed("Ben", "RB"))
    assert refusal(game, TwinPlaced("Ben", "R", "2,2", "1,0")) == "bad_twin"
    assert refusal(game, TwinPlaced("Ben", "X", "2,2")) == "bad_color"
    flat = apply(game, TwinPlaced("Ben", "R", "2,2", "2,1"))
    assert str(flat.building) == "R,B,.,Y/.,.,r,./.,.,r,./G,.,.,B"
    upright = apply(game, TwinPlaced("Ben", "R", "2,2"))
    assert upright.building.column((2, 2)) == "rr"
    assert refusal(upright, Moved("Ada", "2,2,1", "1,1")) == "twin"
    again = apply(upright, Drawn("Ada", "B", "1,1"))
    assert refusal(again, TwinPlaced("Ben", "Y", "0,1")) == "twin_placed"


def finished_round(cards: int) -> Game:
    """Ada has so many cards, Ben has one less, and the round is not over."""
    game = played(Drawn("Ada", "B", "1,0"))
    for _ in range(cards):
        game = apply(game, Claimed("Ada", "RB"))
    for _ in range(cards - 1):
        game = apply(game, Claimed("Ben", "BR"))
    return game


def test_the_round_is_finished_and_most_cards_win() -> None:
    game = finished_round(7)
    assert refusal(game, Finished()) == "not_over"
    game = apply(game, Drawn("Ben", "B", "1,1"))
    assert refusal(game, Drawn("Ada", "B", "2,2")) == "game_over"
    over = apply(game, Finished(at=5.0))
    assert over.winners() == ("Ada",)
    assert [score.place for score in over.final()] == [1, 2]
    assert refusal(over, Drawn("Ada", "B", "2,2")) == "finished"


def test_a_placed_twin_and_then_a_further_card_break_a_tie() -> None:
    game = finished_round(7)
    by_twin = apply(apply(game, TwinPlaced("Ben", "G", "2,2")), Claimed("Ben", "RB"))
    assert by_twin.leaders == ("Ben",)
    tie = apply(apply(game, Drawn("Ben", "B", "1,1")), Claimed("Ben", "RB"))
    assert tie.leaders == ("Ada", "Ben")
    assert apply(tie, Finished()).winners() == ("Ada", "Ben")
    on = apply(tie, Drawn("Ada", "B", "2,2"))
    assert on.tied == ("Ada", "Ben")
    won = apply(on, Claimed("Ben", "RB"))
    assert apply(won, Finished()).winners() == ("Ben",)
    assert refusal(won, Claimed("Ada", "RB")) == "tie_broken"


def test_the_game_ends_when_all_cubes_are_placed() -> None:
    game = played(start=SetUp(("Ada", "Ben", "Cem"), starter="Ben", supply=2))
    for player, color, to in zip(["Ben", "Cem", "Ada", "Ben"], "RYBG", "123 ", strict=True):
        game = apply(game, Drawn(player, color, f"1,{to.replace(' ', '0')}"))
    game = apply(game, Claimed("Ben", "RG"))
    assert refusal(game, Drawn("Cem", "R", "0,1")) == "game_over"
    assert apply(game, Finished()).winners() == ("Ben",)


def test_a_table_may_record_claims_only() -> None:
    game = played(start=SetUp(("Ada", "Ben"), record="claims"))
    game = apply(game, BuildingTold("R?,.,.,Y/.,.,.,./.,.,.,./G,.,.,B"))
    assert refusal(game, Drawn("Ada", "R", "1,1")) == "acts_not_told"
    assert refusal(game, BuildingTold("R")) == "bad_board"
    assert refusal(game, Claimed("Ada", "RR")) == "open_verdict"
    assert apply(game, Claimed("Ada", "RR", agreed=True)).cards_of("Ada") == 1


def test_a_dealt_hand_is_known_by_commitments_until_a_card_is_shown() -> None:
    deck = ("RB", "RY", "RG", "BY", "BG", "YG", "RR")
    pile = shuffled(Deck.of(deck).cards, b"secret")
    assert pile == shuffled(Deck.of(deck).cards, b"secret")
    start = SetUp(("Ada", "Ben"), deck=deck, pile=tuple(c.commitment for c in pile))
    told = str(event_to_json(start)["pile"])
    assert not any(card.salt in told for card in pile)
    game = played(BuildingTold("R,Y,B,G/R,Y,G,B/R,B,Y,G/G,B,R,Y"), start=start)
    game = apply(game, Drawn("Ada", "R", "0,0"))
    first, of_ben = pile[game.hands["Ada"][0]], pile[game.hands["Ben"][0]]
    assert refusal(game, Claimed("Ada", str(of_ben.card), of_ben.salt)) == "not_in_hand"
    assert refusal(game, Claimed("Ada", str(first.card), "guess")) == "not_in_hand"
    assert refusal(game, Refilled(("x",))) == "pile_left"
    game = apply(game, Claimed("Ada", str(first.card), first.salt))
    assert game.hands["Ada"] == (1, 2, 6)
    new = shuffled([first.card], b"secret", pile=1)
    assert refusal(game, Refilled(())) == "bad_pile"
    game = apply(game, Refilled(tuple(card.commitment for card in new)))
    assert len(game.pile) == 8
    assert refusal(played(), Refilled(("x",))) == "no_refill"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"starter": "Cem"}, "unknown_player"),
        ({"record": "all"}, "bad_record"),
        ({"colors": "RRRR"}, "bad_colors"),
        ({"corners": "RRYB"}, "bad_corners"),
        ({"supply": 0}, "bad_supply"),
        ({"pile": ("x",)}, "bad_pile"),
        ({"pile": ("x",), "colors": "OWKN"}, "bad_deck"),
    ],
)
def test_a_bad_set_up_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(RulesError) as refused:
        replay([SetUp(("Ada", "Ben"), **change)])
    assert refused.value.code == code
