"""The page's board is that of the rules: seats, supports, what fits where."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from rules.dimension.board import SEATS, SUPPORTS, can_stand, level, seat_set, seats_in, shapes
from rules.dimension.cards import Card, standard_deck
from rules.dimension.layout import COLORS, Layout
from tests.page.visit import Visit

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def script(service: str, browser: Browser) -> Iterator[Page]:
    """A page to run the page's own modules in."""
    with Visit(browser, service) as visit:
        yield visit.open()


def run(script: Page, module: str, body: str, *values: object) -> Any:
    """What a piece of code says that has a module of the page as ``m`` and ``values``."""
    code = f"async (values) => {{ const m = await import('/{module}'); {body} }}"
    return script.evaluate(code, list(values))


def test_seats_and_supports(script: Page) -> None:
    body = "return [m.SEATS, m.SUPPORTS, m.SEATS.map(m.level)]"
    seats, supports, levels = run(script, "games/dimension/board.js", body)
    assert tuple(seats) == SEATS
    assert {seat: tuple(map(tuple, ways)) for seat, ways in supports.items()} == SUPPORTS
    assert levels == [level(seat) for seat in SEATS]


def test_notation_round_trips(script: Page) -> None:
    text = "OKBGGWB/K.B.O./K"
    body = "return [m.cells(values[0]), m.notation(m.cells(values[0])), m.count(values[0])]"
    letters, again, count = run(script, "games/dimension/board.js", body, text)
    layout = Layout.parse(text)
    assert letters == {seat: layout[seat] for seat in SEATS}
    assert (again, count) == (text, len(layout))


def filled(shape: int) -> Layout:
    return Layout.of(dict.fromkeys(seats_in(shape), "O"))


def test_a_seat_fits_exactly_where_the_rules_let_one_more_lie(script: Page) -> None:
    questions = [
        (str(filled(shape)), seat, can_stand(shape | seat_set([seat])))
        for shape in shapes()
        for seat in SEATS
        if not shape & seat_set([seat])
    ]
    asked = [[layout, seat] for layout, seat, _ in questions]
    said = run(
        script, "games/dimension/board.js", "return values.map(([l, s]) => m.fits(l, s))", *asked
    )
    assert said == [fits for *_, fits in questions]
    assert len(questions) > 2000


def test_exhausted_colors(script: Page) -> None:
    assert run(
        script, "games/dimension/board.js", "return m.exhausted(values[0])", "OOOBB../....../."
    ) == ["O"]
    assert run(script, "games/dimension/colors.js", "return m.COLORS.join('')") == COLORS


def test_every_card_of_the_deck_is_taken_apart_as_the_rules_do(script: Page) -> None:
    cards = standard_deck().cards
    body = "return values.map(m.parseCard)"
    parts = run(script, "games/dimension/card-code.js", body, *map(str, cards))
    assert parts == [
        {"kind": card.kind, "colors": list(card.colors), "number": card.number} for card in cards
    ]
    kinds = run(script, "games/dimension/card-code.js", "return m.KINDS")
    assert set(kinds) == {card.kind for card in cards}


@pytest.mark.parametrize("kind", ["touch", "apart", "sum4", "more"])
def test_colors_may_be_swapped_where_the_rules_say_so(script: Page, kind: str) -> None:
    codes = [f"{kind}:BK", f"{kind}:KB"]
    keys = run(script, "games/dimension/card-code.js", "return values.map(m.cardKey)", *codes)
    same = len({Card.parse(code).key for code in codes}) == 1
    assert (keys[0] == keys[1]) == same
