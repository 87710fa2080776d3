"""The seven kinds of cards, case by case as in rules-checklist.md."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dimension.board import CONTACTS
from rules.dimension.cards import Card
from rules.dimension.judge import judge
from rules.dimension.layout import COLORS, Layout
from rules.dimension.many import judge_many
from rules.dimension.rulings import Rulings, ruling_choices
from rules.errors import RulesError
from tests.rules.dimension.strategies import deals, layouts, rulings


@pytest.mark.parametrize(
    ("card", "layout", "fulfilled", "seats", "contacts"),
    [
        # exactly: neither more nor fewer, wherever they lie
        ("exactly:2O", "OO.B.../....../.", True, "C R0", ""),
        ("exactly:2O", "OOOB.../....../.", False, "C R0 R1", ""),
        ("exactly:1O", "B....../....../.", False, "", ""),
        # touch: every sphere of each has one of the other
        ("touch:BK", ".BK..../....../.", True, "R0 R1", "R0-R1"),
        ("touch:BK", ".BKB.../....../.", True, "R0 R1 R2", "R0-R1 R1-R2"),
        ("touch:BK", ".B.K.../....../.", False, "R0 R2", ""),
        ("touch:BK", ".BK.B../....../.", False, "R3", ""),
        ("touch:BK", ".B.B.../....../.", True, "R0 R2", ""),  # one colour absent
        ("touch:BK", "......./....../.", True, "", ""),
        ("touch:KB", "OBGW.../K...../.", True, "R0 T0", "R0-T0"),  # on top counts
        ("touch:WW", ".WW..../....../.", True, "R0 R1", "R0-R1"),
        ("touch:WW", ".W.W.../....../.", False, "R0 R2", ""),
        ("touch:WW", ".WW.W../....../.", False, "R3", ""),
        # apart: no contact at all
        ("apart:GW", ".GOW.../....../.", True, "R0 R2", ""),
        ("apart:GW", ".GW..../....../.", False, "R0 R1", "R0-R1"),
        ("apart:GW", "OGB..../W...../.", False, "R0 T0", "R0-T0"),
        ("apart:BB", ".B.B.../....../.", True, "R0 R2", ""),
        ("apart:BB", "BB..B../....../.", False, "C R0 R3", "C-R0 C-R3"),
        ("apart:BB", "B....../....../.", True, "C", ""),
        # opposite spheres on level two do not touch
        ("apart:GW", "OOBKKBO/G..W../.", True, "T0 T3", ""),
        ("apart:GW", "OOBKKBB/G.W.O./.", False, "T0 T2", "T0-T2"),
        # notabove: level one only, though it may carry
        ("notabove:O", "OOB..../K...../.", True, "C R0", ""),
        ("notabove:O", "GKB..../O...../.", False, "T0", "C-T0 R0-T0 R1-T0"),
        ("notabove:O", "B....../....../.", True, "", ""),
        # notbelow: nothing rests on it, on any level
        ("notbelow:W", ".WGB.../....../.", True, "R0", ""),
        ("notbelow:W", "WGB..../O...../.", False, "C", "C-T0"),
        ("notbelow:W", "OGBKGBK/W.O.B./K", False, "T0", "T0-A"),
        ("notbelow:W", "OGBKGBK/G.O.B./W", True, "A", ""),
        ("notbelow:W", "OKBGK../K...../.", True, "", ""),
        # more: strictly, so at least one
        ("more:OK", "OOK..../....../.", True, "C R0 R1", ""),
        ("more:OK", "OK...../....../.", False, "C R0", ""),
        ("more:OK", "......./....../.", False, "", ""),
        ("more:OK", "O....../....../.", True, "C", ""),
        # sum4
        ("sum4:OW", "OOWW.../....../.", True, "C R0 R1 R2", ""),
        ("sum4:WO", "OOOW.../....../.", True, "C R0 R1 R2", ""),
        ("sum4:OW", "OOOWW../....../.", False, "C R0 R1 R2 R3", ""),
        ("sum4:OW", "OOO..../....../.", False, "C R0 R1", ""),
    ],
)
def test_verdicts(card: str, layout: str, fulfilled: bool, seats: str, contacts: str) -> None:
    verdict = judge(Card.parse(card), Layout.parse(layout))
    assert verdict.fulfilled is fulfilled
    assert verdict.seats == tuple(seats.split())
    assert verdict.contacts == tuple(tuple(pair.split("-")) for pair in contacts.split())


def test_an_uncovered_sphere_at_the_bottom_satisfies_notabove_and_notbelow() -> None:
    layout = Layout.parse("OWB.GB./....../.")
    cards = [Card.parse("notabove:W"), Card.parse("notbelow:W")]
    assert all(judge(card, layout, cards).fulfilled for card in cards)


@pytest.mark.parametrize(
    ("layout", "met"), [("OOO....", True), ("OO.....", False), ("O......", False)]
)
def test_two_exactly_cards_of_a_color_add_up(layout: str, met: bool) -> None:
    cards = [Card.parse("exactly:1O"), Card.parse("exactly:2O"), Card.parse("exactly:1B")]
    verdicts = [judge(card, Layout.parse(f"{layout}/....../."), cards) for card in cards[:2]]
    assert [verdict.fulfilled for verdict in verdicts] == [met, met]
    assert "exactly:2O" in verdicts[0].reason.en
    assert "exactly:1B" not in verdicts[0].reason.en


@pytest.mark.parametrize("choice", ["fulfilled", "failed"])
def test_a_lone_sphere_under_a_same_color_touch_card_is_the_tables_to_rule(choice: str) -> None:
    layout = Layout.parse("B.O..../....../.")
    rulings = Rulings.parse({"lone_touch": choice})
    verdict = judge(Card.parse("touch:BB"), layout, (), rulings)
    assert verdict.fulfilled is (choice == "fulfilled")
    assert "this table" in verdict.reason.en
    assert judge(Card.parse("touch:OB"), Layout.parse("B....../....../."), (), rulings).fulfilled


@pytest.mark.parametrize(
    ("card", "layout", "en", "de"),
    [
        (
            "touch:OK",
            "OK..K../....../.",
            "Every orange sphere touches a black one, and the other way round.",
            "Jede orangefarbene Kugel berührt eine schwarze, und umgekehrt.",
        ),
        (
            "touch:BK",
            ".BK.B../....../.",
            "The blue sphere on R3 touches no black one.",
            "Die blaue Kugel auf R3 berührt keine schwarze.",
        ),
        (
            "touch:WW",
            ".W.W.../....../.",
            "The white spheres on R0 and R2 touch no other white one.",
            "Die weißen Kugeln auf R0 und R2 berühren keine andere weiße.",
        ),
        (
            "apart:KO",
            "O....../....../.",
            "No black sphere touches an orange one.",
            "Keine schwarze Kugel berührt eine orangefarbene.",
        ),
        (
            "exactly:2G",
            "GGG..../....../.",
            "There are three green spheres, asked for: 2.",
            "Es sind drei grüne Kugeln, verlangt: 2.",
        ),
    ],
)
def test_reasons_are_good_english_and_german(card: str, layout: str, en: str, de: str) -> None:
    reason = judge(Card.parse(card), Layout.parse(layout)).reason
    assert (reason.en, reason.de) == (en, de)


def test_a_verdict_is_json_as_in_the_contract() -> None:
    verdict = judge(Card.parse("apart:GW"), Layout.parse(".GW..../....../."))
    assert verdict.to_json() == {
        "card": "apart:GW",
        "fulfilled": False,
        "reason": {"en": "They touch at R0–R1.", "de": "Sie berühren sich bei R0–R1."},
        "seats": ["R0", "R1"],
        "contacts": [["R0", "R1"]],
    }


@given(deals(), layouts(), rulings(), st.integers(1, 5))
def test_rotation_changes_no_verdict(
    cards: list[Card], layout: Layout, rulings: Rulings, steps: int
) -> None:
    turned = layout.rotated(steps)
    for card in cards:
        before, after = (judge(card, each, cards, rulings) for each in (layout, turned))
        assert before.fulfilled == after.fulfilled
        assert len(before.seats) == len(after.seats)
        assert len(before.contacts) == len(after.contacts)


@given(deals(), layouts(), rulings())
def test_verdicts_point_at_spheres_that_are_there(
    cards: list[Card], layout: Layout, rulings: Rulings
) -> None:
    for card in cards:
        verdict = judge(card, layout, cards, rulings)
        assert all(layout[seat] in COLORS for seat in verdict.seats)
        assert set(verdict.contacts) <= set(CONTACTS)
        assert all(layout[seat] in COLORS for contact in verdict.contacts for seat in contact)
        assert verdict.reason.en.endswith((".", ".)"))
        assert verdict.reason.de.endswith((".", ".)"))


@given(deals(), st.lists(layouts(), min_size=1, max_size=30), rulings())
def test_judging_many_is_judging_each(
    cards: list[Card], trays: list[Layout], rulings: Rulings
) -> None:
    each = [[judge(card, tray, cards, rulings).fulfilled for card in cards] for tray in trays]
    assert judge_many(trays, cards, rulings).tolist() == each


def test_judging_many_by_no_card_gives_no_column() -> None:
    assert judge_many([Layout(), Layout()], []).shape == (2, 0)


def test_rulings_are_checked() -> None:
    assert Rulings.parse({}) == Rulings()
    assert set(ruling_choices()) == {"lone_touch", "exactly_pair", "total", "contradiction"}
    for name, choices in ruling_choices().items():
        assert Rulings().to_json()[name] == choices[0]
        assert Rulings().other(name) == Rulings.parse({name: choices[1]})
        assert Rulings().other(name).other(name) == Rulings()
    for wrong in ({"none": "x"}, {"total": "x"}, {"total": None}, {"total": ["floor"]}):
        with pytest.raises(RulesError) as refusal:
            Rulings.parse(wrong)
        assert refusal.value.code == "bad_ruling"
