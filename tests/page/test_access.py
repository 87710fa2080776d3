"""Everyone can use it: axe finds nothing serious, targets are large, nothing runs off the side."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.visit import ARTEFACTS, SIZES, Visit, score_sample, settle, show

pytestmark = pytest.mark.slow

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
LEAST_TARGET = 44


def home(page: Page) -> None:
    expect(page.locator(".sample img")).to_have_count(4)


def capture(page: Page) -> None:
    show(page, "/photo")
    expect(page.locator(".how")).to_be_visible()


def review(page: Page) -> None:
    score_sample(page, "pyramid")
    show(page, "/photo/reading")
    expect(page.locator(".review")).to_be_visible()


def seat(page: Page) -> None:
    review(page)
    page.locator("[data-seat=R4]").click()
    expect(page.locator(".sheet")).to_be_visible()


def kinds(page: Page) -> None:
    score_sample(page)
    show(page, "/photo/cards")
    expect(page.locator(".kinds")).to_be_visible()


def cards(page: Page) -> None:
    show(page, "/photo/cards")
    page.locator("[data-kind=touch]").click()
    expect(page.locator(".pick")).to_have_count(15)


def verdict(page: Page) -> None:
    score_sample(page, "lamp")


def doubt(page: Page) -> None:
    score_sample(page, "pyramid")


def best(page: Page) -> None:
    score_sample(page, "lamp")
    page.locator("main .actions button").nth(1).click()
    expect(page.locator(".best")).to_be_visible()


def settings(page: Page) -> None:
    show(page, "/settings")
    expect(page.locator(".options").first).to_be_visible()


SCREENS: list[Callable[[Page], None]] = [
    *(home, capture, review, seat, kinds, cards, verdict, doubt, best, settings),
]
by_name = pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)


def violations(page: Page) -> list[dict[str, Any]]:
    """What axe calls serious or critical."""
    page.evaluate(AXE)
    settle(page)
    result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        {"rule": found["id"], "where": [node["html"][:200] for node in found["nodes"]]}
        for found in result["violations"]
        if found["impact"] in ("serious", "critical")
    ]


@by_name
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_serious(
    service: str, browser: Browser, screen: Callable[[Page], None], theme: str
) -> None:
    with Visit(browser, service, theme=theme) as visit:
        page = visit.open()
        screen(page)
        assert violations(page) == []


@by_name
@pytest.mark.parametrize(
    ("size", "language"), [*((size, "en") for size in SIZES), ("phone", "de"), ("laptop", "de")]
)
def test_screens_fit_and_are_kept_as_pictures(
    service: str, browser: Browser, screen: Callable[[Page], None], size: str, language: str
) -> None:
    """Nothing runs off the side; what can be tapped is large enough. Pictures: artefacts/page."""
    with Visit(browser, service, size=size, language=language) as visit:
        page = visit.open()
        screen(page)
        settle(page)
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=ARTEFACTS / f"{screen.__name__}-{size}-{language}.png")
        width, _ = SIZES[size]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert small_targets(page) == []
        assert visit.complaints == []


def small_targets(page: Page) -> list[str]:
    """Buttons and links that are smaller than a fingertip."""
    return list(
        page.evaluate(
            """(least) => [...document.querySelectorAll("button, a, .option, .button")]
              .filter((e) => !e.matches(".skip") && e.checkVisibility())
              .filter((e) => {
                const { width, height } = e.getBoundingClientRect();
                return Math.min(width, height) < least;
              })
              .map((e) => e.outerHTML.slice(0, 120))""",
            LEAST_TARGET,
        )
    )
