"""Light and quick: what a first visit costs, how long until one can tap, and until a verdict."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Request, expect

from tests.page.pace import (
    FIXED_PAGE_S,
    FIXED_PICTURES_S,
    fixed_page,
    fixed_page_s,
    fixed_pictures_s,
    in_turns,
    interactive_s,
)
from tests.page.test_one_photo import SAMPLES
from tests.page.visit import Visit, score_sample, show

pytestmark = pytest.mark.slow

FIRST_VIEW_BYTES = 150_000
INTERACTIVE_S = 1.5
VERDICT_S = 1.0

_WATCH = """() => {
  window.verdictMs = new Promise((done) => {
    document.addEventListener("change", ({ timeStamp }) => {
      const look = () => document.querySelector(".points .big b")?.textContent === "3"
          && document.querySelector(".overlay image")
        ? requestAnimationFrame(() => done(performance.now() - timeStamp))
        : requestAnimationFrame(look);
      look();
    }, { capture: true, once: true });
  });
}"""
"""From the file that is handed over to the frame that shows points and photo, by the page's clock:
Playwright looks at pages only now and then."""


def transferred(requests: list[Request]) -> int:
    sizes = [request.sizes() for request in requests]
    return sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes)


def test_the_first_view_is_small(
    service: str, browser: Browser, tell: Callable[[str], None]
) -> None:
    with Visit(browser, service) as visit:
        requests: list[Request] = []

        def note(request: Request) -> None:
            requests.append(request)

        visit.context.on("requestfinished", note)
        page = visit.open()
        expect(page.locator(".sample img")).to_have_count(4)
        page.wait_for_load_state("networkidle")
        total = transferred(requests)
    tell(f"first view: {len(requests)} files, {total} bytes (at most {FIRST_VIEW_BYTES})")
    assert len(requests) > 10
    assert total <= FIRST_VIEW_BYTES


def test_the_page_answers_soon_on_a_slow_device(
    service: str, browser: Browser, tell: Callable[[str], None]
) -> None:
    """From the address to the sample that can be tapped, on a CPU slowed down four times."""

    def ours() -> float:
        with Visit(browser, service) as visit:
            return interactive_s(visit.context.new_page(), service, ".sample img")

    with fixed_page() as address:
        timed = in_turns(ours, lambda: fixed_page_s(browser, address), FIXED_PAGE_S)
    tell(f"interactive: {timed}, at most {INTERACTIVE_S} s")
    assert timed.there <= INTERACTIVE_S


def test_from_shutter_to_verdict_with_a_large_photo(
    page: Page, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """Twelve megapixels: from the file that is handed over to points and photo on the screen."""
    score_sample(page, "lamp")  # cards are chosen, the reader is warm
    large = tmp_path / "large.jpg"
    Image.open(SAMPLES / "01211.jpg").resize((4032, 3024)).save(large, quality=90)

    def verdict_s() -> float:
        show(page, "/photo")
        expect(page.locator("input[type=file]").first).to_be_attached()
        page.evaluate(_WATCH)
        page.locator("input[type=file]").first.set_input_files(large)
        return float(page.evaluate("window.verdictMs")) / 1000

    timed = in_turns(verdict_s, fixed_pictures_s, FIXED_PICTURES_S)
    tell(f"from shutter to verdict: {timed}, at most {VERDICT_S} s")
    assert timed.there <= VERDICT_S
