"""Light and quick: what a first visit costs, and how long until one can tap."""

import time
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Request, expect

from tests.page.test_one_photo import SAMPLES
from tests.page.visit import Visit, score_sample, show

pytestmark = pytest.mark.slow

FIRST_VIEW_BYTES = 150_000
INTERACTIVE_S = 1.5
SLOWER = 4
VERDICT_S = 1.0


def transferred(requests: list[Request]) -> int:
    sizes = [request.sizes() for request in requests]
    return sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes)


def test_the_first_view_is_small(service: str, browser: Browser) -> None:
    with Visit(browser, service) as visit:
        requests: list[Request] = []

        def note(request: Request) -> None:
            requests.append(request)

        visit.context.on("requestfinished", note)
        page = visit.open()
        expect(page.locator(".sample img")).to_have_count(4)
        page.wait_for_load_state("networkidle")
        total = transferred(requests)
        assert len(requests) > 10
        assert total <= FIRST_VIEW_BYTES, f"{total} bytes"


def test_the_page_answers_soon_on_a_slow_device(service: str, browser: Browser) -> None:
    """From the address to the sample that can be tapped, on a CPU slowed down four times."""
    times = []
    for _ in range(3):
        with Visit(browser, service) as visit:
            page = visit.context.new_page()
            slow(page)
            begun = time.perf_counter()
            page.goto(service, wait_until="commit")
            page.locator(".sample img").first.wait_for()
            page.evaluate("new Promise((done) => requestIdleCallback(done))")
            times.append(time.perf_counter() - begun)
    assert sorted(times)[1] <= INTERACTIVE_S, times


def test_from_shutter_to_verdict_with_a_large_photo(page: Page, tmp_path: Path) -> None:
    """Twelve megapixels: from the file that is handed over to the points on the screen."""
    score_sample(page, "lamp")  # cards are chosen, the reader is warm
    large = tmp_path / "large.jpg"
    Image.open(SAMPLES / "01211.jpg").resize((4032, 3024)).save(large, quality=90)
    times = []
    for _ in range(3):
        show(page, "/photo")
        page.locator("input[type=file]").first.wait_for(state="attached")
        begun = time.perf_counter()
        page.locator("input[type=file]").first.set_input_files(large)
        expect(page.locator(".points .big b")).to_have_text("3")  # seven, two cards missed
        times.append(time.perf_counter() - begun)
    assert sorted(times)[1] <= VERDICT_S, times


def slow(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
