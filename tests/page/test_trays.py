"""Trays on their way to the table: each is its own player's, whatever comes in between."""

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.page.evening import CARDS, Evening
from tests.page.test_one_photo import SAMPLES
from tests.page.visit import Visit, show

pytestmark = pytest.mark.slow


def test_a_reading_that_comes_late_is_not_taken_for_the_next_tray(
    service: str, browser: Browser
) -> None:
    """Ada's photo is on its way when somebody turns to Ben's tray already."""
    evening = Evening(service, ("Ada", "Ben")).opened()
    evening.built(evening.revealed(CARDS))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    with Visit(browser, service) as visit:
        evening.known_to(visit.context)
        page = visit.open(f"/table/{evening.id}/round/1/photo/Ada")
        page.route("**/trays/Ada", hold)
        page.locator("input[capture]").set_input_files(SAMPLES / "01211.jpg")
        expect(page.locator(".busy")).to_be_visible()
        show(page, f"/table/{evening.id}/round/1/photo/Ben")
        expect(page.locator("h1")).to_have_text("Ben’s tray")
        with page.expect_response("**/trays/Ada"):
            held[0].continue_()
        page.get_by_role("button", name="Enter by hand").click()
        expect(page.locator("[data-seat=C]")).to_have_attribute("aria-label", "the centre: empty")
        show(page, f"/table/{evening.id}")
        expect(page.locator(".tray-row.in", has_text="Ada")).to_be_visible()
        expect(page.locator(".tray-row.to-come", has_text="Ben")).to_be_visible()
        assert visit.complaints == []
