import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dimension.board import OVERLAPS, SEATS, SUPPORTS
from rules.dimension.layout import COLORS, Layout, LayoutError, problems
from tests.rules.dimension.strategies import layouts

FULL = "OKBGGWB/K.B.O./K"


def codes(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(problem.code, problem.seats) for problem in problems(text)]


def test_notation_names_every_seat() -> None:
    layout = Layout.parse(FULL)
    assert [layout[seat] for seat in SEATS] == list("OKBGGWBK.B.O.K")
    assert (len(layout), layout.count("K"), layout.colors()) == (11, 3, set("OKBGW"))
    assert layout.storage() == {"O": 1, "B": 0, "G": 1, "K": 0, "W": 2}


@given(layouts())
def test_parse_after_print_is_the_identity(layout: Layout) -> None:
    assert Layout.parse(str(layout)) == layout


@given(st.text(alphabet="OBGKW.", min_size=14, max_size=14))
def test_print_after_parse_is_the_identity(cells: str) -> None:
    text = f"{cells[:7]}/{cells[7:13]}/{cells[13:]}"
    assert str(Layout.parse(text)) == text


@given(layouts())
def test_random_layouts_are_legal(layout: Layout) -> None:
    assert layout.problems() == ()


@given(layouts(), st.data())
def test_a_sphere_taken_from_the_top_leaves_a_legal_layout(
    layout: Layout, data: st.DataObject
) -> None:
    free = [
        seat
        for seat, _ in layout
        if not any(seat in support for other, _ in layout for support in SUPPORTS[other])
    ]
    if free:
        assert layout.with_seat(data.draw(st.sampled_from(free)), None).problems() == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (FULL, []),
        ("OOOO.../....../.", [("too_many", ("C", "R0", "R1", "R2"))]),
        ("OB...../K...../.", [("floating", ("T0",))]),
        (
            "OBGK.../WW..../.",
            [("overlap", ("T0", "T1"))],
        ),
        ("......./....../B", [("floating", ("A",))]),
        ("OX...../....../.", [("bad_letter", ("R0",))]),
        ("o....../....../.", [("bad_letter", ("C",))]),
        ("?....../....../.", [("bad_letter", ("C",))]),
        ("OBG/....../.", [("bad_length", ("R2", "R3", "R4", "R5"))]),
        ("......./......./.", [("bad_length", ())]),
        ("", [("bad_length", SEATS[7:]), ("bad_length", SEATS[:7])]),
        ("OKBGGWB/K.B.O.", [("bad_length", ("A",))]),
        ("......././././.", [("bad_length", ()), ("bad_length", SEATS[8:13])]),
    ],
)
def test_problems_name_the_seats(text: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert codes(text) == found


def test_problems_are_reported_all_at_once() -> None:
    assert codes("OOOOx../..KK../B") == [
        ("bad_letter", ("R3",)),
        ("too_many", ("C", "R0", "R1", "R2")),
        ("floating", ("T3",)),
        ("floating", ("A",)),
        ("overlap", ("T2", "T3")),
    ]


def test_a_sphere_on_an_unreadable_one_is_not_called_floating() -> None:
    assert codes("Ox?..../K...../.") == [("bad_letter", ("R0",)), ("bad_letter", ("R1",))]


@given(st.text())
def test_no_text_makes_problems_raise(text: str) -> None:
    found = problems(text)
    assert all(set(problem.seats) <= set(SEATS) and problem.text for problem in found)
    if found and {problem.code for problem in found} & {"bad_letter", "bad_length"}:
        with pytest.raises(LayoutError):
            Layout.parse(text)


@given(st.lists(st.sampled_from(COLORS + "."), min_size=14, max_size=14))
def test_a_layout_without_problems_stands_and_has_three_of_a_color_at_most(
    cells: list[str],
) -> None:
    layout = Layout("".join(cells))
    clash = any(layout[a] != "." and layout[b] != "." for a, b in OVERLAPS)
    hangs = any(
        not any(all(layout[low] != "." for low in support) for support in SUPPORTS[seat])
        for seat, _ in layout
    )
    crowded = any(layout.count(color) > 3 for color in COLORS)
    assert bool(layout.problems()) == (clash or hangs or crowded)


def test_a_layout_of_other_letters_cannot_be_made() -> None:
    with pytest.raises(LayoutError, match="not a colour"):
        Layout("x" * 14)
    with pytest.raises(LayoutError, match="places instead of"):
        Layout("O")


def test_rotation_moves_ring_and_level_two_together() -> None:
    turned = Layout.parse("WOB..../K...../.").rotated()
    assert str(turned) == "W.OB.../.K..../."


@given(layouts(), st.integers(0, 5))
def test_rotations_are_one_layout(layout: Layout, steps: int) -> None:
    assert layout.same_as(layout.rotated(steps))
    assert layout.canonical() == layout.rotated(steps).canonical()
    assert layout.rotated(6) == layout


def test_a_mirror_image_is_another_layout() -> None:
    assert not Layout.parse(".OBK.../....../.").same_as(Layout.parse(".KBO.../....../."))
