"""A whole game on two devices, as a family plays it: camera, correction, reload, dispute, end.

The tablet's camera sees a film of the lab. In both languages: what is tapped is what the page says.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from rules.dimension.layout import Layout
from tests.page.films import filmed, reel, truth
from tests.page.players import (
    SOON,
    by_hand,
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
    turn_hourglass,
)
from tests.page.test_live import before_camera
from tests.page.visit import Visit
from tests.page.words import said

pytestmark = pytest.mark.slow

SEED = 3
"""Of the film: a tray of which nothing is in doubt."""


NO_CAMERA = """navigator.mediaDevices.getUserMedia =
  () => Promise.reject(new DOMException("", "NotAllowedError"))"""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the frames of a tray, and their truth."""
    return filmed(SEED, tmp_path_factory.mktemp("tray"))


@pytest.fixture(scope="module")
def camera(
    chromium: BrowserType, film: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A browser whose camera looks at that tray."""
    browser = before_camera(chromium, reel(tmp_path_factory.mktemp("film") / "tray.mjpeg", film))
    yield browser
    browser.close()


@pytest.fixture
def language() -> str:
    """English, where a test does not say otherwise."""
    return "en"


@pytest.fixture
def devices(
    service: str, browser: Browser, camera: Browser, language: str
) -> Iterator[tuple[Page, Page]]:
    """The tablet that hosts for Ada, and Ben's phone; neither may complain about anything."""
    with (
        Visit(camera, service, size="tablet", language=language, accept_downloads=True) as tablet,
        Visit(browser, service, size="phone", language=language) as phone,
    ):
        host = tablet.open("/table/new")
        code = open_table(host, "Ada", "Ben")
        ben = phone.open(f"/join/{code}")
        join(ben, "Ben")
        joined = said(host, "roster.joined")
        expect(host.locator(".roster")).to_contain_text(joined, timeout=SOON)
        yield host, ben
        assert tablet.complaints + phone.complaints == []


def seconds(page: Page) -> int:
    return int(page.locator(".hourglass .seconds").inner_text())


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_whole_game(devices: tuple[Page, Page], film: Path) -> None:
    host, ben = devices
    first_round(host, ben)
    without_camera(host)
    second_round(host, ben)
    dispute_about_the_second_round(host, ben)
    for _ in range(3, 7):
        quick_round(host, ben)
    the_end(host, ben, truth(film))


def first_round(host: Page, ben: Page) -> None:
    """Cards are drawn, the sand runs out, the camera and a tray by hand; one is corrected."""
    cards = draw_cards(host)
    expect(ben.locator(".table-cards .card")).to_have_count(6, timeout=SOON)
    assert ben.locator(".table-cards figcaption").all_inner_texts() == cards
    host.get_by_role("button", name=said(host, "hint.ask")).click()
    possible = said(host, "hint.points", n="").strip()
    expect(host.locator(".hint")).to_contain_text(possible, timeout=SOON)

    turn_hourglass(host)
    expect(ben.locator(".hourglass")).to_be_visible(timeout=SOON)
    host.locator(".hourglass .seconds", has_text="10").wait_for()
    assert abs(seconds(ben) - seconds(host)) <= 1
    expect(host.locator(".build")).to_have_class("build last")
    for page in (host, ben):
        expect(page.locator(".hands-off")).to_be_visible(timeout=SOON)

    host.get_by_role("link", name=said(host, "collect.next", player="Ada")).click()
    expect(host.locator(".viewfinder video")).to_be_visible(timeout=SOON)
    hers = said(host, "trayPhoto.title", player="Ada")
    expect(host.locator("h1")).not_to_contain_text(hers, timeout=6 * SOON)
    to_table(host)
    enter_by_hand(ben, "Ben", C="O", R0="K", R1="B", T0="G")
    expect(ben.locator(".trial")).to_be_visible(timeout=SOON)
    assert ben.locator(".answer-row").count() == 2

    to_sum(host)
    expect(host.locator(".sum-row", has_text="Ben")).to_contain_text(spheres(host, 4))
    correct = said(host, "sum.correct")
    host.locator(".sum-row", has_text="Ben").get_by_role("link", name=correct).click()
    expect(host.locator(".layout")).to_be_visible()
    put(host, "T0", ".")
    confirm(host)
    to_table(host)
    to_sum(host)
    expect(host.locator(".sum-row", has_text="Ben")).to_contain_text(spheres(host, 3))
    assert lock(host) == sealed(ben)


def without_camera(page: Page) -> None:
    """The camera is forbidden from now on: where it is not, its shutter is as quick as any tap."""
    page.context.add_init_script(NO_CAMERA)
    page.evaluate(f"() => {{ {NO_CAMERA} }}")


def spheres(page: Page, count: int) -> str:
    return said(page, "verdict.spheres.other", n=count)


def second_round(host: Page, ben: Page) -> None:
    """The table's own cards are tapped in; both devices are reloaded in the middle."""
    host.get_by_role("link", name=said(host, "reveal.tap")).click()
    for kind in ("touch", "touch", "apart", "apart", "notabove", "notbelow"):
        host.locator(f"[data-kind={kind}]").click()
        host.locator(".pick[aria-pressed=false]").first.click()
    host.reload()
    expect(host.locator(".chosen-card")).to_have_count(6, timeout=SOON)
    host.get_by_role("button", name=said(host, "reveal.these")).click()
    turn_and_stop_hourglass(host)

    expect(ben.locator(".hands-off")).to_be_visible(timeout=SOON)
    ben.get_by_role("link", name=said(ben, "collect.mine")).click()
    by_hand(ben)
    put(ben, "C", "W")
    put(ben, "R0", "W")
    ben.reload()
    white = f"{said(ben, 'seat.R', seat='R0')}: {said(ben, 'color.W')}"
    expect(ben.locator("[data-seat=R0]")).to_have_attribute("aria-label", white, timeout=SOON)
    confirm(ben)
    enter_by_hand(host, "Ada", C="G")
    assert lock(host) == sealed(ben)


def dispute_about_the_second_round(host: Page, ben: Page) -> None:
    """Ben doubts Ada's tray in two taps, says what lay there, and Ada agrees by PIN."""
    before = totals(host)
    ben.get_by_role("link", name=said(ben, "between.verdicts")).click()
    doubted = said(ben, "dispute.doubt", player="Ada", card="").strip()
    ben.get_by_role("button", name=doubted).click()
    ben.get_by_role("button", name=said(ben, "dispute.yes"), exact=True).click()
    expect(ben.locator(".claims")).to_be_visible(timeout=SOON)
    put(ben, "R0", "B")
    blue = f"R0 {said(ben, 'color.B')}"
    expect(ben.locator(".claim")).to_contain_text(blue)
    ben.get_by_role("button", name=said(ben, "claims.mine")).click()

    host.get_by_role("link", name=said(host, "table.score"), exact=True).click()
    host.get_by_role("link", name=said(host, "dispute.status.open")).click()
    host.get_by_role("button", name=said(host, "claims.look")).click(timeout=SOON)
    host.get_by_role("button", name=said(host, "claims.firstPin")).click()
    host.locator(".pin input").fill("2718")
    host.locator(".pin button").click()
    host.get_by_role("button", name=said(host, "dispute.end.corrected")).click(timeout=SOON)
    corrected = f"{said(host, 'dispute.status.corrected')} {blue}"
    for page in (host, ben):
        expect(page.locator(".message")).to_contain_text(corrected, timeout=SOON)
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


def the_end(host: Page, ben: Page, filmed_layout: Layout) -> None:
    """Tokens become points, both devices show the same, and it can be kept."""
    host.get_by_role("button", name=said(host, "between.finish")).click()
    for page in (host, ben):
        expect(page.locator(".place-row")).to_have_count(2, timeout=SOON)
    assert totals(host) == totals(ben)
    assert ben.locator(".winner").inner_text() == host.locator(".winner").inner_text()

    host.get_by_role("link", name=said(host, "result.export")).click()
    with host.expect_download() as saved:
        host.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text("utf-8-sig"))))
    assert [(row["round"], row["player"]) for row in rows] == [
        (str(n), player) for n in range(1, 7) for player in ("Ada", "Ben")
    ]
    assert Layout.parse(rows[0]["layout"]).same_as(filmed_layout)
    assert {row["layout"] for row in rows[4:] if row["player"] == "Ben"} == {"K....../....../."}
    with host.expect_download() as kept:
        host.get_by_role("button", name="JSON").click()
    table = json.loads(kept.value.path().read_text("utf-8"))
    assert [round_["number"] for round_ in table["rounds"]] == [1, 2, 3, 4, 5, 6]
    with host.expect_download() as bundle:
        host.get_by_role("button", name=said(host, "score.evidence")).click()
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
    ben.get_by_role("link", name=said(ben, "collect.mine")).click()
    by_hand(ben)
    put(ben, "C", "O")
    expect(ben.locator(".worth")).to_be_visible(timeout=SOON)
    ben.context.set_offline(True)
    ben.get_by_role("button", name=said(ben, "tray.right")).click()
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
