"""Start photos at a table: one per tray, one for all, or none; what was measured drawn on them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.page.evening import Evening
from tests.page.players import join
from tests.page.test_one_photo import SAMPLES
from tests.page.visit import Visit, show

pytestmark = pytest.mark.slow

START = SAMPLES / "02410.jpg"
IN_PLAY = SAMPLES / "01211.jpg"
NO_TRAY = SAMPLES / "02300.jpg"


@pytest.fixture
def evening(service: str) -> Evening:
    """A table of two before its first round."""
    return Evening(service, ("Ada", "Ben")).opened()


@pytest.fixture
def host(service: str, browser: Browser, evening: Evening) -> Iterator[Page]:
    """The tablet that hosts, everybody about to begin."""
    with Visit(browser, service) as visit:
        evening.known_to(visit.context)
        yield visit.open(f"/table/{evening.id}")
        assert visit.complaints == []


def row(page: Page, player: str) -> Locator:
    return page.locator(".start-row", has_text=player)


def hand_over(page: Page, photo: Path = START) -> None:
    """The photo that the camera app took."""
    page.locator("input[capture]").set_input_files(photo)


def expect_measured(page: Page) -> None:
    """Seven rings on the holes, fifteen letters on the spheres, figures in millimetres."""
    expect(page.locator(".measured .overlay image")).to_be_visible()
    expect(page.locator(".measured .ring.witness")).to_have_count(7)
    expect(page.locator(".measured .ring.read")).to_have_count(15)
    for color in "OBGKW":
        expect(page.locator(f".measured .overlay use[href='#sphere-{color}']")).to_have_count(3)
    expect(page.locator(".figures dd")).to_have_count(3)
    expect(page.locator(".figures")).to_contain_text("mm")


def profiles(evening: Evening) -> dict[str, str | None]:
    """By what each player's tray is read, as the service tells it."""
    players = evening.ask("GET", f"v1/tables/{evening.id}")["players"]
    return {player["name"]: player["tray"]["name"] for player in players}


def test_one_photo_per_tray_one_after_the_other(host: Page, evening: Evening) -> None:
    row(host, "Ada").get_by_role("link").click()
    expect(host.locator("h1")).to_have_text("Start photo: Ada’s tray")
    hand_over(host)
    expect_measured(host)
    host.get_by_role("link", name="Next: Ben’s tray").click()
    expect(host.locator("h1")).to_have_text("Start photo: Ben’s tray")
    expect(host.locator(".measured")).to_have_count(0)
    hand_over(host)
    expect_measured(host)
    host.get_by_role("link", name="Done").click()
    for player in evening.players:
        expect(row(host, player)).to_contain_text("measured")
    assert all(profiles(evening).values())


def test_one_photo_for_all_trays(host: Page, evening: Evening) -> None:
    host.get_by_role("link", name="All trays are alike").click()
    hand_over(host)
    expect_measured(host)
    host.get_by_role("link", name="Done").click()
    for player in evening.players:
        expect(row(host, player)).to_contain_text("like all")
    assert len(set(profiles(evening).values())) == 1
    assert None not in profiles(evening).values()


def test_what_was_measured_can_be_done_without(host: Page, evening: Evening) -> None:
    row(host, "Ben").get_by_role("link").click()
    hand_over(host)
    expect_measured(host)
    host.get_by_role("button", name="Do without").click()
    expect(row(host, "Ben")).to_contain_text("no photo")
    assert set(profiles(evening).values()) == {None}


def test_all_can_be_skipped(host: Page, evening: Evening) -> None:
    row(host, "Ada").get_by_role("link").click()
    host.get_by_role("link", name="Skip", exact=True).click()
    expect(host.locator("h1")).to_have_text("Start photo: Ben’s tray")
    host.get_by_role("link", name="Skip", exact=True).click()
    expect(host.locator(".start-photos")).to_be_visible()
    assert set(profiles(evening).values()) == {None}


REFUSED = {
    "en": ("Not all fifteen spheres lie in storage", "No tray was found"),
    "de": ("Nicht alle fünfzehn Kugeln liegen im Vorrat", "Kein Tableau gefunden"),
}


@pytest.mark.parametrize("language", REFUSED)
def test_a_photo_that_cannot_be_measured_is_refused_in_words(
    service: str, browser: Browser, evening: Evening, language: str
) -> None:
    """The service's reason, in the page's language; then another photo is taken, as if new."""
    with Visit(browser, service, language=language) as visit:
        evening.known_to(visit.context)
        page = visit.open(f"/table/{evening.id}/start/Ada")
        for photo, words in zip((IN_PLAY, NO_TRAY), REFUSED[language], strict=True):
            hand_over(page, photo)
            expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()
        assert profiles(evening)["Ada"] is None
        hand_over(page)
        expect_measured(page)
        expect(page.get_by_role("alert").filter(has_text=REFUSED[language][1])).to_have_count(0)
        assert visit.complaints == []


def test_a_phone_measures_its_own_tray_only(
    service: str, browser: Browser, host: Page, evening: Evening
) -> None:
    with Visit(browser, service, size="phone") as visit:
        phone = visit.open(f"/join/{evening.code}")
        join(phone, "Ben")
        expect(phone.locator(".start-row")).to_have_count(1)
        expect(phone.get_by_role("link", name="All trays are alike")).to_have_count(0)
        row(phone, "Ben").get_by_role("link").click()
        hand_over(phone)
        expect_measured(phone)
        phone.get_by_role("link", name="Done").click()
        expect(row(phone, "Ben")).to_contain_text("measured")
        expect(row(host, "Ben")).to_contain_text("measured")  # the tablet hears of it
        show(phone, f"/table/{evening.id}/start/Ada")
        expect(phone.locator("input[type=file]")).to_have_count(0)
        expect(phone.get_by_role("link", name="Back")).to_be_visible()
        assert visit.complaints == []
