import re

import pytest

from calibration.pdf import PAPERS, Page, circle


def test_a_page_has_the_paper_s_size_and_asks_not_to_be_scaled() -> None:
    content = Page(PAPERS["a4"], "A sheet").to_bytes()
    assert b"/MediaBox [0 0 595.2756 841.8898]" in content
    assert b"/PrintScaling /None" in content


def test_every_object_is_where_the_table_says() -> None:
    page = Page(PAPERS["letter"], "Größe × 2")
    page.boxes([(10, 10, 5, 5)])
    page.text((20, 20), "25 mm × 7 – “actual size”")
    content = page.to_bytes()
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n$", content)[0])
    assert content[start:].startswith(b"xref\n0 7\n")
    offsets = re.findall(rb"^(\d{10}) 00000 n $", content[start:], re.MULTILINE)
    for number, offset in enumerate(offsets, start=1):
        assert content[int(offset) :].startswith(b"%d 0 obj\n" % number)
    [(length, stream)] = re.findall(rb"/Length (\d+) >>\nstream\n(.*)\nendstream", content, re.S)
    assert int(length) == len(stream)


def test_drawing_is_in_millimetres() -> None:
    """The first mark scales points to mm; after it come plain millimetres."""
    page = Page(PAPERS["a4"], "A box")
    page.boxes([(10, 20, 30, 40.5)])
    assert b"2.834645669 0 0 2.834645669 0 0 cm\n" in page.to_bytes()
    assert b"\n10.0000 20.0000 30.0000 40.5000 re\nf" in page.to_bytes()


def test_words_that_the_font_does_not_have_are_an_error_rather_than_boxes_on_paper() -> None:
    with pytest.raises(UnicodeEncodeError):
        Page(PAPERS["a4"], "A sheet").text((10, 10), "次元")


def test_a_circle_is_round_to_a_fiftieth_of_a_millimetre() -> None:
    for (x, y), (x2, y2) in zip(circle((5, 6), 85), circle((5, 6), 85)[1:], strict=False):
        middle = ((x + x2) / 2 - 5, (y + y2) / 2 - 6)
        assert (middle[0] ** 2 + middle[1] ** 2) ** 0.5 == pytest.approx(85, abs=0.02)
