"""A whole game on two devices, as a family plays it: photo, correction, reload, dispute, end."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.players import (
    SOON,
    confirm,
    draw_cards,
    enter_by_hand,
    join,
    lock,
    open_table,
    put,
    sealed,
    to_sum,
    to_table,
    totals,
    turn_and_stop_hourglass,
)
from tests.page.visit import Visit

pytestmark = pytest.mark.slow

SAMPLE = Path(__file__).parent.parent.parent / "api" / "data" / "samples" / "lamp.jpg"

READERS = "fetch('/v1/health').then((answer) => answer.json()).then(({ readers }) => readers > 0)"


@pytest.fixture
def devices(service: str, browser: Browser) -> Iterator[tuple[Page, Page]]:
    """The tablet that hosts for Ada, and Ben's phone; neither may complain about anything."""
    with (
        Visit(browser, service, size="tablet", accept_downloads=True) as tablet,
        Visit(browser, service, size="phone") as phone,
    ):
        host = tablet.open("/table/new")
        code = open_table(host, "Ada", "Ben")
        ben = phone.open(f"/join/{code}")
        join(ben, "Ben")
        expect(host.locator(".roster")).to_contain_text("own device", timeout=SOON)
        yield host, ben
        assert tablet.complaints + phone.complaints == []


def seconds(page: Page) -> int:
    return int(page.locator(".hourglass .seconds").inner_text())


def test_a_whole_game(devices: tuple[Page, Page]) -> None:
    host, ben = devices
    first_round(host, ben)
    second_round(host, ben)
    dispute_about_the_second_round(host, ben)
    for _ in range(3, 7):
        quick_round(host, ben)
    the_end(host, ben)


def first_round(host: Page, ben: Page) -> None:
    """Cards are drawn, the sand runs out, a photo and a tray by hand; one is corrected."""
    cards = draw_cards(host)
    expect(ben.locator(".table-cards .card")).to_have_count(6, timeout=SOON)
    assert ben.locator(".table-cards figcaption").all_inner_texts() == cards
    host.get_by_role("button", name="What is possible?").click()
    expect(host.locator(".hint")).to_contain_text("points are possible", timeout=SOON)

    host.get_by_role("button", name="Turn the hourglass: 15 s").click()
    expect(ben.locator(".hourglass")).to_be_visible(timeout=SOON)
    host.locator(".hourglass .seconds", has_text="10").wait_for()
    assert abs(seconds(ben) - seconds(host)) <= 1
    expect(host.locator(".build")).to_have_class("build last")
    for page in (host, ben):
        expect(page.locator(".hands-off")).to_be_visible(timeout=SOON)

    host.get_by_role("link", name="Photograph Ada’s tray").click()
    host.wait_for_function(READERS, timeout=6 * SOON)
    host.locator("input[capture]").set_input_files(SAMPLE)
    expect(host.locator("h1")).not_to_contain_text("Ada’s tray", timeout=6 * SOON)
    to_table(host)
    enter_by_hand(ben, "Ben", C="O", R0="K", R1="B", T0="G")
    expect(ben.locator(".trial")).to_be_visible(timeout=SOON)
    assert ben.locator(".answer-row").count() == 2

    to_sum(host)
    expect(host.locator(".sum-row", has_text="Ben")).to_contain_text("4 spheres")
    host.locator(".sum-row", has_text="Ben").get_by_role("link", name="Correct").click()
    expect(host.locator(".layout")).to_be_visible()
    put(host, "T0", ".")
    confirm(host)
    to_table(host)
    to_sum(host)
    expect(host.locator(".sum-row", has_text="Ben")).to_contain_text("3 spheres")
    assert lock(host) == sealed(ben)


def second_round(host: Page, ben: Page) -> None:
    """The table's own cards are tapped in; both devices are reloaded in the middle."""
    host.get_by_role("link", name="Tap in our cards").click()
    for kind in ("touch", "touch", "apart", "apart", "notabove", "notbelow"):
        host.locator(f"[data-kind={kind}]").click()
        host.locator(".pick[aria-pressed=false]").first.click()
    host.reload()
    expect(host.locator(".chosen-card")).to_have_count(6, timeout=SOON)
    host.get_by_role("button", name="Reveal these").click()
    turn_and_stop_hourglass(host)

    expect(ben.locator(".hands-off")).to_be_visible(timeout=SOON)
    ben.get_by_role("link", name="Photograph my tray").click()
    ben.get_by_role("button", name="Enter by hand").click()
    put(ben, "C", "W")
    put(ben, "R0", "W")
    ben.reload()
    expect(ben.locator("[data-seat=R0]")).to_have_attribute(
        "aria-label", "R0, level one: white", timeout=SOON
    )
    confirm(ben)
    enter_by_hand(host, "Ada", C="G")
    assert lock(host) == sealed(ben)


def dispute_about_the_second_round(host: Page, ben: Page) -> None:
    """Ben doubts Ada's tray in two taps, says what lay there, and Ada agrees by PIN."""
    before = totals(host)
    ben.get_by_role("link", name="The verdicts again").click()
    ben.get_by_role("button", name="Doubt the verdict on Ada").click()
    ben.get_by_role("button", name="Open a dispute").click()
    expect(ben.locator(".claims")).to_be_visible(timeout=SOON)
    put(ben, "R0", "B")
    expect(ben.locator(".claim")).to_contain_text("R0 blue")
    ben.get_by_role("button", name="I say so").click()

    host.get_by_role("link", name="Score", exact=True).click()
    host.get_by_role("link", name="open").click()
    host.get_by_role("button", name="Show it").click(timeout=SOON)
    host.get_by_role("button", name="Says so (choose a PIN)").click()
    host.locator(".pin input").fill("2718")
    host.locator(".pin button").click()
    host.get_by_role("button", name="Correct it so").click(timeout=SOON)
    for page in (host, ben):
        expect(page.locator(".message")).to_contain_text("Corrected. R0 blue", timeout=SOON)
    for page in (host, ben):
        to_table(page)
        expect(page.locator(".scores")).to_be_visible(timeout=SOON)
    assert totals(host) == totals(ben) != before


def quick_round(host: Page, ben: Page) -> None:
    """One sphere each."""
    draw_cards(host)
    turn_and_stop_hourglass(host)
    expect(ben.locator(".hands-off")).to_be_visible(timeout=SOON)
    enter_by_hand(ben, "Ben", C="K")
    enter_by_hand(host, "Ada", R3="O")
    assert lock(host) == sealed(ben)


def the_end(host: Page, ben: Page) -> None:
    """Tokens become points, both devices show the same, and it can be kept."""
    host.get_by_role("button", name="End the game").click()
    for page in (host, ben):
        expect(page.locator(".place-row")).to_have_count(2, timeout=SOON)
    assert totals(host) == totals(ben)
    assert ben.locator(".winner").inner_text() == host.locator(".winner").inner_text()

    host.get_by_role("link", name="Keep it").click()
    with host.expect_download() as saved:
        host.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text("utf-8-sig"))))
    assert [(row["round"], row["player"]) for row in rows] == [
        (str(n), player) for n in range(1, 7) for player in ("Ada", "Ben")
    ]
    assert {row["layout"] for row in rows[4:] if row["player"] == "Ben"} == {"K....../....../."}
    with host.expect_download() as kept:
        host.get_by_role("button", name="JSON").click()
    table = json.loads(kept.value.path().read_text("utf-8"))
    assert [round_["number"] for round_ in table["rounds"]] == [1, 2, 3, 4, 5, 6]
    with host.expect_download() as bundle:
        host.get_by_role("button", name="Evidence").click()
    with zipfile.ZipFile(bundle.value.path()) as evidence:
        assert evidence.testzip() is None
        assert any(name.endswith(".jpg") for name in evidence.namelist())


def test_what_is_entered_without_a_connection_is_sent_when_it_is_back(
    devices: tuple[Page, Page],
) -> None:
    host, ben = devices
    draw_cards(host)
    turn_and_stop_hourglass(host)
    expect(ben.locator(".hands-off")).to_be_visible(timeout=SOON)
    ben.get_by_role("link", name="Photograph my tray").click()
    ben.get_by_role("button", name="Enter by hand").click()
    put(ben, "C", "O")
    expect(ben.locator(".worth")).to_be_visible(timeout=SOON)
    ben.context.set_offline(True)
    ben.get_by_role("button", name="That’s right").click()
    expect(ben.locator(".banner")).to_contain_text("No connection")
    expect(ben.locator("[data-seat=C]")).to_have_attribute("aria-label", "the centre: orange")
    ben.context.set_offline(False)
    expect(host.locator(".tray-row", has_text="Ben")).to_contain_text("read", timeout=SOON)
    expect(ben.locator(".banner")).not_to_contain_text("No connection", timeout=SOON)


def test_a_lost_phone_is_replaced(
    devices: tuple[Page, Page], service: str, browser: Browser
) -> None:
    """The host makes a new key; with it the new phone plays for Ben, and the old one is out."""
    host, ben = devices
    host.locator(".roster-row", has_text="Ben").get_by_role("button", name="New device").click()
    host.get_by_role("button", name="Make a new key").click()
    key = host.locator(".secret").inner_text(timeout=SOON)
    code = host.locator(".code").inner_text().replace(" ", "")
    with Visit(browser, service, size="phone") as other:
        phone = other.open(f"/join/{code}")
        phone.locator(".seat-choice", has_text="Ben").click()
        phone.locator("#key").fill(key)
        phone.get_by_role("button", name="Come back").click()
        expect(phone.locator(".roster")).to_contain_text("this device", timeout=SOON)
        assert other.complaints == []
        assert key not in phone.url
    ben.reload()
    expect(ben.locator("main")).to_contain_text("does not sit at this table", timeout=SOON)
