import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dimension.board import SEATS
from rules.dimension.cards import Card, standard_deck
from rules.dimension.editions import ENGLISH, GERMAN
from rules.dimension.layout import COLORS, EMPTY, Layout, LayoutError
from rules.dimension.moves import better_from
from rules.dimension.scoring import score_round
from rules.errors import RulesError
from tests.rules.dimension.strategies import deals, layouts


def one_move(layout: Layout) -> set[Layout]:
    """Everything one move away, by the words of docs/notation.md."""
    found = set()
    spare = [color for color in COLORS if layout.storage()[color]]
    for seat in SEATS:
        if layout[seat] == EMPTY:
            found |= {layout.with_seat(seat, color) for color in spare}
            continue
        lifted = layout.with_seat(seat, None)
        found.add(lifted)
        found |= {layout.with_seat(seat, c) for c in spare if c != layout[seat]}
        found |= {
            lifted.with_seat(other, layout[seat]) for other in SEATS if layout[other] == EMPTY
        }
    return found


def best_within(layout: Layout, moves: int, cards: list[Card]) -> tuple[int, int]:
    """The best score in reach, by trying everything."""
    reached = {layout}
    for _ in range(moves):
        reached |= {after for before in reached for after in one_move(before)}
    scores = [score_round(r, cards) for r in reached if not r.problems()]
    return max((score.points, score.bonus) for score in scores)


@pytest.mark.no_cover  # trying everything is traced call by call
@settings(max_examples=60)
@given(layouts(), deals(), st.integers(0, 1))
def test_the_best_in_reach_is_found(layout: Layout, cards: list[Card], moves: int) -> None:
    better = better_from(layout, moves, cards)
    assert (better.points, better.bonus) == best_within(layout, moves, cards)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(3))
def test_the_best_within_two_moves_is_found(seed: int) -> None:
    rng = random.Random(seed)
    cards = rng.sample(standard_deck().cards, 6)
    start = Layout.parse(["OKBGGWB/K.B.O./K", "OBG..../....../.", "WOOBBK./....../."][seed])
    better = better_from(start, 2, cards)
    assert (better.points, better.bonus) == best_within(start, 2, cards)


@pytest.mark.slow
@pytest.mark.parametrize("start", ["O....../....../.", "OBGKWO./....../."])
def test_the_best_within_three_moves_is_found(start: str) -> None:
    cards = random.Random(start).sample(standard_deck().cards, 6)
    better = better_from(Layout.parse(start), 3, cards)
    assert (better.points, better.bonus) == best_within(Layout.parse(start), 3, cards)


@settings(max_examples=30)
@given(layouts(), deals(), st.integers(0, 3))
def test_the_moves_lead_there(layout: Layout, cards: list[Card], moves: int) -> None:
    better = better_from(layout, moves, cards)
    score = score_round(better.layout, cards)
    assert (better.points, better.bonus) == (score.points, score.bonus)
    assert len(better.moves) <= moves
    assert followed(layout, better.moves) == better.layout


def followed(layout: Layout, moves: tuple[str, ...]) -> Layout:
    """The layout after the moves, read as a person would."""
    letter = {"orange": "O", "blue": "B", "green": "G", "black": "K", "white": "W"}
    for move in moves:
        match move.split():
            case ["place", color, "on", seat]:
                assert layout[seat] == EMPTY
                assert layout.storage()[letter[color]]
                layout = layout.with_seat(seat, letter[color])
            case ["take", color, "off", seat]:
                assert layout[seat] == letter[color]
                layout = layout.with_seat(seat, None)
            case ["move", color, "from", seat, "to", other]:
                assert (layout[seat], layout[other]) == (letter[color], EMPTY)
                layout = layout.with_seat(seat, None).with_seat(other, letter[color])
            case ["exchange", color, "on", seat, "for", new]:
                assert layout[seat] == letter[color]
                assert layout.storage()[letter[new]]
                layout = layout.with_seat(seat, letter[new])
            case _:
                pytest.fail(f"no move: {move}")
    return layout


def test_nothing_is_moved_where_nothing_is_better() -> None:
    best = Layout.parse("OKWKWKG/O.G.B./B")
    better = better_from(best, 2, [Card.parse("exactly:2O")])
    assert (better.layout, better.moves) == (best, ())


def test_the_german_chip_counts() -> None:
    cards = [Card.parse("exactly:1O")]
    start = Layout.parse("O....../....../.")
    assert better_from(start, 0, cards, GERMAN, most=2).bonus == 1
    assert better_from(start, 0, cards, ENGLISH, most=2).bonus == 0


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(RulesError, match="moves is 0 to 3"):
        better_from(Layout(), 4, [])
    with pytest.raises(LayoutError):
        better_from(Layout.parse("......./....../K"), 1, [])
